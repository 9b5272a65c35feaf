"""The safetensors format: the length of a header, the header in JSON, and the bytes of all arrays.

    8 bytes        length of the header, little-endian
    header         {"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, ...}, then spaces
    the bytes      of the arrays, one behind the other without a gap

Arrays come by the alignment of their types, then by name, as the library of that name writes them.
A header is read with care: every offset, shape and type must fit, or the file is refused.
"""

import io
import json
import zlib

from ... import dtype
from .. import errors
from . import contents

#: The library refuses longer ones, too.
LONGEST_HEADER = 100_000_000
_KINDS = {  # in the order in which the library sorts them
    "BOOL": dtype.bool_, "U8": dtype.uint8, "I8": dtype.int8, "I16": dtype.int16,
    "F16": dtype.float16, "BF16": dtype.bfloat16, "I32": dtype.int32, "F32": dtype.float32,
    "F64": dtype.float64, "I64": dtype.int64,
}  # fmt: skip
_CODES = {kind: code for code, kind in _KINDS.items()}
_RANK = {code: number for number, code in enumerate(_KINDS)}
_ABOUT, _PARTS = "__metadata__", {"dtype", "shape", "data_offsets"}


# writing ------------------------------------------------------------------------------------------


def write(file, entries, crc_check=False, remove_redundancy=None):
    """Write entries to an open file."""
    kinds = {name: _kind(name, value) for name, value in entries.items()}
    order = sorted(entries, key=lambda name: (-_RANK[kinds[name]], name))
    about = {"format": "ms"} if entries else {}
    if crc_check and entries:
        about = {"crc_num": str(_crc(entries)), **about}
    if remove_redundancy is not None and entries:
        about["remove_redundancy"] = str(remove_redundancy)
    header = _header(entries, kinds, order, about)
    file.write(len(header).to_bytes(8, "little") + header)
    for name in order:
        file.write(contents.with_bytes(entries[name]))


def _kind(name, value):
    if isinstance(value, str):
        raise errors.InvalidValue(
            f"The safetensors format holds no text, but {name!r} is one.",
            hint='Leave it out, or use format="ckpt".',
        )
    return _CODES[dtype.from_numpy(value.dtype)]


def _header(entries, kinds, order, about):
    described, start = {_ABOUT: about} if about else {}, 0
    for name in order:
        end = start + entries[name].nbytes
        described[name] = {
            "dtype": kinds[name],
            "shape": list(entries[name].shape),
            "data_offsets": [start, end],
        }
        start = end
    try:
        text = json.dumps(described, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeError:
        raise errors.InvalidValue("The name of a parameter is no text.") from None
    return text + b" " * (-len(text) % 8)


def _crc(entries):
    crc = 0
    for name in sorted(entries):
        crc = zlib.crc32(_counted(entries[name]), zlib.crc32(name.encode(), crc))
    return crc


def _counted(array):
    """What the crc counts: the bytes, but n zeros for a whole number n that is no array.

    That is what ``bytes(array)`` makes of one in MindSpore, whose files are to be checked, too.
    """
    if array.ndim == 0 and array.dtype.kind in "iu" and 0 <= array <= 1 << 20:
        return bytes(int(array))
    return contents.with_bytes(array)


# reading ------------------------------------------------------------------------------------------


def read(source, wanted=None, crc_check=False):
    """The entries of a file, or of what an ``io.BytesIO`` holds, by name; those that are wanted."""
    if isinstance(source, io.BytesIO):
        return _read(source, "in memory", wanted, crc_check)
    with contents.open_file(source) as file:
        return _read(file, source, wanted, crc_check)


def _read(file, path, wanted, crc_check):
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    described, start = _described(file, path, size)
    about = described.pop(_ABOUT, {})
    places = _places(path, described, size - start)
    entries = {
        name: _array(file, path, start, name, places[name])
        for name in sorted(places)
        if wanted is None or wanted(name) or crc_check
    }
    if crc_check and isinstance(about, dict) and "crc_num" in about:
        if str(_crc(entries)) != about["crc_num"]:
            raise contents.damaged(path, "The crc check failed.")
    return {name: entries[name] for name in entries if wanted is None or wanted(name)}


def _described(file, path, size):
    """The header as a dict, and where it ends."""
    first = file.read(8)
    length = int.from_bytes(first, "little")
    if len(first) < 8 or length > min(size - 8, LONGEST_HEADER):
        raise contents.damaged(path, "It has no header of the safetensors format.")
    try:
        header = json.loads(file.read(length), object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError):  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        header = None
    if not isinstance(header, dict):
        raise contents.damaged(path, "Its header cannot be read.")
    return header, 8 + length


def _without_repeats(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name comes twice")
    return found


def _places(path, described, count):
    """Kind, shape, start and end of every array; together they fill all ``count`` bytes."""
    places = {name: _place(path, name, given) for name, given in described.items()}
    end = 0
    for name, (kind, shape, start, stop) in sorted(places.items(), key=lambda item: item[1][2:]):
        if start != end or stop < start:
            raise contents.damaged(path, f"{name!r} begins or ends where it cannot.")
        contents.checked_size(path, name, shape, kind, stop - start)
        end = stop
    if end != count:
        raise contents.damaged(path, f"Its header tells of {end} bytes, but there are {count}.")
    return places


def _place(path, name, given):
    if not isinstance(given, dict) or not given.keys() >= _PARTS:
        raise contents.damaged(path, f"Its header does not tell what {name!r} is.")
    shape, offsets = given["shape"], given["data_offsets"]
    if not isinstance(shape, list) or not isinstance(offsets, list) or len(offsets) != 2:
        raise contents.damaged(path, f"Its header does not tell what {name!r} is.")
    if any(type(each) is not int or each < 0 for each in offsets):
        raise contents.damaged(path, f"{name!r} begins or ends where it cannot.")
    code = given["dtype"] if isinstance(given["dtype"], str) else repr(given["dtype"])
    kind = contents.kind_named(path, name, code, _KINDS)
    return kind, contents.checked_shape(path, name, shape), *offsets


def _array(file, path, begin, name, place):
    kind, shape, start, stop = place
    array, room = contents.empty(path, name, shape, kind)
    file.seek(begin + start)
    if file.readinto(room) != stop - start:
        raise contents.damaged(path, "It ended while it was read.")
    return contents.finished(array, kind)
