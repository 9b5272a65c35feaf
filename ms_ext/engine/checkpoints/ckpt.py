"""MindSpore's checkpoint format: a protobuf message for each array, or for each slice of one.

| entry | tensor_type | dims | tensor_content |
|---|---|---|---|
| array | its dtype: ``Float32`` | its shape | its bytes |
| text | ``str`` | 0 | UTF-32, little-endian |

Values of the same tag, one behind the other, are slices of one array; each has the dims of all of
it. With a crc the file ends in ``crc_num`` and ten bytes, the CRC-32 of all before it.

MindSpore writes no value for an array without elements, so that it is missing when it is loaded;
here it is written, with no content. MindSpore takes content that does not fit the dims and reads
beyond it; here such a file is refused.
"""

import itertools
import os
import zlib

from ... import dtype
from .. import errors
from . import contents, message

#: The most bytes in one value.
SLICE = 512 * 1024 * 1024
_CRC_MARK, _CRC_DIGITS = b"crc_num", 10
_TEXT = "str"
_KINDS = {str(kind): kind for kind in dtype.DTYPES}


# writing ------------------------------------------------------------------------------------------


def write(file, entries, crc_check=False, remove_redundancy=None):
    """Write entries to an open file."""
    crc = 0
    for name, value in entries.items():
        for part in _messages(name, value):
            crc = zlib.crc32(part, crc) if crc_check else 0
            file.write(part)
    if crc_check:
        file.write(_CRC_MARK + crc.to_bytes(_CRC_DIGITS, "big"))


def _messages(name, value):
    """The messages of one entry, each as bytes."""
    Checkpoint, _ = message.classes()
    if isinstance(value, str):
        kind, dims, whole = _TEXT, (0,), (value or "\0").encode("utf-32-le", "surrogatepass")
    else:
        kind, dims, whole = dtype.from_numpy(value.dtype), value.shape, contents.with_bytes(value)
    for start in range(0, len(whole) or 1, SLICE):
        part = Checkpoint()
        one = part.value.add()
        _name(one, name)
        one.tensor.dims.extend(dims)
        one.tensor.tensor_type = str(kind)
        one.tensor.tensor_content = bytes(whole[start : start + SLICE])
        yield part.SerializeToString()


def _name(value, name):
    try:
        value.tag = name
    except (UnicodeError, ValueError):  # half of a surrogate pair
        raise errors.InvalidValue(
            "The name of a parameter is no text that a file can hold.", given=repr(name)
        ) from None


# reading ------------------------------------------------------------------------------------------


def read(path, wanted=None, crc_check=False):
    """The entries of a file, those that are wanted."""
    with contents.open_file(path) as file:
        end = _end(file, path, crc_check)
        return dict(_entries(path, _values(file, end, path), wanted))


def _end(file, path, crc_check):
    """Where the values end: before the crc, if there is one."""
    size, length = os.fstat(file.fileno()).st_size, len(_CRC_MARK) + _CRC_DIGITS
    file.seek(max(size - length, 0))
    last = file.read()
    file.seek(0)
    if len(last) < length or not last.startswith(_CRC_MARK):
        return size
    if crc_check and _crc(file, size - length) != int.from_bytes(last[len(_CRC_MARK) :], "big"):
        raise contents.damaged(path, "The crc check failed.")
    file.seek(0)
    return size - length


def _crc(file, count):
    crc = 0
    while count and (part := file.read(min(count, 1 << 20))):
        crc, count = zlib.crc32(part, crc), count - len(part)
    return crc


def _values(file, end, path):
    """The values of the file, one by one; none is read before its length is known to be there."""
    _, Value = message.classes()
    while file.tell() < end:
        if file.read(1)[0] != message.VALUE_TAG:
            raise contents.damaged(path, "It holds no checkpoint of MindSpore.")
        length = _length(file, end)
        if length is None or length > end - file.tell():
            raise contents.damaged(path, "It is shorter than it says.")
        if length > message.LARGEST:
            raise contents.damaged(path, f"It claims {length} bytes for one value.")
        yield _parsed(path, file, length, Value)


def _length(file, end):
    """A number as protobuf writes it, seven bits in a byte; None if it does not end."""
    number = 0
    for shift in range(0, 64, 7):
        byte = file.read(1) if file.tell() < end else b""
        if not byte:
            return None
        number |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return number
    return None


def _parsed(path, file, length, Value):
    """The tag and the tensor of the value that comes next."""
    try:
        value = Value.FromString(file.read(length))
        if not value.HasField("tensor"):
            raise contents.damaged(path, f"{value.tag!r} is no tensor.")
        return value.tag, value.tensor, value.tensor.tensor_type
    except (message.broken(), UnicodeError):
        raise contents.damaged(path, "It holds no checkpoint of MindSpore.") from None
    except MemoryError:
        raise contents.damaged(path, "There is not enough memory for it.") from None


def _entries(path, values, wanted):
    """(name, array or text); values of one tag belong together."""
    seen = set()
    for name, slices in itertools.groupby(values, key=lambda value: value[0]):
        if name in seen:
            raise contents.damaged(path, f"{name!r} is in it twice.")
        seen.add(name)
        if wanted is None or wanted(name):
            yield name, _entry(path, name, list(slices))
        else:
            for _ in slices:
                pass


def _entry(path, name, slices):
    _, first, kind = slices[0]
    if any((list(t.dims), k) != (list(first.dims), kind) for _, t, k in slices[1:]):
        raise contents.damaged(path, f"The slices of {name!r} do not fit together.")
    parts = [tensor.tensor_content for _, tensor, _ in slices]
    if kind == _TEXT:
        return _text(path, name, b"".join(parts))
    return _array(path, name, first.dims, contents.kind_named(path, name, kind, _KINDS), parts)


def _text(path, name, content):
    try:
        return content.decode("utf-32-le", "surrogatepass").rstrip("\0")
    except UnicodeError:
        raise contents.damaged(path, f"The text of {name!r} is none.") from None


def _array(path, name, dims, kind, parts):
    shape, count = contents.checked_shape(path, name, dims), sum(map(len, parts))
    if shape == (0,) and count == kind.size:  # MindSpore reads a number so
        shape = ()
    contents.checked_size(path, name, shape, kind, count)
    array, room = contents.empty(path, name, shape, kind)
    start = 0
    for part in parts:
        room[start : start + len(part)] = part
        start += len(part)
    return contents.finished(array, kind)
