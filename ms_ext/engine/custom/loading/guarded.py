"""What if a kernel writes where it must not, crashes, exits or never ends? Then an error says so.

The call happens in a child process (`child`) with each buffer between guard pages (`arena`): the
inputs, the results, the workspaces, and the arrays ``params``, ``ndims`` and ``shapes`` too. Inputs
cannot be written. What is found is an error that names the buffer and the element.
"""

import ctypes
import re
import signal
import sys

import numpy as np

from ... import errors
from . import child, clinic
from .arena import Arena

SECONDS = 10.0
KERNEL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, *[ctypes.c_void_p] * 6)


def run_guarded(
    kernel, inputs, outputs, dtypes, *, workspace=(), extra=None, in_place=(), seconds=SECONDS,
    where=None,
):  # fmt: skip
    """Run a kernel in a child process; ``outputs`` are filled if all went well.

    ``inputs``, ``outputs``: contiguous arrays, bytes for a text; ``dtypes``: the word for the
    dtype of each; ``workspace``: bytes of each; ``extra``: the address handed over as the last
    argument; ``in_place``: numbers of the inputs that the kernel may write. Returns the kernel's
    own return value. RuntimeError, with ``reason``, for everything else.
    """
    if not child.offered():
        raise errors.NotRunnable(
            "Guarded runs need Linux.", given=sys.platform, hint="Use op.guarded(False)."
        )
    inputs = [_as_array(value) for value in inputs]
    arena = Arena(_wanted(inputs, outputs, workspace, dtypes))
    try:
        call = _prepared(arena, kernel, inputs, outputs, dtypes, workspace, extra, in_place)
        outcome = child.survive(call, seconds)
        _show(outcome)
        finding = _verdict(arena, outcome, kernel, seconds)
        if finding is not None:
            raise finding.error(where)
        for buffer, out in zip(arena.buffers[len(inputs) :], outputs, strict=False):
            if outcome.value == 0:
                out[...] = _array(arena, buffer, out)
    finally:
        arena.close()
    return outcome.value


def _wanted(inputs, outputs, workspace, dtypes):
    """What the arena holds: the buffers, then the arrays that describe them."""
    named = [(f"input {i}", a) for i, a in enumerate(inputs)]
    named += [(f"output {i}", a) for i, a in enumerate(outputs)]
    buffers = [
        (name, str(dtype), a.itemsize, a.shape)
        for (name, a), dtype in zip(named, dtypes, strict=True)
    ]
    buffers += [(f"workspace {i}", "bytes", 1, (size,)) for i, size in enumerate(workspace)]
    count = len(named)
    described = [("params", "pointers", 8, (len(buffers),)), ("ndims", "int", 4, (count,))]
    described += [("shapes", "pointers", 8, (count,)), ("dtypes", "pointers", 8, (count,))]
    described += [(f"shapes[{i}]", "int64", 8, (a.ndim,)) for i, (_, a) in enumerate(named)]
    return [*buffers, *described]


def _prepared(arena, kernel, inputs, outputs, dtypes, workspace, extra, in_place):
    """The call, ready to be made, on buffers that are filled."""
    arrays = [*inputs, *outputs]
    total = len(arrays) + len(workspace)
    params, ndims, shapes, names = arena.buffers[total : total + 4]
    sizes = arena.buffers[total + 4 :]
    for buffer, array in zip(arena.buffers[: len(inputs)], inputs, strict=True):
        arena.write(buffer, array.tobytes())
    for buffer in arena.buffers[len(inputs) : total]:
        arena.write(buffer, b"\xcb" * (buffer.end - buffer.begin))
    texts = [ctypes.create_string_buffer(name.encode()) for name in dtypes]
    arena.write(params, np.array([b.begin for b in arena.buffers[:total]], "u8").tobytes())
    arena.write(ndims, np.array([a.ndim for a in arrays], "i4").tobytes())
    arena.write(shapes, np.array([b.begin for b in sizes], "u8").tobytes())
    arena.write(names, np.array([ctypes.addressof(t) for t in texts], "u8").tobytes())
    for buffer, array in zip(sizes, arrays, strict=True):
        arena.write(buffer, np.array(array.shape, "i8").tobytes())
    fixed = [b for i, b in enumerate(arena.buffers[: len(inputs)]) if i not in in_place]
    for buffer in [*fixed, params, ndims, shapes, names, *sizes]:
        arena.read_only(buffer)
    function = KERNEL(kernel.address())
    places = [params.begin, ndims.begin, shapes.begin, names.begin, None, extra]

    def call():
        return function(total, *places)

    call.keeps = texts  # the kernel is handed their addresses
    return call


