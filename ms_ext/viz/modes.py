"""``viz.modes(f, *args)``: one program in two modes: what became graph, what was baked in, and why.

>>> from ms_ext import Tensor
>>> def scaled(x, by, training):
...     if training:
...         x = x * by
...     return x
>>> print(modes(scaled, Tensor([1.0, 2.0]), 3, True))  # doctest: +ELLIPSIS
scaled in two modes: of 4 lines 1 in the graph, 1 worked out once
<BLANKLINE>
     1  def scaled(x, by, training):    x: f32[2]   an input
                                        by = 3   baked in
                                        training = True   baked in
=    2      if training:                training is True   an argument, decided once
+    3          x = x * by              x = Mul(x, 3)   f32[2]
                                        by = 3   an argument
     4      return x
...
"""

from ..engine import errors, jit
from .card import Card
from .widgets import modes_page, modes_words
from .widgets.modes_lines import Lines
from .widgets.modes_reading import Watch
from .widgets.modes_running import both, uncompiled


class Modes(Card):
    """The lines with what they became: ``blocks``, ``graph``, ``runs`` are its content as data."""

    def __init__(self, name, lines, graph, runs, error=None):
        self.name, self.graph, self.runs, self.error = name, graph, runs, error
        self.blocks, self.causes = lines.blocks(), lines.causes
        self.note = "" if lines.watch.told else modes_words.TRACED
        self.title = modes_words.title(self)

    def text(self):
        """Line after line."""
        return modes_words.page(self)

    def html(self):
        """The lines beside what they became."""
        return modes_page.card(self)


def modes(f, *args):
    """``f`` on ``args``: its lines beside the nodes they became, and what both modes give.

    Beside a line stand the nodes it became; the values Python knew while reading, which are baked
    into the graph, with the reason; and what runs in Python whenever the graph runs. ``f`` is run
    twice in both modes; tensors and Parameters are as before afterwards.
    """
    watch, parsed, error = Watch(), None, None
    try:
        with watch.during():
            parsed = _parsed(f, args)
    except errors.MsExtError as refused:
        error = refused
    graph = parsed.graph if parsed else None
    if watch.outermost is None:
        watch.only_lines(uncompiled(f), told=getattr(f, "capture_mode", "ast") == "ast")
    lines = Lines(watch, graph, error)
    name = getattr(f, "__name__", type(f).__name__)
    return Modes(name, lines, graph, both(f, args, parsed), error)


def _parsed(f, args):
    """What is read of ``f``, or how it is captured else."""
    return f._parse(args, {}) if isinstance(f, jit.JitFunction) else jit.parse(f, args)
