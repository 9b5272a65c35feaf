"""What can be compared as two runs, how are they called, and do they agree?"""

from ...engine import pipeline
from ...engine.infer import AbstractTensor
from ...engine.ir import FuncGraph
from ..passes import Panel
from ..run import Run, Settings
from .agreement import Agreement, agreement

_MODES = {"graph": "graph mode", "pynative": "PyNative mode"}


def comparable(each):
    """Is this a run, or something a graph of which can be compared like one?

    >>> comparable(3)
    False
    """
    return isinstance(each, Run) or _graph(_record(each)) is not None


def as_run(each):
    """A run, panel or record as a Run; the last two have no results and no plan."""
    if isinstance(each, Run):
        return each
    record = _record(each)
    passed = record if hasattr(record, "listing_after") else None
    settings = Settings(record.name, "graph", "", _added(passed), "")
    return Run(settings, _graph(record), None, None, (), passed)


def _record(each):
    """A record of passes or a graph; that of a panel."""
    return each.record if isinstance(each, Panel) else each


def _graph(record):
    graph = record if isinstance(record, FuncGraph) else getattr(record, "graph", None)
    return graph if isinstance(graph, FuncGraph) else None


def _added(record):
    """The passes of a record that are not of the default pipeline."""
    names = [each.name for each in record.passes] if record else []
    return tuple([name for name in names if name not in pipeline.DEFAULT])


# what they are called -----------------------------------------------------------------------------


def labels(one, other):
    """A name for each of two runs: what is different between them, else "first" and "second"."""
    if one.settings.mode != other.settings.mode:
        return _MODES[one.settings.mode], _MODES[other.settings.mode]
    pairs = zip(_told(one), _told(other), strict=True)
    apart = [(a or "?", b or "?") for a, b in pairs if a != b]
    found = tuple([", ".join(side) for side in zip(*apart, strict=True)])
    return found or ("first", "second")


def _told(run):
    return run.settings.backend, _dtype(run), _passes(run), run.settings.function


def _dtype(run):
    """The dtype of a run, where all its floating parameters have one."""
    kinds = {p.abstract.dtype for p in run.graph.parameters if _is_tensor(p)}
    floats = {str(kind) for kind in kinds if kind.kind == "float"}
    return floats.pop() if len(floats) == 1 else ""


def _passes(run):
    if run.settings.passes:
        return f"with {', '.join(run.settings.passes)}"
    return "default passes" if run.record else "before any pass"


def _is_tensor(parameter):
    return isinstance(parameter.abstract, AbstractTensor)


# do they agree? -----------------------------------------------------------------------------------


def other_dtypes(one, other):
    """Do the inputs of two graphs differ in dtype, and in nothing else?"""
    kinds = [[p.abstract for p in graph.parameters if _is_tensor(p)] for graph in (one, other)]
    shapes = [[kind.shape for kind in side] for side in kinds]
    return shapes[0] == shapes[1] and [k.dtype for k in kinds[0]] != [k.dtype for k in kinds[1]]


def agreements(one, other):
    """An Agreement for each result of two runs; None where one of them has no results."""
    if one is None or other is None:
        return None
    found = [agreement(a, b) for a, b in zip(one, other, strict=False)]
    if len(one) != len(other):
        found.append(Agreement(False, False, f"differs: {len(one)} and {len(other)} results"))
    return found


def in_words(values):
    """What Agreements come to.

    >>> in_words([Agreement(True, True, ""), Agreement(False, True, "", 3)])
    'results within 3 ulp'
    """
    if all(each.same for each in values):
        return "results equal to the bit"
    if all(each.near for each in values):
        return f"results within {max(each.ulp or 0 for each in values)} ulp"
    return "results differ"


def other_arguments(one, other):
    """Were two runs given other numbers? Rounding to another dtype apart."""
    if one is None or other is None or any(each is None for each in (*one, *other)):
        return False
    if len(one) != len(other):
        return True
    found = [agreement(a, b) for a, b in zip(one, other, strict=True)]
    return not all(each.same or each.ulp == 0 for each in found)
