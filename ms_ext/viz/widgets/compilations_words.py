"""What ``viz.compilations`` says: the title, the reasons, and what would need fewer graphs."""

import re

from ..timing.words import counted

TIMES = {0: "not compiled", 1: "compiled once", 2: "compiled twice"}
FIRST = "the first call"
MOST = 60  # calls or compilations that a text lists
_TENSOR = re.compile(r"\w+\[(.*)\]")
_NUMBER = re.compile(r"-?(\d|inf|nan)[\w.+-]*|np\.\w+\(.*\)")


def title(shown):
    """How often, in words.

    >>> title(type("Shown", (), {"name": "f", "calls": [], "compiled": [1, 2, 3]}))
    'f: compiled 3 times'
    """
    whole = len(shown.compiled)
    many = sum(each.new for each in shown.calls) if shown.calls else whole
    times = TIMES.get(many, f"compiled {many} times")
    times = "none of them compiled" if whole and not many else times
    calls = f"{counted(len(shown.calls), 'call')}, " if shown.calls else ""
    return f"{shown.name}: {calls}{times}{f', {whole} graphs in all' * (many < whole)}"


def reason(compilation):
    """Why it was compiled, without the list of arguments, which the table has."""
    return FIRST if compilation.number == 1 else compilation.text


def columns(shown):
    """The names of all arguments, in order of their first appearance."""
    return list(dict.fromkeys(name for each in shown.compiled for name in each.arguments))


def changed(compilation):
    """The arguments that were new: name -> what they were before.

    A part of a container stands under the name of the whole.
    """
    if compilation.number == 1:
        return {}
    return {re.split(r"\[", each.argument)[0]: each.old for each in compilation.changes}


def brief(took):
    """A time in a few characters.

    >>> brief(1_234_000), brief(31_400), brief(2_100_000_000)
    ('1.2 ms', '31 µs', '2.1 s')
    """
    if took >= 1e9:
        return f"{took / 1e9:.1f} s"
    return f"{took / 1e6:.1f} ms" if took >= 1e6 else f"{took / 1e3:.0f} µs"


def told(call):
    """What became of one call, in words."""
    if call.error:
        return f"raised {call.error}"
    return f"compiled: graph {call.graph}" if call.new else f"graph {call.graph} again"


def page(shown):
    """All of it as text."""
    lines = [shown.title]
    if shown.calls:
        lines += ["", *(_call(each) for each in shown.calls[:MOST])]
        lines += _left(shown.calls, "calls")
    lines += ["", *(_compilation(each) for each in shown.compiled[:MOST])]
    lines += _left(shown.compiled, "compilations")
    lines += [""] * bool(said := advice(shown)) + said
    return "\n".join(lines) + "\n"


def _call(call):
    mark = "+" if call.new else " "
    return f"  {mark} call {call.number:<3} {brief(call.took):>8}  {told(call)}"


def _compilation(each):
    return f"  graph {each.number:<3} {brief(each.took):>8}  {each.text}"


def _left(items, noun):
    return [f"  and {len(items) - MOST} more {noun}"] * (len(items) > MOST)


# what would need fewer graphs ---------------------------------------------------------------------


def advice(shown):
    """A sentence for each argument that made it compile again: what would not.

    >>> from types import SimpleNamespace
    >>> from ms_ext.engine.compilations import Change
    >>> again = SimpleNamespace(changes=[Change("x", "f32[]", "f32[2]")])
    >>> for said in advice(SimpleNamespace(compiled=["the first", again])):
    ...     print(said)
    x has not always the same number of axes: each number of axes is a program of its own.
    """
    changes = [change for each in shown.compiled[1:] for change in each.changes]
    names = dict.fromkeys(change.argument for change in changes)
    found = [_said([each for each in changes if each.argument == name], name) for name in names]
    return list(dict.fromkeys(filter(None, found)))


def _said(changes, name):
    """What to do about the changes of one argument; "" where nothing is known."""
    kinds = {_kind(change.old, change.new) for change in changes}
    return _ADVICE[kinds.pop()].format(name=name) if len(kinds) == 1 else ""


_ADVICE = {
    "number": "{name} is a Python number, a part of the program. ms.mutable({name}), or a Tensor, "
    "is an input: one graph for all its values.",
    "size": "{name} comes in several sizes. ms.jit(..., dynamic=1) leaves open the sizes that "
    "change: one graph for all of them.",
    "axes": "{name} has not always the same number of axes: each number of axes is a program of "
    "its own.",
    "dtype": "{name} comes in several dtypes: cast it before the call.",
    "choice": "{name} chooses between programs: a graph for each choice is right, while there are "
    "few.",
    "length": "{name} is a container of changing length: each length is a program of its own.",
    "other": "",
}


def _kind(old, new):
    """What kind of a change it is."""
    tensors = _TENSOR.fullmatch(old), _TENSOR.fullmatch(new)
    if all(tensors):
        shapes = [each[1].split(",") if each[1] else [] for each in tensors]
        if old.partition("[")[0] != new.partition("[")[0]:
            return "dtype"
        if not all(size.isdigit() for size in shapes[1]):
            return "other"  # it was left open already
        return "size" if len(shapes[0]) == len(shapes[1]) else "axes"
    if any(tensors):
        return "other"
    if _NUMBER.fullmatch(old) and _NUMBER.fullmatch(new):
        return "number"
    if old[:1] in "([{" and new[:1] in "([{":
        return "length"
    plain = re.compile(r"True|False|None|'.*'|\".*\"")
    return "choice" if plain.fullmatch(old) and plain.fullmatch(new) else "other"
