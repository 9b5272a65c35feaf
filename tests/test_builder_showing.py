"""What is seen while a build takes long: a line on a terminal, a display, or nothing."""

import io
import sys
import types

import pytest

from ms_ext.engine.custom.builder import showing


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self):
        return True


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(showing, "PATIENCE", 0)
    monkeypatch.setattr(showing, "EVERY", 0)


def test_a_terminal_shows_a_line_that_goes(monkeypatch, at_once):
    monkeypatch.setattr(sys, "stderr", Terminal())
    progress = showing.Progress("add3 is compiled")
    progress.tick()
    progress.say("add3 is linked")
    progress.tick()
    progress.done()
    first, second, last = sys.stderr.getvalue().split("\r\033[K")[1:]
    assert first.startswith("add3 is compiled ... ") and second.startswith("add3 is linked ... ")
    assert last == ""


def test_what_is_quick_shows_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    progress = showing.Progress("add3 is compiled")
    progress.tick()
    progress.done()
    assert sys.stderr.getvalue() == ""


def test_where_nobody_looks_nothing_is_shown(monkeypatch, at_once):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    progress = showing.Progress("add3 is compiled")
    progress.tick()
    progress.done()
    assert sys.stderr.getvalue() == ""


def test_a_notebook_has_one_display_that_changes(monkeypatch, at_once):
    display = pytest.importorskip("IPython.display")
    shown = []

    class Handle:
        def update(self, data, raw):
            shown.append(data["text/html"])

    def show(data, raw, display_id):
        shown.append(data["text/html"])
        return Handle()

    monkeypatch.setattr(display, "display", show)
    shell = types.SimpleNamespace(kernel=object(), compile=None)
    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", lambda: shell)
    progress = showing.Progress("<add3>")
    progress.tick()
    progress.tick()
    progress.done()
    assert len(shown) == 3 and shown[0].startswith("<span>&lt;add3&gt; ... ")
    assert shown[-1] == "<span></span>"
