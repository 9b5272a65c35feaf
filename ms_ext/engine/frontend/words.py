"""How does MindSpore name what a program handles? Kinds, types with their items, and refusals.

>>> kind_of([1]), typed([1, 2, 3]), typed((True, "a"))
('List', 'List[Int64*3]', 'Tuple[Bool,String]')
"""

from .. import errors
from ..infer import AbstractTensor
from ..ir import Node
from ..tensor import Tensor

KINDS = {
    bool: "Bool", int: "Int", float: "Float", str: "String", list: "List", tuple: "Tuple",
    dict: "Dictionary", type(None): "None",
}  # fmt: skip
TYPES = {**KINDS, int: "Int64", float: "Float32"}


def kind_of(value):
    """What a value is, in a word; an object by its class."""
    if isinstance(value, Tensor | Node):
        number = getattr(getattr(value, "abstract", None), "number", None)
        return KINDS[number] if number else "Tensor"
    return KINDS.get(type(value), type(value).__name__)


def typed(value):
    """The type of a value, with those of its items."""
    if isinstance(value, Tensor | Node):
        abstract = getattr(value, "abstract", value)
        if getattr(abstract, "weak", False):
            return TYPES[abstract.number]
        known = isinstance(abstract, AbstractTensor | Tensor)
        return f"Tensor[{abstract.dtype}]" if known else str(abstract)
    word = TYPES.get(type(value), type(value).__name__)
    return f"{word}[{_items(value)}]" if type(value) in (list, tuple) else word


def _items(values):
    words = list(map(typed, values))
    same = len(words) > 1 and len(set(words)) == 1
    return f"{words[0]}*{len(words)}" if same else ",".join(words)


def shown(values):
    """A dict as text, nodes by their types.

    >>> shown({"a": 1})
    "{'a': 1}"
    """
    words = (f"{k!r}: {typed(v) if isinstance(v, Node) else repr(v)}" for k, v in values.items())
    return f"{{{', '.join(words)}}}"


def no_attribute(frame, owner, name, hint=None):
    """The error for an attribute that graph mode does not find, or that fullgraph refuses."""
    if not frame.reader.strict:
        message = f"'{kind_of(owner)}' object has no attribute '{name}'"
        return errors.UnknownAttribute(message, hint=hint)
    return errors.UnknownAttribute(
        f"In JIT strict mode, cannot get attributes {name} or the {typed(owner)} object has no "
        f"attribute: '{name}'.",
        hint=hint or "Leave fullgraph=True away, or use ops and Tensor methods.",
    )


def not_constant(text, name, hint="Leave fullgraph=True away, or use ops and Tensor methods."):
    """The error for what only Python can say, of a value that is known when the graph runs."""
    return errors.InvalidValue(
        f"When handling script '{text} in graph mode', the inputs should be constant, but found "
        f"variable '{name}' to be nonconstant. Try to set jit_syntax_level to LAX.",
        hint=hint,
    )
