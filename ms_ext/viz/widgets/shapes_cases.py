"""What does a declaration say of a call, and what comes out of it? One case after another.

Three kinds of things are asked: a custom op (its out_shape and out_dtype against its body), an op
(its infer against a call), a function (its graph's types against a run).
"""

import contextlib
import functools
import inspect
import io
from typing import NamedTuple

import numpy as np

from ...engine import errors, frontend
from ...engine.infer import AbstractTensor, AbstractTuple, abstract_of, infer
from ...engine.tensor import Tensor


class Type(NamedTuple):
    """A dtype in words and a shape; ``shape`` is None for what has none."""

    dtype: str
    shape: tuple | None

    def __str__(self):
        return self.dtype if self.shape is None else f"{self.dtype}[{listed(self.shape)}]"


class Answer(NamedTuple):
    """What one side says: types, or why not."""

    types: tuple
    refusal: str = ""


class Asked(NamedTuple):
    """Both sides of one case: ``promised`` before anything runs, ``returned`` when it ran."""

    promised: Answer
    returned: Answer
    taken: bool  # whether the engine takes the one for the other
    complaint: str = ""  # the engine's words where it does not


def listed(shape):
    """Sizes with commas between them.

    >>> listed((2, 3))
    '2, 3'
    """
    return ", ".join(map(str, shape))


def subject(what):
    """Who can be asked about ``what``: a name, operand names, and three questions.

    >>> from ms_ext import dtype, ops
    >>> subject(ops.Add).promise((AbstractTensor(dtype.float32, (2,)),) * 2)
    Answer(types=(Type(dtype='float32', shape=(2,)),), refusal='')
    """
    if hasattr(what, "declared") and hasattr(what, "func"):
        return _CustomOp(what)
    if hasattr(what, "infer") and hasattr(what, "compute"):
        return _Op(what, {})
    if hasattr(what, "op") and hasattr(what, "attributes"):
        return _Op(what.op, what.attributes)
    if callable(what):
        return _Function(what)
    raise errors.InvalidType(
        "Shapes are inferred for an op or a function.",
        given=f"{what!r:.60} of type {type(what).__name__}",
        hint="viz.shapes(ops.Custom(...), x), viz.shapes(ops.add, x, y) or viz.shapes(f, x).",
    )


def told(question, *arguments):
    """The Answer to a question that may be refused; only what the learner's code raises is kept."""
    try:
        return Answer(question(*arguments))
    except Exception as error:  # whatever a learner's function raises is its answer
        return Answer((), said(error))


def said(error):
    """An error in one or two lines, without the machine's folders.

    >>> said(ValueError("no"))
    'ValueError: no'
    """
    if isinstance(error, errors.MsExtError):
        given = f" given: {error.given}" if error.given is not None else ""
        return " ".join(f"{error.message}{given}".split())
    return " ".join(f"{type(error).__name__}: {error}".split())


def _of_abstract(abstract):
    """An abstract value as Types, one per result."""
    if isinstance(abstract, AbstractTuple):
        return tuple([one for item in abstract.items for one in _of_abstract(item)])
    if not isinstance(abstract, AbstractTensor):
        return (Type(str(abstract), None),)
    if abstract.weak:
        return (Type(f"Python {abstract.number.__name__}", ()),)
    return (Type(abstract.dtype.public, tuple(abstract.shape)),)


def _of_values(value):
    """What a call gave, as Types."""
    if isinstance(value, tuple | list):
        return tuple([one for item in value for one in _of_values(item)])
    if isinstance(value, bool | int | float) and not isinstance(value, np.generic):
        return (Type(f"Python {type(value).__name__}", ()),)
    if value is None:
        return (Type("None", None),)
    if isinstance(value, Tensor):
        return (Type(value.dtype.public, tuple(value.shape)),)
    array = np.asarray(value)
    return (Type(str(array.dtype), array.shape),)


def _quietly(question, *arguments):
    """A question whose answer alone counts: nothing that is printed meanwhile is shown."""
    with contextlib.redirect_stdout(io.StringIO()):
        return told(question, *arguments)


