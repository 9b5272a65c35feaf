"""What does a shared library offer and need? The tables of an ELF file, read without loading it.

Every number in the file is looked at before it is used, so a file that is cut off or was made to
harm is answered with `Malformed`, never with anything else. (Loading such a file would be worse:
the system's loader maps what the file promises, and the process dies where the file has ended.)

::

    file:   [ header | program headers | ... dynamic table: NEEDED, SYMTAB, STRTAB, VERNEED ... ]
    address of a table -> place in the file, by the LOAD segment that holds it
"""

import struct
from dataclasses import dataclass

MOST_BYTES = 1 << 30
MOST_ENTRIES = 1 << 20
MACHINES = {
    2: "sparc", 3: "x86 (32 bit)", 8: "mips", 20: "powerpc", 21: "powerpc64", 22: "s390x",
    40: "arm (32 bit)", 50: "ia64", 62: "x86_64", 183: "aarch64", 224: "amdgpu", 190: "cuda",
    243: "riscv64", 258: "loongarch64", 4134: "ascend",
}  # fmt: skip
KINDS = {1: "an object file (.o)", 2: "a program", 3: "a shared library", 4: "a core dump"}
_FUNCTION = (2, 10)  # STT_FUNC, STT_GNU_IFUNC
_LOCAL, _HIDDEN = 0, (1, 2)


class Malformed(ValueError):
    """A file that is no ELF file, or one whose tables lead nowhere; ``reason`` says which."""

    def __init__(self, message, reason="malformed"):
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class Symbol:
    """A name of the dynamic symbol table."""

    name: str
    is_function: bool
    is_defined: bool
    is_weak: bool


@dataclass(frozen=True)
class Library:
    """What the tables say. ``needs`` maps a library's file name to the versions wanted of it."""

    machine: int
    bits: int
    little: bool
    kind: int
    symbols: tuple = ()
    needed: tuple = ()
    soname: str | None = None
    run_path: str | None = None
    needs: tuple = ()
    offers: tuple = ()

    @property
    def architecture(self):
        """The machine it is made for, in words."""
        return MACHINES.get(self.machine, f"machine {self.machine}")

    @property
    def exported(self):
        """Names of the functions that others may call, sorted."""
        return sorted({s.name for s in self.symbols if s.is_function and s.is_defined})

    @property
    def undefined(self):
        """Names that another library has to offer, sorted."""
        return sorted({s.name for s in self.symbols if not s.is_defined and not s.is_weak})


def read(path):
    """The tables of a file.

    >>> import sys
    >>> try:
    ...     read(__file__)
    ... except Malformed as error:
    ...     error.reason
    'not-elf'
    """
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Malformed("The file is larger than 1 GiB.", "too-large")
    return parse(data)


def machine(path):
    """(machine, bits, little) of a file, by its header alone; None if it is no ELF file."""
    with open(path, "rb") as file:
        head = file.read(64)
    if len(head) < 52 or head[:4] != b"\x7fELF":
        return None
    return int.from_bytes(head[18:20], "little" if head[5] == 1 else "big"), head[4], head[5]


def parse(data):
    """The tables of a file's bytes."""
    if data[:4] != b"\x7fELF":
        raise Malformed(f"It is no ELF file: {_begins(data)}.", "not-elf")
    try:
        return _parse(File(data))
    except (struct.error, IndexError, OverflowError, MemoryError) as why:
        raise Malformed(f"The file ends early or is damaged: {why}.", "truncated") from None


