"""Pipelines with workers for the tests, and a look at what they leave behind."""

import contextlib
import gc
import os
import threading
from pathlib import Path

from ms_ext import dataset as ds
from ms_ext.engine.data import settings

KINDS = {"threads": False, "processes": True}


def children():
    """The processes that this one started and that still run."""
    tasks = Path(f"/proc/{os.getpid()}/task")
    found = [c for t in tasks.iterdir() for c in (t / "children").read_text().split()]
    return [int(c) for c in found if _runs(c)]


def _runs(pid):
    try:
        return (
            "dataset" in Path(f"/proc/{pid}/cmdline").read_text()
            or "engine.data" in Path(f"/proc/{pid}/cmdline").read_text()
        )
    except OSError:
        return False


def left():
    """Worker processes, and threads of datasets, that are there now."""
    gc.collect()
    threads = [t for t in threading.enumerate() if t.name.startswith("dataset")]
    return children() + threads


@contextlib.contextmanager
def nothing_left():
    """Behind it the settings are as they were, and no worker is there."""
    before = dict(vars(settings.settings))
    yield
    vars(settings.settings).update(before)
    assert left() == []


def numbers(count=12):
    return ds.NumpySlicesDataset(list(range(count)), ["x"], shuffle=False)


def firsts(data):
    return [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def mapped(function, kind="threads", count=2, data=None, **more):
    data = numbers() if data is None else data
    return data.map(
        function, num_parallel_workers=count, python_multiprocessing=KINDS[kind], **more
    )
