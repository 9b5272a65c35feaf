"""The JupyterLab of ``./lab`` for a user whom it does not know, and notebooks in a browser."""

import contextlib
import json
import os
import secrets
from pathlib import Path

import pytest

from ms_ext.cli import notebook

ROOT = Path(__file__).parents[2]
EXPOSED = {"LabApp": {"expose_app_in_browser": True}}  # window.jupyterapp, for the tests
RUN = """async () => {
  const widget = window.jupyterapp.shell.currentWidget;
  await widget.context.ready;
  await widget.sessionContext.ready;
  await widget.sessionContext.session.kernel.info;
  await window.jupyterapp.commands.execute('notebook:run-all-cells');
}"""


@contextlib.contextmanager
def running(home):
    """A server of the notebooks in ``home / "work"``, started as ``./lab`` does it: a function from
    a notebook's name to its address."""
    (home / "work").mkdir(exist_ok=True)
    port, token = notebook.free_port(), secrets.token_hex(16)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in surroundings(home).items():
            patch.setenv(name, value)
        patch.setattr(notebook, "LOG", home / "log")
        server = notebook.start_server(home / "work", port, token)
        try:
            notebook.wait_until_up(server, port, token)
        except SystemExit:
            notebook.stop(server)
            pytest.fail((home / "log").read_text()[-2000:])
    try:
        yield lambda name: f"http://127.0.0.1:{port}/lab/tree/{name}?reset&token={token}"
    finally:
        notebook.stop(server)


def surroundings(home):
    """Variables of a Jupyter that knows nothing of this user."""
    settings = home / "config" / "jupyter_lab_config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(EXPOSED))
    folders = {
        f"JUPYTER_{kind}_DIR": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")
    }
    own = {"HOME": str(home), "IPYTHONDIR": str(home), "MPLCONFIGDIR": str(home)}
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return {**folders, **own, "MS_EXT_JIT": "fixed", "PYTHONPATH": path}


class Watched:
    """A page, with what went wrong on it and what it asked for elsewhere."""

    def __init__(self, page):
        self.page, self.errors, self.outside = page, [], []
        page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._request)

    def _request(self, request):
        if not request.url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")):
            self.outside.append(request.url)


def open_notebook(browser, address):
    """A page that shows a notebook whose kernel is there, and what went wrong on it."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    watched = Watched(context.new_page())
    watched.page.set_default_timeout(120_000)
    watched.page.goto(address)
    ready = "window.jupyterapp?.shell?.currentWidget?.context?.isReady"
    watched.page.wait_for_function(ready)
    return watched
