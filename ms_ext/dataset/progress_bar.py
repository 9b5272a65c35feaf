"""How far is the loop? A line that grows: in a terminal, in a notebook, and nowhere else.

>>> [x for x in progress([1, 2, 3])]
[1, 2, 3]
"""

import sys
import time
from html import escape

EVERY = 0.1  # seconds between two pictures: drawing must not slow the loop
WIDTH = 24  # characters of a bar in a terminal


def progress(rows, label="", total=None):
    """The same rows, with a bar that shows how far the loop is, how fast, and what you note.

    ``rows`` is a dataset, a range of epochs, or any iterable. Where the output is no terminal and
    no notebook nothing is shown. ``bar.note(loss=...)`` puts a number beside it.

    >>> bar = progress(range(3), "epochs")
    >>> for epoch in bar:
    ...     bar.note(loss=1 / (epoch + 1))
    >>> bar.line()
    'epochs  3/3  100%  loss 0.3333'
    """
    return Bar(rows, label, total)


class Bar:
    """An iterable that draws how far it is."""

    def __init__(self, rows, label="", total=None):
        self.rows, self.label, self.total = rows, label, total
        self.done, self.notes, self.seconds = 0, {}, 0.0
        self._canvas, self._drawn = canvas(), 0.0

    def __iter__(self):
        self.done, begun = 0, time.perf_counter()
        if self.total is None:
            self.total = _length(self.rows)
        self._draw()
        try:
            for row in self.rows:
                yield row
                self.done, self.seconds = self.done + 1, time.perf_counter() - begun
                if self.seconds - self._drawn >= EVERY:
                    self._draw()
        finally:
            self._draw(last=True)

    def __len__(self):
        return _length(self.rows) or 0

    def note(self, **numbers):
        """Numbers to stand beside the bar from now on."""
        self.notes.update(numbers)

    def line(self):
        """What stands beside the bar."""
        parts = [self.label] if self.label else []
        parts.append(f"{self.done}/{self.total}" if self.total else f"{self.done}")
        if self.total:
            parts.append(f"{100 * self.done // self.total}%")
        if self._drawn and self.seconds:
            parts.append(f"{self.seconds:.1f} s, {self.done / self.seconds:.0f}/s")
        parts += [f"{name} {_short(number)}" for name, number in self.notes.items()]
        return "  ".join(parts)

    def _draw(self, last=False):
        if self._canvas is not None:
            self._drawn = self.seconds or self._drawn
            self._canvas(self.done / self.total if self.total else None, self.line(), last)


def _length(rows):
    """How many there will be; a source of rows that cannot tell is not asked to count them."""
    node = getattr(rows, "_node", None) if hasattr(type(rows), "create_tuple_iterator") else None
    if node is not None:
        return node.size()
    return len(rows) if hasattr(rows, "__len__") else None


def _short(number):
    number = number.item() if hasattr(number, "item") else number
    return f"{number:.4g}" if isinstance(number, float) else str(number)


def canvas():
    """Where to draw: a function of (part done, line, whether it is the last); None for nowhere."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    if getattr(shell, "kernel", None) is not None:
        return _Notebook()
    stream = sys.stderr
    return _Terminal(stream) if stream is not None and stream.isatty() else None


class _Terminal:
    """One line of a terminal, written over and over."""

    def __init__(self, stream):
        self.stream, self._length = stream, 0

    def __call__(self, part, line, last):
        full = WIDTH if part is None else round(part * WIDTH)
        bar = "" if part is None else f"[{'#' * full}{'.' * (WIDTH - full)}] "
        text = f"{bar}{line}"
        blanks = " " * max(self._length - len(text), 0)
        self._length = len(text)
        self.stream.write(f"\r{text}{blanks}" + ("\n" if last else ""))
        self.stream.flush()


class _Notebook:
    """One output of a cell, replaced by the next picture; it needs no widgets."""

    def __init__(self):
        self._handle = None

    def __call__(self, part, line, last):
        from IPython.display import display

        value = "" if part is None else f' value="{part:.3f}"'
        page = f'<progress max="1"{value}></progress> <code>{escape(line)}</code>'
        shown = {"text/plain": line, "text/html": page}
        if self._handle is None:
            self._handle = display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)
