"""``func_type="mindir"``: a saved graph is the op, and passes see into it.

``func`` is the path of a file that ``ms.graph.dump`` wrote, or ``"path:name"`` for one of its
graphs; the text itself will do, too. In compiled code its calls become the caller's; an eager call
runs them compiled; its gradient is that of its ops.

>>> from ms_ext import graph, jit, ops, Tensor
>>> text = graph.dump(jit(lambda x: x * x).graph(Tensor([1.0, 2.0])))
>>> square = ops.Custom(text, func_type="mindir")
>>> square(Tensor([3.0, 4.0]))
Tensor(shape=[2], dtype=Float32, value= [ 9.00000000e+00,  1.60000000e+01])
"""

import os

import numpy as np

from ... import errors
from ...infer import AbstractTensor
from ...ir import ValueNode, inline, load
from ...ir.text import LIMIT_BYTES
from ...symbol import Symbol
from ..loading import search
from ..way import Way
from . import WAYS

HEAD = "ms_ext graph"
SAVE = 'Save one: open("f.mindir", "w").write(ms.graph.dump(ms.jit(f).graph(x))).'


class SavedGraph(Way):
    """The op is a graph that was saved."""

    func_type = "mindir"
    compiles = "with the graph that calls it; alone at the first call"
    when = "to hand a finished computation on, with its types, so that passes work inside it"
    infers = completes = True

    def __init__(self, name, func, reg_info=None):
        super().__init__(name, func, reg_info)
        if not isinstance(func, str):
            raise errors.InvalidType(
                "For 'Custom' with func_type 'mindir', 'func' must be the path of a saved graph.",
                given=f"{func!r:.60}",
                hint=SAVE,
            )
        self.path, text, which = _read(name, func)
        self.graph = load(text, which)
        self.signature = [p.abstract for p in self.graph.parameters]
        kinds = [*self.signature, *[node.abstract for node in self.graph.outputs]]
        if not self.signature or not all(isinstance(kind, AbstractTensor) for kind in kinds):
            raise errors.InvalidValue(
                f"For '{name}', the saved graph is no function of tensors.",
                given=f"{self.graph.name}({self._shown()})",
                hint="A graph that prints, asks Python or has no input cannot be an op.",
            )
        self.takes = (len(self.signature), len(self.signature))

    def made_of(self, *inputs):
        """The calls of the saved graph, written into the graph that is being built."""
        first = next(each for each in inputs if isinstance(each, Symbol))
        target = first.node.graph
        pairs = zip(inputs, self.graph.parameters, strict=True)
        nodes = [self._fitting(target, i, *pair) for i, pair in enumerate(pairs)]
        tracer = getattr(first, "tracer", None)  # a symbol that knows its elements makes others
        symbols = map(tracer.wrap if tracer else Symbol, inline(self.graph, target, nodes))
        results = tuple(symbols)
        return results if len(results) > 1 else results[0]

    def describe(self):
        """The file and its signature."""
        results = ", ".join([str(node.abstract) for node in self.graph.outputs])
        return [
            ("file", self.path or "none: the text was given"),
            ("graph", f"{self.graph.name}({self._shown()}) -> {results}"),
            ("holds", f"{len(self.graph.order())} calls"),
        ]

    def _fitting(self, target, number, given, parameter):
        """An input as a node of the type that the graph was saved for."""
        wanted = parameter.abstract
        if isinstance(given, Symbol):
            found = given.node
            if isinstance(found, ValueNode) and found.graph is not target:
                found = target.constant(found.value, found.abstract)
        elif not hasattr(given, "shape") and wanted.shape == ():
            number_of = wanted.number or wanted.dtype.numpy.type
            found = target.constant(
                number_of(given) if wanted.weak else np.asarray(number_of(given))
            )
        else:
            found = target.constant(given)
        if found.abstract is not wanted:
            raise errors.NotRunnable(
                f"For '{self.name}', input {number} is not what the graph was saved for.",
                given=f"{found.abstract} for {parameter.name}: {wanted}",
                hint=f"It takes ({self._shown()}). A saved graph has one dtype and shape for each "
                "input:\nsave it again for these, or call the function that it was made of.",
            )
        return found

    def _shown(self):
        return ", ".join([f"{p.name}: {p.abstract}" for p in self.graph.parameters])


def _read(name, func):
    """(path, text, name of the graph) of a text that names a file, or is a graph itself."""
    if func.lstrip().startswith(HEAD):
        return None, func.lstrip(), None
    file, which = func, None
    if _found(file) is None and ":" in func:
        file, _, which = func.rpartition(":")
    path = _found(file)
    if path is None:
        looked = "\n".join([f"looked in {folder}" for folder in search.folders()])
        raise errors.NotRunnable(
            f"For '{name}', there is no saved graph {file!r}.", given=func, hint=f"{looked}\n{SAVE}"
        )
    return path, _text(name, path), which


def _found(file):
    places = [os.path.join(folder.path, file) for folder in search.folders()]
    return next((os.path.normpath(p) for p in places if os.path.isfile(p)), None)


def _text(name, path):
    try:
        with open(path, "rb") as file:
            data = file.read(LIMIT_BYTES + 1)
    except OSError as error:
        raise errors.NotRunnable(
            f"For '{name}', the saved graph cannot be read: {error.strerror}.", given=path
        ) from None
    if len(data) > LIMIT_BYTES or not data.lstrip().startswith(HEAD.encode()):
        size = "more than 64 MiB" if len(data) > LIMIT_BYTES else f"{data[:24]!r} ..."
        raise errors.InvalidValue(
            f"For '{name}', the file holds no saved graph of ms_ext.",
            given=f"{path}: {size}",
            hint=f"A MindIR that MindSpore wrote (protobuf) is not read here.\n{SAVE}",
        )
    return data.decode("utf-8", "replace")


WAYS.add("mindir", SavedGraph)
