"""Which names does an object file (.o) define and need? Its sections' table, read by `elf`.

A library is read by its dynamic table, which the linker makes; an object has none yet. What is
`static` is in its table too and is left out: nobody else can use it.

::

    file:   [ header | ... | .strtab | .symtab | ... | section headers: type, place, link to texts ]
"""

import dataclasses
import struct

from . import elf

_SYMTAB, _RELOCATABLE = 2, 1
_OFFSETS = "_GLOBAL_OFFSET_TABLE_"  # the linker makes it itself


def read(path):
    """The tables of a library, or of an object file.

    >>> import sys
    >>> read(sys.executable).kind != 1
    True
    """
    found = elf.read(path)
    if found.kind != _RELOCATABLE:
        return found
    with open(path, "rb") as file:
        data = file.read(elf.MOST_BYTES)
    try:
        symbols = tuple(_symbols(elf.File(data)))
    except (struct.error, IndexError, OverflowError) as why:
        raise elf.Malformed(f"The file ends early or is damaged: {why}.", "truncated") from None
    return dataclasses.replace(found, symbols=symbols)


def _symbols(file):
    sections = list(_sections(file))
    for kind, offset, size, link, step in sections:
        if kind != _SYMTAB or not step:
            continue
        texts = sections[link][1]
        for place in range(offset + step, offset + min(size, elf.MOST_ENTRIES * step), step):
            found = _symbol(file, place, texts)
            if found is not None:
                yield found


def _sections(file):
    """(type, place, bytes, link, bytes of an entry) of each section."""
    where = file.numbers("Q" if file.wide else "I", 40 if file.wide else 32)[0]
    size, count = file.numbers("HH", 58 if file.wide else 46)
    for number in range(count):
        place = where + number * size
        if file.wide:
            _name, kind, _flags, _at, offset, held, link, _info, _align, step = file.numbers(
                "IIQQQQIIQQ", place
            )
        else:
            _name, kind, _flags, _at, offset, held, link, _info, _align, step = file.numbers(
                "10I", place
            )
        yield kind, offset, held, link, step


def _symbol(file, place, texts):
    if file.wide:
        name, info, other, section = file.numbers("IBBH", place)
    else:
        name, _value, _size, info, other, section = file.numbers("IIIBBH", place)
    if info >> 4 == 0 or other & 3 in (1, 2) or not name:  # local, hidden, without a name
        return None
    shown = file.text(texts + name)
    if shown == _OFFSETS:
        return None
    return elf.Symbol(shown, info & 15 in (2, 10), section != 0, info >> 4 == 2)
