"""What is left of a function of the DSL: typed expressions, statements, tensors. Data only."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Constant:
    """A number that is known."""

    value: object
    kind: object


@dataclass(frozen=True)
class Variable:
    """A local number, or a loop's counter."""

    name: str
    kind: object


@dataclass(frozen=True)
class Size:
    """How long a tensor is along an axis: ``a.shape[1]``."""

    tensor: str
    axis: int
    kind: type = int


@dataclass(frozen=True)
class Element:
    """One element of a tensor. ``checked``: for each index, whether it could be wrong."""

    tensor: str
    indices: tuple
    checked: tuple
    kind: object
    where: object = field(compare=False)


@dataclass(frozen=True)
class Operation:
    """An operator or a word of the DSL on operands: ``name`` is "+", "u-", "sqrt", "cast" ..."""

    name: str
    operands: tuple
    kind: object
    where: object = field(compare=False)


@dataclass(frozen=True)
class Assign:
    """A local variable gets a number."""

    name: str
    value: object
    where: object = field(compare=False)


@dataclass(frozen=True)
class Store:
    """An element gets a number."""

    target: Element
    value: object


@dataclass(frozen=True)
class Allocate:
    """A tensor of zeros is there from now on."""

    tensor: str
    sizes: tuple
    where: object = field(compare=False)


@dataclass(frozen=True)
class For:
    """A loop over whole numbers; ``word``: as which of the DSL's loops it was written."""

    variable: str
    first: object
    stop: object
    step: object
    word: str
    body: tuple
    where: object = field(compare=False)


@dataclass(frozen=True)
class If:
    """A choice."""

    test: object
    body: tuple
    orelse: tuple


@dataclass(frozen=True)
class Tensor:
    """A tensor of the function: ``source`` is "input", "output" or "buffer"."""

    name: str
    kind: object
    rank: int
    source: str


@dataclass(frozen=True)
class Tree:
    """A whole function, for inputs of these kinds and ranks.

    ``inputs``: Tensor or Variable, in order; ``results``: names of tensors; ``several``: whether a
    tuple is returned; ``variables``: all local numbers, name -> kind; ``tensors``: name -> Tensor.
    """

    name: str
    inputs: tuple
    body: tuple
    results: tuple
    several: bool
    variables: dict
    tensors: dict


class NotCompiled(Exception):
    """A function that only Python can run. ``reason`` says why, ``where`` at which line."""

    def __init__(self, reason, where=None):
        super().__init__(reason)
        self.reason, self.where = reason, where
