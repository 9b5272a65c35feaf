"""What a case answers: results, errors, what was printed, and what became of the arguments.

    python answers.py mindspore|ms_ext [NAME...]       prints one line of JSON for each case

Tensors are told by dtype, shape and values, everything else by its type and what it holds.
"""

import contextlib
import importlib
import io
import json
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path

HERE = Path(__file__).parent


def described(value):
    """A value as lists and text: [kind, what it holds]."""
    kind = type(value).__name__.removeprefix("_")  # mutable's own types
    if isinstance(value, type):
        return ["type", value.__name__]
    if repr(value).startswith("mindspore."):
        return ["dtype", repr(value)]
    if callable(value):
        return ["callable"]
    if hasattr(value, "asnumpy"):
        kind = "Parameter" if kind == "Parameter" else "Tensor"
        return [kind, str(value.dtype), list(value.shape), numbers(value.asnumpy())]
    if kind in ("ndarray",) or hasattr(value, "item") and hasattr(value, "dtype"):
        return [kind, str(value.dtype), list(value.shape), numbers(value)]
    if isinstance(value, list | tuple):
        return [kind, [described(v) for v in value]]
    if isinstance(value, dict):
        return [kind, [[described(k), described(v)] for k, v in value.items()]]
    if isinstance(value, bool | int | float | str | None):
        return [kind, plain(value)]
    return [kind, without_place(repr(value))]


def numbers(array):
    """An array's values as nested lists; what JSON cannot say, as text."""
    if array.dtype.kind not in "biuf":
        array = array.astype("float32" if array.dtype.itemsize == 2 else str)
    return plain(array.tolist())


def plain(values):
    """Numbers as JSON has them: infinities and NaN as text."""
    return json.loads(json.dumps(values), parse_constant=str)


def without_place(text):
    """A text without addresses of memory, and without the file that MindSpore read."""
    return re.sub(r"0x[0-9a-f]+|(?<=::)\d+(?=>)", "0x", re.sub(r" In file \S+, \d+~\d+", "", text))


def kinds(error):
    """The names of the built-in classes of an error, its own first."""
    return [k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins"]


def first_line(error):
    """What an error says first."""
    return without_place((str(error).strip().splitlines() or [""])[0])


def answers(name, synchronize=lambda: None):
    """What each call of a case gives, prints, and leaves in its arguments."""
    import mindspore as ms
    from cases import CASES

    found = CASES[name]
    try:
        function = found.function if found.eager else ms.jit(found.function, **found.options)
    except Exception as error:  # whatever it is, it is the answer
        return [{"error": [kinds(error), first_line(error)]}]
    return [answer(function, make(), synchronize) for make in found.calls]


def answer(function, args, synchronize):
    """What one call gives."""
    from cases import Named

    *args, named = args if args and isinstance(args[-1], Named) else (*args, {})
    said = {}
    with captured() as printed:
        try:
            said["result"] = described(function(*args, **named))
            synchronize()
        except Exception as error:  # whatever it is, it is the answer
            said.pop("result", None)
            said["error"] = [kinds(error), first_line(error)]
    if text := printed():
        said["printed"] = text
    if args:
        said["arguments"] = [described(a) for a in args]
    return said


@contextlib.contextmanager
def captured():
    """What this process writes to its standard output, C code too."""
    sys.stdout.flush()
    kept, text = os.dup(1), []
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        stream = io.TextIOWrapper(
            os.fdopen(os.dup(file.fileno()), "wb"), write_through=True, encoding="utf-8"
        )
        try:
            with contextlib.redirect_stdout(stream):
                yield lambda: text[0]
        finally:
            stream.close()
            os.dup2(kept, 1)
            os.close(kept)
            file.seek(0)
            text.append(file.read().decode())


def declare():
    """Import the programs: they declare the cases."""
    if str(HERE) not in sys.path:
        sys.path.insert(0, str(HERE))
    for file in sorted(HERE.glob("programs_*.py")):
        importlib.import_module(file.stem)
    return importlib.import_module("cases").CASES


def on_ms_ext():
    """``import mindspore`` is ms_ext from here on; how to wait for what it runs."""
    sys.path.insert(0, str(HERE.parents[1]))
    from ms_ext import resolve

    resolve.here()
    return lambda: None


def on_mindspore():
    """How to wait for what MindSpore runs."""
    import mindspore as ms

    ms.runtime.launch_blocking()
    return ms.runtime.synchronize


def main(engine, names):
    """Print the answers of these cases, or of all, each as soon as it is known."""
    wait = on_ms_ext() if engine == "ms_ext" else on_mindspore()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names or declare():
            declare()
            print(json.dumps([name, answers(name, wait)]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
