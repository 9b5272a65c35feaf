"""Memory as a kernel sees it, but watched: numbers, pointers, and what must not be touched."""

import struct
from dataclasses import dataclass

#: The words of C -> what is meant; None: the word adds nothing.
KINDS = {
    "void": "void", "bool": "bool", "char": "int8", "short": "int16", "int": "int32",
    "long": "int64", "float": "float32", "double": "float64", "size_t": "uint64",
    "ssize_t": "int64", "ptrdiff_t": "int64", "auto": "auto",
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip
_SAME = {"uint64": "int64", "uint32": "int32", "uint16": "int16", "uint8": "int8", "bool": "int8"}
WORD = 1 << 64


class Fault(Exception):
    """The kernel did what would end the process, spoil memory or give no answer."""

    def __init__(self, code, words, line=0):
        super().__init__(words)
        self.code, self.words, self.line = code, words, line


class Unsigned(int):
    """A number that never falls below zero: 0 - 1 is the largest there is."""


@dataclass(eq=False)
class Memory:
    """A piece of memory: ``data`` has None where nobody has written yet."""

    name: str
    kind: str  # "float32", "pointer", ...
    data: list
    writable: bool = True

    def start(self, kind, depth=1):
        """A pointer to its first element, of type ``kind *``."""
        return Pointer(self, 0, kind, depth)


@dataclass(frozen=True)
class Pointer:
    """``kind *`` (``kind **`` for depth 2) to an element of a memory; to none: NULL."""

    memory: Memory | None
    at: int
    kind: str
    depth: int = 1

    def cast(self, kind, depth):
        """The same place as another type."""
        return Pointer(self.memory, self.at, kind, depth)

    def moved(self, by):
        """So many elements further."""
        return Pointer(self.memory, self.at + int(by), self.kind, self.depth)

    def load(self):
        """What stands there."""
        self._check("reads")
        value = self.memory.data[self.at]
        if value is None:
            words = f"element {self.at} of {self.memory.name} is read before anything is in it"
            raise Fault("unwritten", words)
        if self.depth > 1:
            return value.cast(self.kind, self.depth - 1)
        return Unsigned(value) if self.kind.startswith("uint") else value

    def store(self, value):
        """Write there."""
        self._check("writes")
        if not self.memory.writable:
            raise Fault("input-written", f"it writes into {self.memory.name}")
        self.memory.data[self.at] = as_kind(self.kind, self.depth - 1, value)

    def _check(self, does):
        if self.memory is None:
            raise Fault("null", f"it {does} through a pointer to nothing")
        mine, its = _SAME.get(self.kind, self.kind), _SAME.get(self.memory.kind, self.memory.kind)
        if self.depth > 1:
            mine = "pointer"
        if mine != its:
            words = f"it {does} {self.memory.name}, which holds {its}, as {mine}"
            raise Fault("other-type", words)
        count = len(self.memory.data)
        if not 0 <= self.at < count:
            has = f"which has {count} element{'s' * (count != 1)}"
            raise Fault("outside", f"it {does} element {self.at} of {self.memory.name}, {has}")


NULL = Pointer(None, 0, "void")


def pointers(name, each, writable=False):
    """A ``T **``: memory that holds these pointers."""
    memory = Memory(name, "pointer", list(each), writable)
    return Pointer(memory, 0, each[0].kind if each else "void", 2)


def word(text):
    """A text of C: letters and a zero."""
    return Memory(repr(text), "int8", [*map(ord, text), 0], writable=False).start("int8")


def as_kind(kind, depth, value, cast=False):
    """A value as C keeps it in a variable of this type; an address of another type needs a cast."""
    if kind == "auto":
        return value
    if depth:
        if isinstance(value, Pointer):
            if not cast and value.memory and (kind, depth) not in (_type(value), ("void", 1)):
                words = f"a {value.kind} {'*' * value.depth} is used as a {kind} {'*' * depth}"
                raise Fault("no-cast", words)
            return value.cast(kind, depth)
        if value == 0:
            return NULL.cast(kind, depth)
        raise Fault("no-pointer", "a number is used as an address")
    if isinstance(value, Pointer):
        if kind == "bool":
            return int(value.memory is not None)
        raise Fault("no-pointer", f"an address is used as a {kind}")
    if kind == "float32":
        return _single(value)
    if kind == "float64":
        return float(value)
    if kind == "bool":
        return int(value != 0)
    return _whole(kind, value)


def _type(pointer):
    return pointer.kind, pointer.depth


def _single(value):
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _whole(kind, value):
    if value != value or value in (float("inf"), float("-inf")):
        raise Fault("no-number", f"{value} is made a whole number")
    bits = int(kind.removeprefix("u").removeprefix("int"))
    value = int(value) % (1 << bits)
    if kind.startswith("u"):
        return Unsigned(value) if bits == 64 else value
    return value - (1 << bits) if value >> (bits - 1) else value