class _Op:
    """An op of the library, with attributes: inferred, and called."""

    def __init__(self, op, attributes):
        known = {key: value for key, value in op.attributes if not callable(value)}
        self.op, self.attributes = op, known | attributes
        self.name = op.name
        self.names = list(op.operand_names)
        self.takes = (op.arity, op.arity) if op.arity is not None else (1, None)
        self.runner = "call"

    def _infer(self, abstracts):
        return _of_abstract(infer(self.op, tuple(abstracts), self.attributes))

    def promise(self, abstracts):
        """What infer says."""
        return told(self._infer, abstracts)

    def again(self, abstracts):
        """The same, asked a second time."""
        return _quietly(self._infer, abstracts)

    def ask(self, values):
        """Both sides for one case."""
        promised = self.promise(tuple(map(abstract_of, values)))
        packed = (tuple(values),) if self.op.arity is None else tuple(values)
        given = {k: v for k, v in self.attributes.items() if v is not None}
        returned = told(lambda: _of_values(self.op(*packed, **given)))
        return Asked(promised, returned, promised == returned)


class _Function:
    """A Python function: its graph's types, and a run."""

    def __init__(self, function):
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)
        self.names, self.takes = _operands(_plain(function))
        self.runner = "run"

    def _infer(self, abstracts):
        arguments = [a.number(0) if getattr(a, "weak", False) else a for a in abstracts]
        outputs = frontend.parse(self.function, arguments).graph.outputs
        return tuple([one for node in outputs for one in _of_abstract(node.abstract)])

    def promise(self, abstracts):
        """What the graph says."""
        return told(self._infer, abstracts)

    def again(self, abstracts):
        """The same, asked a second time."""
        return _quietly(self._infer, abstracts)

    def ask(self, values):
        """Both sides for one case; Python numbers among the arguments keep their value."""
        from ...engine import jit

        def graph():
            outputs = jit.trace(self.function, *values).outputs
            return tuple([one for node in outputs for one in _of_abstract(node.abstract)])

        promised = told(graph)
        returned = told(lambda: _of_values(_plain(self.function)(*values)))
        return Asked(promised, returned, promised == returned)


class _CustomOp:
    """A custom op: what it declares, and what its body returns."""

    def __init__(self, custom):
        self.custom, self.noted = custom, []
        self.name = getattr(custom.func, "__name__", type(custom.func).__name__)
        self.names, self.takes = _operands(custom.func)
        self.runner = "body"
        declared = custom.declared
        self.noting = _noting(custom.func, self.noted)
        self.twin = type(custom)(self.noting, declared.shape, declared.dtype)

    def _infer(self, abstracts):
        found = self.custom.declared.infer(*abstracts)
        return _of_abstract(AbstractTuple(found) if isinstance(found, tuple) else found)

    def promise(self, abstracts):
        """What out_shape and out_dtype say."""
        return told(self._infer, abstracts)

    def again(self, abstracts):
        """The same, asked a second time."""
        return _quietly(self._infer, abstracts)

    def ask(self, values):
        """Both sides: the body runs once, inside the op where that lets it."""
        self.noted.clear()
        promised = self.promise(tuple(map(abstract_of, values)))
        refusal = "" if promised.refusal else told(lambda: _finished(self.twin(*values))).refusal
        if promised.refusal:
            with contextlib.suppress(Exception):  # it is noted
                self.noting(*map(_handed_over, values))
        returned = self.noted[0] if self.noted else Answer((), refusal)
        return Asked(promised, returned, not (promised.refusal or refusal), refusal)


def _noting(function, noted):
    """``function``, writing down what it returns or raises."""

    @functools.wraps(function)
    def noting(*arrays):
        try:
            result = function(*arrays)
        except Exception as error:
            noted.append(Answer((), said(error)))
            raise
        noted.append(Answer(_of_values(result)))
        return result

    return noting


def _finished(result):
    """A result whose body has run."""
    for each in result if isinstance(result, tuple) else (result,):
        each.asnumpy()


def _handed_over(value):
    """What a body would get if the declaration did not stand before it."""
    array = value.asnumpy().copy() if isinstance(value, Tensor) else value
    return array.item() if getattr(array, "shape", None) == () else array


def _plain(function):
    """What is run eagerly: of a compiled function the Python function in it."""
    while hasattr(type(function), "graph_function"):
        function = type(function).graph_function(function)
    return function


def operand_names(what):
    """The names of the operands of a function, an op or a custom op, as far as it says.

    >>> operand_names(lambda x, y: x)
    ['x', 'y']
    """
    known = getattr(what, "operand_names", None)
    if known is not None:
        return list(known)
    return _operands(what.func if hasattr(what, "declared") else _plain(what))[0]


def _operands(function):
    """Names of the positional parameters, and how few and many there may be."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a builtin that does not say
        return [], (1, getattr(function, "nin", None))
    placed = [p for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    some = any(p.kind is p.VAR_POSITIONAL for p in found)
    fewest = sum(p.default is p.empty for p in placed)
    return [p.name for p in placed], (fewest, None if some else len(placed))
