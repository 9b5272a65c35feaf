"""Run a program in every way it can be run, and make a failing one smaller."""

import linecache
import re
import sys
import types

import numpy as np

import ms_ext as ms

BACKENDS = ("reference", "cython")
#: A float may differ by rounding: fused kernels have their own exp and tanh. By bytes: rtol, atol.
CLOSE = {4: (2e-5, 1e-5), 8: (1e-11, 1e-12)}


def compiled_text(text, name, framework=ms):
    """The function a text defines; its source can be read, as graph mode must."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    module = types.ModuleType(f"program_for_{framework.__name__}")
    vars(module).update(ms=framework, ops=framework.ops)
    sys.modules[module.__name__] = module  # MindSpore looks names up there
    exec(compile(text, name, "exec"), vars(module))
    return module.program


def answer(function, values, tensor=ms.Tensor):
    """What a program gives, as arrays; an error by its built-in class."""
    made = [tensor(v) if isinstance(v, np.ndarray | np.generic) else v for v in values]
    try:
        return [*leaves(function(*made))]
    except Exception as error:
        return next(k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins"), error


def leaves(result):
    """The arrays in a result, in order."""
    if isinstance(result, tuple | list):
        for item in result:
            yield from leaves(item)
    else:
        array = np.asarray(result.asnumpy() if hasattr(result, "asnumpy") else result)
        if array.dtype == object:
            raise TypeError(f"{result!r} is no number")
        yield array


def disagreement(text, values, name):
    """How the ways to run a program differ, in words; None if they agree."""
    function = compiled_text(text, name)
    eager = answer(function, values)
    for backend in BACKENDS:
        found = answer(ms.jit(function, backend=backend), values)
        if told := differs(function, values, eager, found):
            return f"{backend}: {told}"
    return None


def disagreement_with_mindspore(text, values, name):
    """The same between MindSpore and ours, where its two modes agree and neither refuses.

    They do not always: to its graph mode x + 0 is x, so that what writes to the sum writes to x.
    """
    import mindspore

    ours, theirs = compiled_text(text, name), compiled_text(text, name, mindspore)
    eager = answer(ours, values)
    modes = [answer(f, values, mindspore.Tensor) for f in (theirs, mindspore.jit(theirs))]
    if isinstance(modes[1], tuple) or differs(ours, values, *modes):
        return differs(ours, values, eager, modes[0])
    return differs(ours, values, eager, modes[1])


def disagreement_over_sizes(text, calls, name):
    """The same for calls of one compiled function with tensors of several sizes."""
    function = compiled_text(text, name)
    compiled = ms.jit(function, dynamic=1)
    for values in calls:
        if told := differs(function, values, answer(function, values), answer(compiled, values)):
            return f"with {len(values[0])} rows: {told}"
    if compiled.compiled > 2:
        return f"compiled {compiled.compiled} times: {compiled.compilations}"
    return None


def differs(function, values, eager, other):
    """How another answer differs from the eager one, by more than rounding may do; or None."""
    told = difference(eager, other)
    if told is None or isinstance(eager, tuple) or isinstance(other, tuple):
        return told
    return difference(eager, other, rounding(function, values, eager))


def rounding(function, values, eager):
    """How far each result may move, if every input does in its last bit.

    A loop may make much of a rounding, turn by turn: then two right answers differ as much.
    """
    rng, moved = np.random.default_rng(0), [np.zeros(np.shape(e)) for e in eager]
    for _ in range(8):
        near = [_moved(rng, v) for v in values]
        found = answer(function, near)
        if isinstance(found, tuple):
            continue
        for index, (one, other) in enumerate(zip(eager, found, strict=True)):
            if one.dtype.kind == "f":
                with np.errstate(all="ignore"):
                    moved[index] = np.fmax(moved[index], np.abs(one - other))
    return [16 * each for each in moved]


def _moved(rng, value):
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return value
    step = np.finfo(value.dtype).eps * np.fmax(np.abs(value), 1)
    return (value + rng.choice([-1, 1], value.shape) * step).astype(value.dtype)


def difference(one, other, room=None):
    """How two answers differ, None where they do not; ``room``: what is allowed besides."""
    if isinstance(one, tuple) or isinstance(other, tuple):
        both = isinstance(one, tuple) and isinstance(other, tuple)
        return None if both and one[0] == other[0] else f"{one!r:.80} and {other!r:.300}"
    for index, (a, b) in enumerate(zip(one, other, strict=True)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {index} is {a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}"
        exact = a.dtype.kind != "f"
        if not (np.array_equal(a, b) if exact else _close(a, b, room[index] if room else 0)):
            return f"result {index} is {a.tolist()} and {b.tolist()}"
    return None


def _close(a, b, room):
    rtol, atol = CLOSE[a.dtype.itemsize]
    with np.errstate(all="ignore"):
        near = np.abs(a - b) <= atol + rtol * np.abs(b) + room
    return bool(np.all(near | (a == b) | (np.isnan(a) & np.isnan(b))))


#: Without these lines a loop or a recursion would not end.
ENDS = re.compile(r" *((\w+) = \2 \+ 1$|if n <= 0:$)")


def smaller(text, fails):
    """The text without lines that do not matter to the failure, tried one at a time.

    A line goes with the block that it opens, or without it: then the block stands where it stood.
    """
    lines, at = text.splitlines(), 0
    while at < len(lines):
        less = next((less for less in _fewer(lines, at) if fails("\n".join(less) + "\n")), None)
        lines, at = (lines, at + 1) if less is None else (less, at)
    return "\n".join(lines) + "\n"


def _fewer(lines, at):
    if ENDS.match(lines[at]):
        return
    depth = _depth(lines[at])
    end = next((i for i in range(at + 1, len(lines)) if _depth(lines[i]) <= depth), len(lines))
    if lines[at].endswith(":") and depth:
        dedented = [line[4:] for line in lines[at + 1 : end]]
        yield lines[:at] + lines[end:]
        yield lines[:at] + dedented + lines[end:]
    else:
        yield lines[:at] + lines[at + 1 :]


def _depth(line):
    return len(line) - len(line.lstrip())
