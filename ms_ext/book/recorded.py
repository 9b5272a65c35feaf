"""What did real MindSpore answer to the same lines? Recorded once, compared in every run.

The cells tagged ``portable`` are the program; its dictionary ``values`` is what is kept, in
book/NN_topic/mindspore.json, with MindSpore's version and a digest of the program. A program that
has changed since makes the record stale: ``./lab record-mindspore PYTHON`` makes it anew.
"""

import hashlib
import html
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from ms_ext.engine import errors

from . import source

KEPT, SHOWN = 4, 3
_ENDING = """
import json
import mindspore
from ms_ext_recorded import summary

found = {name: summary(value.asnumpy()) for name, value in values.items()}
print("RECORDED" + json.dumps({"version": mindspore.__version__, "values": found}))
"""


def program(chapter):
    """The portable cells of a chapter as one program for real MindSpore."""
    cells = [source.reference(cell.text) for cell in chapter.cells if "portable" in cell.tags]
    text = "\n\n".join(cells)
    return text.replace("import ms_ext as ms", "import mindspore as ms").replace(
        "from ms_ext ", "from mindspore "
    )


def digest(chapter):
    """A short name for what ``program`` says.

    >>> len(digest(source.read("tour")))
    16
    """
    return hashlib.sha256(program(chapter).encode()).hexdigest()[:16]


def why_stale(chapter):
    """Why the record of a chapter is not of the program it has now, or ""."""
    path = source.BOOK / chapter.name / "mindspore.json"
    if not path.is_file():
        return "there is no mindspore.json"
    if json.loads(path.read_text(encoding="utf-8")).get("program") != digest(chapter):
        return "the portable cells have changed since MindSpore's answers were recorded"
    return ""


def python_with_mindspore(given=None):
    """A Python that has MindSpore: the given one, or this one; an error says how to get one."""
    python = sys.executable if given is None else str(given)
    code = "import importlib.util as u; print(bool(u.find_spec('mindspore')))"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True)
    except OSError:
        raise errors.InvalidValue(
            f"There is no program {python!r}." if python else "--python needs a Python.",
            hint="Name a Python that has MindSpore: --python ../mindspore/bin/python",
        ) from None
    if done.stdout.strip() != "True":
        raise errors.NotRunnable(
            "There is no MindSpore to ask.",
            given=python,
            hint="python3 -m venv ../mindspore && ../mindspore/bin/pip install mindspore, then "
            "./lab record-mindspore ../mindspore/bin/python",
        )
    return python


def record(name, python):
    """Run a chapter's portable cells with another Python, where MindSpore is; the file written."""
    chapter = source.read(name)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "ms_ext_recorded.py").write_text(_summary_source())
        (Path(folder) / "lines.py").write_text(program(chapter) + _ENDING)
        done = subprocess.run([python, "lines.py"], cwd=folder, capture_output=True, text=True)
    line = next((x for x in done.stdout.splitlines() if x.startswith("RECORDED")), None)
    if line is None:
        raise errors.NotRunnable(
            f"The portable lines of {chapter.name} do not run there.",
            given=done.stderr.strip()[-1500:],
        )
    found = json.loads(line[len("RECORDED") :])
    kept = {"version": found["version"], "program": digest(chapter), "values": found["values"]}
    path = source.BOOK / chapter.name / "mindspore.json"
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return path


def _summary_source():
    import inspect

    return f"import numpy as np\nKEPT = {KEPT}\n\n{inspect.getsource(summary)}"


def summary(array):
    """An array in short: type, shape, a few elements, and the sum of absolute values.

    >>> summary(np.float32([1, -2]))["size"]
    3.0
    """
    flat = np.asarray(array, np.float64).ravel()
    return {
        "dtype": str(array.dtype),
        "shape": list(array.shape),
        "first": [float(v) for v in flat[:KEPT]],
        "size": float(np.abs(flat).sum()),
    }


def compare(name, values):
    """The table: our values now, MindSpore's as recorded."""
    chapter = source.find(name)
    path = source.BOOK / chapter / "mindspore.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    rows = [
        _Row(label, summary(np.asarray(value.asnumpy())), known["values"].get(label))
        for label, value in values.items()
    ]
    return Comparison(known["version"], rows)


class _Row:
    """One value on both sides."""

    def __init__(self, label, ours, theirs):
        self.label, self.ours, self.theirs = label, ours, theirs

    @property
    def agrees(self):
        """Same type and shape, and equal up to the rounding of the type."""
        if self.theirs is None:
            return False
        if any(self.ours[key] != self.theirs[key] for key in ("dtype", "shape")):
            return False
        near = 1e-5 if self.ours["dtype"] != "float16" else 1e-2
        pairs = [
            (self.ours["size"], self.theirs["size"]),
            *zip(self.ours["first"], self.theirs["first"], strict=True),
        ]
        return all(abs(a - b) <= near * max(1, abs(b)) for a, b in pairs)

    def cells(self):
        """What the table shows."""
        return (
            self.label,
            _short(self.ours),
            _short(self.theirs),
            "same" if self.agrees else "differs",
        )


def _short(kept):
    if kept is None:
        return "not recorded"
    first = ", ".join(f"{value:.4f}" for value in kept["first"][:SHOWN])
    more = ", ..." if np.prod(kept["shape"]) > SHOWN else ""
    return f"{kept['dtype']}{kept['shape']}  {first}{more}"


class Comparison:
    """Our answers beside MindSpore's; True if all agree."""

    def __init__(self, version, rows):
        self.version, self.rows = version, rows

    def __bool__(self):
        return all(row.agrees for row in self.rows)

    @property
    def head(self):
        """The titles of the columns."""
        return "value", "ms_ext, now", f"MindSpore {self.version}, recorded", ""

    def __repr__(self):
        lines = [self.head, *(row.cells() for row in self.rows)]
        widths = [max(len(line[at]) for line in lines) for at in range(4)]
        return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)

    def _repr_html_(self):
        def row(cells, tag):
            return "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)

        body = "".join(f"<tr>{row(each.cells(), 'td')}</tr>" for each in self.rows)
        return f"<table><thead><tr>{row(self.head, 'th')}</tr></thead><tbody>{body}</tbody></table>"
