"""What is seen while a build takes long? A line that is gone afterwards; in a notebook a display.

A build that ends within a second shows nothing, and where nobody looks (a test, a pipe) nothing is
shown at all.
"""

import sys
import time

PATIENCE = 1.0
EVERY = 0.2


class Progress:
    """What is being done, and for how many seconds."""

    def __init__(self, doing):
        self.doing, self.begin = doing, time.perf_counter()
        self._shown, self._last, self._show = False, 0.0, _shower()

    def say(self, doing):
        """Something else is being done now."""
        self.doing = doing

    def tick(self):
        """To be called often: shows the time, now and then."""
        now = time.perf_counter()
        if self._show is None or now - self.begin < PATIENCE or now - self._last < EVERY:
            return
        self._last, self._shown = now, True
        self._show(f"{self.doing} ... {now - self.begin:.1f} s", False)

    def done(self):
        """It has ended: the line goes."""
        if self._shown:
            self._show("", True)


def notice(text):
    """Say something worth knowing, once it is so."""
    print(text, file=sys.stdout if _shell() else sys.stderr, flush=True)


def _shower():
    if _shell() is not None:
        return _in_notebook()
    return _on_terminal if sys.stderr is not None and sys.stderr.isatty() else None


def _shell():
    """The notebook's shell, if there is one."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return shell if getattr(shell, "kernel", None) is not None else None


def _on_terminal(text, last):
    sys.stderr.write(f"\r\033[K{text}")
    sys.stderr.flush()


def _in_notebook():
    from IPython.display import display  # there is a shell, so it is there

    handle = []

    def show(text, last):
        data = {"text/plain": text, "text/html": f"<span>{_escaped(text)}</span>"}
        if handle:
            handle[0].update(data, raw=True)
        else:
            handle.append(display(data, raw=True, display_id=True))

    return show


def _escaped(text):
    import html

    return html.escape(text)
