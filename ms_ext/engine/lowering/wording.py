"""How are types, constants and primitives written in MindSpore's text?

>>> from ms_ext.dtype import float32
>>> written(AbstractTensor(float32, (2, 3))), written(AbstractTensor(float32, (), True))
('<Tensor[Float32], (2, 3)>', '<Float32, NoShape>')
>>> constant(2), constant(0.5), constant((1, True)), constant(np.float32(12))
('I64(2)', 'F32(0.5)', '(I64(1), Bool(1))', 'Tensor(shape=[], dtype=Float32, value=12)')
"""

import itertools

import numpy as np

from ... import dtype as dtypes
from .. import primitive
from ..infer import AbstractStack, AbstractTensor, AbstractTuple, abstract_of
from .closure import IOMONAD, STATES, Special

_WEAK = {"bool": "Bool", "int": "Int64", "float": "Float32"}
_SHOWN = 8  # so many elements of a constant are written

# types --------------------------------------------------------------------------------------------


def written(abstract, more=""):
    """A type and shape in angle brackets; ``more`` is what else is known of the value."""
    return f"<{kind(abstract)}, {shape(abstract)}{more}>"


def kind(abstract):
    """A type without its shape."""
    if isinstance(abstract, AbstractTensor):
        name = abstract.dtype.name
        return _WEAK[abstract.dtype.kind] if abstract.weak else f"Tensor[{name}]"
    if isinstance(abstract, AbstractTuple):
        return f"Tuple[{_runs(map(kind, abstract.items))}]"
    if isinstance(abstract, AbstractStack):
        return f"Stack[{kind(abstract.item)}]"
    return str(abstract) if isinstance(abstract, Special) else "Any"


def _runs(kinds):
    """Types one after the other; one that comes n times is written once."""
    runs = [(each, len([*same])) for each, same in itertools.groupby(kinds)]
    return ",".join([f"{each}*{n}" if n > 1 else each for each, n in runs])


def shape(abstract):
    """A shape as it is written behind a type."""
    if isinstance(abstract, AbstractTensor) and not abstract.weak:
        return f"({', '.join(map(str, sizes(abstract)))})"
    if isinstance(abstract, AbstractTuple):
        return f"TupleShape({', '.join(map(shape, abstract.items))})"
    if isinstance(abstract, AbstractStack):
        return f"StackShape({shape(abstract.item)})"
    return "NoShape"


def sizes(abstract):
    """The sizes of a tensor's axes; one that is left open is -1."""
    return [size if isinstance(size, int) else -1 for size in getattr(abstract, "shape", ())]


# constants ----------------------------------------------------------------------------------------


def constant(value, abstract=None):
    """A constant as it is written."""
    if abstract in STATES:
        return "IOMonad[IO]" if abstract is IOMONAD else "UMonad[U]"
    if isinstance(value, bool):
        return f"Bool({int(value)})"
    if isinstance(value, int):
        return f"I64({value})"
    if isinstance(value, float):
        return f"F32({value:g})"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple | list):
        return f"({', '.join(map(constant, value))})"
    if isinstance(value, np.ndarray | np.generic):
        return _tensor(np.asarray(value))
    return str(value)


def _tensor(array):
    name = dtypes.from_numpy(array.dtype).name
    if array.ndim == 0:
        shown = f"{array.item():g}" if array.dtype.kind not in "?b" else str(bool(array))
    elif array.size <= _SHOWN:
        form = {"float_kind": lambda number: f"{number: .8e}"}
        shown = np.array2string(array.astype(_wide(array)), formatter=form).replace("\n", "")
    else:
        shown = "[...]"
    return f"Tensor(shape={list(array.shape)}, dtype={name}, value={shown})"


def _wide(array):
    return array.dtype if array.dtype.kind in "?biu" else np.float64


def constant_type(operand):
    """The type of a Constant, in angle brackets."""
    value, abstract = operand.value, operand.abstract
    if abstract in STATES:
        return written(abstract)
    if isinstance(value, np.ndarray | np.generic):
        return written(abstract_of(np.asarray(value)), ", value=...")
    return "<{}, {}>".format(*_python_type(value))


def _python_type(value):
    """Type and shape of a Python value."""
    if isinstance(value, tuple | list):
        kinds, shapes = zip(*map(_python_type, value), strict=True) if value else ((), ())
        return f"Tuple[{_runs(kinds)}]", f"TupleShape({', '.join(shapes)})"
    known = {bool: "Bool", int: "Int64", float: "Float32", str: "String", type(None): "None"}
    return known.get(type(value), type(value).__name__), "NoShape"


# primitives ---------------------------------------------------------------------------------------

#: Primitives of MindSpore's older kind, whose attributes are not operands, and what only we have.
OLDER = frozenset(
    "BitwiseAnd BitwiseOr BitwiseXor GatherDGrad GatherGrad GetItem GetItemGrad IsNan PadV3 Stack "
    "StandardNormal StopGradient SumTo TensorSet Tril UniformReal Unstack".split()
)
#: What the ops are called where all operands are numbers.
SCALAR = {
    "Add": "ScalarAdd", "Sub": "ScalarSub", "Mul": "ScalarMul", "Div": "ScalarDiv",
    "FloorDiv": "ScalarFloorDiv", "FloorMod": "ScalarMod", "Pow": "ScalarPow", "Neg": "ScalarUsub",
    "Equal": "ScalarEq", "Less": "ScalarLt", "LessEqual": "ScalarLe", "Greater": "ScalarGt",
    "GreaterEqual": "ScalarGe", "LogicalNot": "ScalarBool",
}  # fmt: skip
SPECIAL = {"Raise": "raise"}
ATTRIBUTES = {
    "Partial": "side_effect_propagate: I64(1)", "Depend": "side_effect_propagate: I64(1)",
    "Assign": "side_effect_mem: Bool(1)", "Print": "side_effect_io: Bool(1)",
    "Raise": "side_effect_io: Bool(1)", "PyExecute": "side_effect_io: Bool(1)",
}  # fmt: skip
#: What has no name of its own: the name of a variable is that of what the calls lead to.
_NEWER = ("Assign", "ScalarLt", "ScalarGe", "ScalarAdd", "ScalarSub")
UNNAMED = (
    "Partial", "Switch", "UpdateState", "Depend", "MakeTuple", "StackNew", "StackSet", "StackPush",
    "StackGet", *_NEWER,
)  # fmt: skip


def named(call):
    """The name of a call's primitive as MindSpore has it; ``PrimFunc_`` for its newer kind."""
    op = primitive.OPS.get(call.op)
    if op is None:
        return f"PrimFunc_{call.op}" if call.op in _NEWER else SPECIAL.get(call.op, call.op)
    if call.op in SCALAR and all(getattr(used.abstract, "weak", False) for used in call.inputs):
        return f"PrimFunc_{SCALAR[call.op]}"
    return f"PrimFunc_{call.op}" if is_newer(op) else call.op


def title(call):
    """The name in brackets: a variable's, or the node's number."""
    name = call.source.name if call.op not in UNNAMED else None
    return name or f"CNode_{call.source.id}"


def is_newer(op):
    """Whether the attributes of an op are written as operands: MindSpore's newer kind."""
    return op.module.startswith("ms_ext.") and op.name not in OLDER
