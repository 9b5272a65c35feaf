"""Small programs over datasets; what MindSpore 2.10 answers to each is in golden/dataset.json.

PYTHONPATH=. python tests/dataset_programs.py    records, with a Python that has MindSpore 2.10
"""

import json
import sys
from pathlib import Path

import numpy as np

RECORDED = Path(__file__).parent / "golden" / "dataset.json"
#: name -> function of the modules ``mindspore`` and ``mindspore.dataset``, and a folder for files.
PROGRAMS = {}


def program(function):
    """A function that gives observations, one after the other."""
    PROGRAMS[function.__name__] = function
    return function


def shown(value):
    """A value as JSON holds it: what kind, which dtype, which numbers."""
    if hasattr(value, "asnumpy"):
        return ["Tensor", *shown(value.asnumpy())[1:]]
    if isinstance(value, np.ndarray):
        return ["array", str(value.dtype), list(value.shape), value.tolist()]
    if isinstance(value, np.generic):
        return ["scalar", str(value.dtype), value.item()]
    if isinstance(value, dict):
        return {str(key): shown(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(shown, value)]
    if isinstance(value, int | float | str | None):
        return value
    return type(value).__name__ if isinstance(value, Exception) else str(value)


def refused(call):
    """Which built-in exception a call ends with."""
    try:
        call()
    except Exception as error:
        kinds = [k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins"]
        return {"refused": kinds[0], "text": str(error)}
    return "not refused"


def answers(name, ms, ds, folder):
    """What one program gives; an error is its last answer."""
    found = []

    def run():
        found.extend(shown(each) for each in PROGRAMS[name](ms, ds, folder))

    end = refused(run)
    return found if end == "not refused" else [*found, end]


def rows(dataset):
    """One pass, as arrays."""
    return [list(row) for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def firsts(dataset):
    """The first column of one pass, as Python values."""
    return [row[0].tolist() for row in rows(dataset)]


def record():
    """Ask MindSpore for all of them."""
    import tempfile

    import mindspore as ms
    import mindspore.dataset as ds

    names = sys.argv[1:] or list(PROGRAMS)
    kept = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            kept[name] = answers(name, ms, ds, Path(folder))
        lines = [f"{json.dumps(n)}: {json.dumps(kept[n])}" for n in PROGRAMS if n in kept]
        RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        print(name, flush=True)


if __name__ == "__main__":
    sys.modules["dataset_programs"] = sys.modules["__main__"]
    import dataset_programs_files  # noqa: F401
    import dataset_programs_pipeline  # noqa: F401
    import dataset_programs_refused  # noqa: F401
    import dataset_programs_sources  # noqa: F401
    import dataset_programs_transforms  # noqa: F401

    record()
