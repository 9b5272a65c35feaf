"""How is a chapter run in a fresh kernel, and which of its lines is to blame if it stops?"""

import os
import re
import time
import warnings
from pathlib import Path
from typing import NamedTuple

from ms_ext.engine import errors

from . import learner, source


class Progress(NamedTuple):
    """Where a run is: code cell ``number`` of ``total`` begins, under this heading."""

    number: int
    total: int
    heading: str

    def __str__(self):
        return f"cell {self.number}/{self.total}  {self.heading}"


def execute(chapter, *, folder, solved=True, on_progress=None, environment=None, limit=60):
    """Run a chapter in ``folder`` with its reference solutions; the notebook with what came out.

    ``limit``: seconds for one cell. ``environment``: variables of the kernel besides our own. The
    notebook's metadata say under "ms_ext" how many seconds it took and the kernel's most megabytes
    (None where the system does not tell).
    """
    import nbformat

    node = nbformat.from_dict(learner.notebook(chapter, solved=solved))
    run = _Run(chapter, on_progress)
    client = _client(node, folder, limit)
    client.on_cell_start = run.starts
    client.on_cell_executed = lambda cell, cell_index, execute_reply: run.measure(client)
    begin = time.perf_counter()
    failure = _why_it_stopped(client, environment)
    if failure:
        raise run.blame(node, failure)
    seconds = round(time.perf_counter() - begin, 1)
    node.metadata["ms_ext"] |= {"seconds": seconds, "megabytes": run.megabytes}
    return node


def _client(node, folder, limit):
    from nbclient import NotebookClient

    return NotebookClient(
        node,
        kernel_name="python3",
        timeout=limit,
        resources={"metadata": {"path": str(folder)}},
        ipython_hist_file=":memory:",
        extra_arguments=["--log-level=ERROR"],
    )


def _why_it_stopped(client, environment):
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pyzmq and tornado speak of the event loop they run in
            client.execute(env=_surroundings(environment or {}))
    except CellExecutionError as error:
        return f"{error.ename}: {error.evalue}"
    except CellTimeoutError:
        return f"no answer within {client.timeout} s"
    except DeadKernelError:
        return "the kernel ended"
    return None


def _surroundings(environment):
    """The kernel's variables: ours, and the checkout it must find ms_ext in."""
    merged = {**os.environ, **environment}
    merged.pop("JPY_SESSION_NAME", None)  # the notebook that asks is not the one that runs
    folders = [merged.get("PYTHONPATH"), str(source.ROOT)]
    return {**merged, "PYTHONPATH": os.pathsep.join(filter(None, folders))}


class _Run:
    """Which cell is running: for the progress display, and for the error if there is one."""

    def __init__(self, chapter, on_progress):
        self.chapter, self.on_progress = chapter, on_progress
        self.code = [at for at, cell in enumerate(chapter.cells) if cell.kind == "code"]
        self.headings = headings(chapter)
        self.at, self.megabytes = 0, None

    def starts(self, cell, cell_index):
        self.at = cell_index
        if cell.cell_type == "code" and self.on_progress:
            self.on_progress(self.where())

    def measure(self, client):
        """Note the most memory that the kernel has held so far, where the system tells it."""
        try:
            told = Path(f"/proc/{client.km.provisioner.pid}/status").read_text(encoding="utf-8")
            self.megabytes = int(re.search(r"VmHWM:\s*(\d+)", told)[1]) / 1024
        except (OSError, AttributeError, TypeError):
            return

    def where(self):
        number = sum(at <= self.at for at in self.code)
        return Progress(number, len(self.code), self.headings[self.at])

    def blame(self, node, failure):
        cell, line = self.chapter.cells[self.at], _line_of_error(node.cells[self.at])
        offset, text = source.reference_lines(cell.text)[line - 1]
        return errors.NotRunnable(
            f"Chapter {self.chapter.name} stops in {self.where()}: {failure}",
            given=f"book/{self.chapter.name}/chapter.md, line {cell.line + offset}: {text.strip()}",
            hint="Run this cell in the notebook to see the whole traceback.",
        )


def _line_of_error(cell):
    """The line of the cell that its traceback names, counted from 1; 1 if it names none."""
    for output in cell.get("outputs", ()):
        if output["output_type"] == "error":
            plain = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(output["traceback"]))
            if found := re.search(r"Cell In\[\d+\], line (\d+)", plain):
                return int(found[1])
    return 1


def headings(chapter):
    """For each cell, the section it stands in, in the words of the chapter's language."""
    found, current = [], chapter.title
    for cell in chapter.cells:
        if cell.kind == "markdown" and cell.language == chapter.language:
            titles = [line.lstrip("# ") for line in cell.text.split("\n") if line.startswith("#")]
            current = titles[-1] if titles else current
        found.append(current)
    return found