def _as_array(value):
    """A text with its zero byte as one element; arrays as they are."""
    if isinstance(value, bytes):
        return np.array(value, f"S{len(value) + 1}")
    return np.ascontiguousarray(value).reshape(np.shape(value))


def _array(arena, buffer, like):
    flat = np.frombuffer(bytes(arena.memory(buffer)), like.dtype)
    return flat.reshape(like.shape)


def _show(outcome):
    """Pass on what the kernel printed, to the notebook if there is one."""
    if outcome.printed and outcome.kind == "returned":
        sys.stdout.write(outcome.printed)


# verdicts ----------------------------------------------------------------------------------------


def _verdict(arena, outcome, kernel, seconds):
    """What went wrong, or None."""
    damage = arena.damaged()
    if outcome.kind == "fault" and outcome.value in (signal.SIGSEGV, signal.SIGBUS):
        return _fault(arena, outcome, kernel)
    if damage is not None:
        return _outside(kernel, *damage, wrote=True)
    if outcome.kind == "returned":
        return None
    return _ended(outcome, kernel, seconds)


def _fault(arena, outcome, kernel):
    address, buffer = outcome.address, arena.around(outcome.address)
    if buffer is None:
        null = address < 1 << 16
        return clinic.Finding(
            "null-pointer" if null else "wild-pointer",
            f"The kernel {kernel.symbol} {_did(outcome.wrote)} memory that is nobody's.",
            f"address {address:#x}" + (", next to a null pointer" if null else ""),
            "`stream` is null on the CPU; is there another pointer that was never set?"
            if null
            else "Is an index far outside its buffer, or a pointer used that points nowhere?",
        )
    if buffer.begin <= address < buffer.end:
        return clinic.Finding(
            "wrote-input",
            f"The kernel {kernel.symbol} wrote into {buffer.name}, which is not its to change.",
            f"element {buffer.element(address)} of {_kind(buffer)}",
            "Write into the outputs only: in `params` they follow the inputs.",
        )
    return _outside(kernel, buffer, buffer.element(address), outcome.wrote)


def _outside(kernel, buffer, element, wrote):
    """The verdict on a step over an end."""
    which = "behind the end" if element >= buffer.count else "before the beginning"
    of_data = buffer.name.startswith(("input", "output", "workspace"))
    hint = (
        "Run the loop to the number of elements of this buffer: multiply its own `shapes[i]`."
        if of_data
        else "`nparam` counts inputs, outputs and workspaces; `ndims`, `shapes` and `dtypes` have "
        "an entry for each input and output."
    )
    return clinic.Finding(
        "out-of-bounds",
        f"The kernel {kernel.symbol} {_did(wrote)} {which} of {buffer.name}: "
        f"element {element} of {buffer.count}.",
        f"{buffer.name}: {_kind(buffer)}",
        hint,
    )


def _ended(outcome, kernel, seconds):
    """The verdict on a call that did not come back."""
    printed = outcome.printed.strip()[-2000:] or None
    if thrown := re.search(r"what\(\):\s*(.*)", outcome.printed):
        return clinic.Finding(
            "threw",
            "For 'Custom' on CPU, operator failed when executing user defined file "
            f"{kernel.path}! Error message is {thrown[1]}",
            printed,
            "Catch it in the kernel and return a number other than 0.",
        )
    reason, fact, hint = _end_in_words(outcome, seconds)
    return clinic.Finding(reason, f"The kernel {kernel.symbol} {fact}.", printed, hint)


def _end_in_words(outcome, seconds):
    if outcome.kind == "too-long":
        return "too-long", f"was still running after {seconds:g} seconds", "Does a loop never end?"
    if outcome.kind == "exited":
        fact = f"ended the process with exit code {outcome.value} instead of returning"
        return "exited", fact, "`return` a number other than 0 to report an error."
    if outcome.value == signal.SIGFPE:
        return "divided", "divided an integer by zero", "Test the divisor, it may be a size of 0."
    name = signal.Signals(outcome.value).name
    if outcome.value == signal.SIGABRT:
        return "aborted", f"called abort() ({name})", "An assert, or memory that was freed twice?"
    if outcome.value == signal.SIGXFSZ:
        return "printed", "printed more than 16 MiB", "Print a few elements only."
    hint = "Calls without end, or a local array larger than the stack (8 MiB)?"
    return "crashed", f"crashed ({name})", hint


def _did(wrote):
    return {True: "wrote", False: "read", None: "touched"}[wrote]


def _kind(buffer):
    return f"{buffer.kind}{list(buffer.shape)}"