def _begins(data):
    if not data:
        return "it is empty"
    if data.startswith(b"!<arch>"):
        return "it is a static archive (.a)"
    if data.startswith((b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xce\xfa\xed\xfe")):
        return "it is a macOS library (Mach-O)"
    if data.startswith(b"MZ"):
        return "it is a Windows library (PE)"
    return f"it begins with {bytes(data[:16])!r}"


class File:
    """Reads numbers and texts at places of the file, in its word size and byte order."""

    def __init__(self, data):
        self.data = data
        if data[4] not in (1, 2) or data[5] not in (1, 2):
            raise Malformed("Its header names neither a word size nor a byte order.")
        self.wide, self.little = data[4] == 2, data[5] == 1
        self.order = "<" if self.little else ">"
        self.loads = []

    def numbers(self, form, offset):
        """Unpack numbers at a place; a place outside the file raises struct.error."""
        form = self.order + form
        if not 0 <= offset <= len(self.data) - struct.calcsize(form):
            raise struct.error(f"nothing at byte {offset} of {len(self.data)}")
        return struct.unpack_from(form, self.data, offset)

    def text(self, offset, most=4096):
        """The text at a place, up to its zero byte."""
        if not 0 <= offset < len(self.data):
            raise struct.error(f"no text at byte {offset} of {len(self.data)}")
        end = self.data.find(b"\0", offset, offset + most)
        if end < 0:
            raise struct.error(f"a text at byte {offset} has no end")
        return self.data[offset:end].decode("utf-8", "replace")

    def place(self, address):
        """Where in the file an address of the loaded library comes from."""
        for offset, virtual, size in self.loads:
            if virtual <= address < virtual + size:
                return offset + address - virtual
        raise struct.error(f"address {address:#x} is in no segment")


def _parse(file):
    kind, machine, version = file.numbers("HHI", 16)
    del version
    where = file.numbers("QQQ", 24) if file.wide else file.numbers("III", 24)
    at = 54 if file.wide else 42
    size, count = file.numbers("HH", at)
    bits = 64 if file.wide else 32
    dynamic = None
    for number in range(count):
        entry = where[1] + number * size
        segment, offset, virtual, held = _segment(file, entry)
        if segment == 1:  # PT_LOAD
            if offset + held > len(file.data):
                raise struct.error(f"a segment ends at byte {offset + held}")
            file.loads.append((offset, virtual, held))
        elif segment == 2:  # PT_DYNAMIC
            dynamic = (offset, held)
    tables = _dynamic(file, *dynamic) if dynamic else {}
    return Library(machine, bits, file.little, kind, **_tables(file, tables))


def _segment(file, entry):
    """(type, place in the file, address, bytes in the file) of a program header."""
    if file.wide:
        kind, _flags, offset, virtual, _physical, held = file.numbers("IIQQQQ", entry)
    else:
        kind, offset, virtual, _physical, held = file.numbers("IIIII", entry)
    return kind, offset, virtual, held


def _dynamic(file, offset, held):
    """The dynamic table: tag -> its values in order."""
    form, step = ("qQ", 16) if file.wide else ("iI", 8)
    tables = {}
    for place in range(offset, offset + min(held, MOST_ENTRIES * step), step):
        tag, value = file.numbers(form, place)
        if tag == 0:
            break
        tables.setdefault(tag, []).append(value)
    return tables


_NEEDED, _HASH, _STRTAB, _SYMTAB, _SONAME, _RPATH, _RUNPATH = 1, 4, 5, 6, 14, 15, 29
_GNU_HASH, _VERDEF, _VERDEFNUM = 0x6FFFFEF5, 0x6FFFFFFC, 0x6FFFFFFD
_VERNEED, _VERNEEDNUM = 0x6FFFFFFE, 0x6FFFFFFF


def _tables(file, tables):
    """The fields of a Library that the dynamic table leads to."""
    if _STRTAB not in tables:
        return {}
    strings = file.place(tables[_STRTAB][0])

    def text(offset):
        return file.text(strings + offset)

    def first(tag):
        return text(tables[tag][0]) if tag in tables else None

    return {
        "symbols": tuple(_symbols(file, tables, text)),
        "needed": tuple(text(value) for value in tables.get(_NEEDED, ())),
        "soname": first(_SONAME),
        "run_path": first(_RUNPATH) or first(_RPATH),
        "needs": tuple(_needs(file, tables, text)),
        "offers": tuple(_offers(file, tables, text)),
    }


def _symbols(file, tables, text):
    if _SYMTAB not in tables:
        return
    begin, step = file.place(tables[_SYMTAB][0]), 24 if file.wide else 16
    for number in range(1, _count(file, tables)):
        place = begin + number * step
        if file.wide:
            name, info, other, section = file.numbers("IBBH", place)
        else:
            name, _value, _size, info, other, section = file.numbers("IIIBBH", place)
        if info >> 4 == _LOCAL or other & 3 in _HIDDEN or not name:
            continue
        yield Symbol(text(name), info & 15 in _FUNCTION, section != 0, info >> 4 == 2)


def _count(file, tables):
    """How many dynamic symbols there are: no table says so but the hash tables."""
    if _HASH in tables:
        return _bounded(file.numbers("II", file.place(tables[_HASH][0]))[1])
    if _GNU_HASH not in tables:
        return 0
    place = file.place(tables[_GNU_HASH][0])
    buckets, offset, words, _shift = file.numbers("IIII", place)
    begin = place + 16 + words * (8 if file.wide else 4)
    last = max(file.numbers(f"{_bounded(buckets)}I", begin), default=0)
    if last < offset:
        return _bounded(offset)
    chain = begin + 4 * buckets
    while not file.numbers("I", chain + 4 * (last - offset))[0] & 1:
        last += 1
    return _bounded(last + 1)


def _bounded(count):
    if count > MOST_ENTRIES:
        raise struct.error(f"a table of {count} entries")
    return count


def _needs(file, tables, text):
    """(library, versions wanted of it) pairs."""
    if _VERNEED not in tables:
        return
    place = file.place(tables[_VERNEED][0])
    for _ in range(_bounded(tables.get(_VERNEEDNUM, [0])[0])):
        _version, count, name, inner, following = file.numbers("HHIII", place)
        inner, versions = place + inner, []
        for _ in range(count):
            _hash, _flags, _other, wanted, onward = file.numbers("IHHII", inner)
            versions.append(text(wanted))
            inner += onward
        yield text(name), tuple(versions)
        if not following:
            return
        place += following


def _offers(file, tables, text):
    """The versions that the library defines: GLIBC_2.36, ..."""
    if _VERDEF not in tables:
        return
    place = file.place(tables[_VERDEF][0])
    for _ in range(_bounded(tables.get(_VERDEFNUM, [0])[0])):
        _version, _flags, _index, _count, _hash, inner, following = file.numbers("HHHHIII", place)
        yield text(file.numbers("I", place + inner)[0])
        if not following:
            return
        place += following
