"""A JupyterLab that knows nothing of this user, and its notebooks in a browser."""

import contextlib
import json
import os
import secrets
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from ms_ext.cli import notebook

ROOT = Path(__file__).parents[2]
OVERRIDES = {
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}
RUN = """async () => {
  const widget = window.jupyterapp.shell.currentWidget;
  await widget.context.ready;
  await widget.sessionContext.ready;
  await widget.sessionContext.session.kernel.info;
  await window.jupyterapp.commands.execute('notebook:run-all-cells');
}"""


@contextlib.contextmanager
def running(home):
    """A server of the notebooks in ``home / "work"``: a function from a notebook's name to its
    address."""
    (home / "work").mkdir(exist_ok=True)
    port, token = notebook.free_port(), secrets.token_hex(16)
    place = [f"--ServerApp.port={port}", f"--ServerApp.root_dir={home / 'work'}", "--allow-root"]
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        *notebook.QUIET,
        "--LabApp.expose_app_in_browser=True",
        *place,
    ]
    environment = {**surroundings(home), "JUPYTER_TOKEN": token}
    with (home / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, cwd=home, stdout=log, stderr=log)
    try:
        wait_for(server, port, token, home / "log")
        yield lambda name: f"http://127.0.0.1:{port}/lab/tree/{name}?reset&token={token}"
    finally:
        server.terminate()
        server.wait(20)


def surroundings(home):
    """Variables of a Jupyter that knows nothing of this user."""
    folders = {
        f"JUPYTER_{kind}_DIR": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")
    }
    settings = home / "config" / "labconfig" / "default_setting_overrides.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(OVERRIDES))
    own = {
        "HOME": str(home),
        "IPYTHONDIR": str(home),
        "MPLCONFIGDIR": str(home),
        "MS_EXT_JIT": "fixed",
    }
    return {**os.environ, **folders, **own, "PYTHONPATH": str(ROOT)}


def wait_for(server, port, token, log):
    """Until the server answers, or its log says why not."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(300):
        assert server.poll() is None, log.read_text()[-2000:]
        try:
            opener.open(f"http://127.0.0.1:{port}/api/status?token={token}", timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail(log.read_text()[-2000:])


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
