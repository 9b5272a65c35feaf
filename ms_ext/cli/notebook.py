"""Start JupyterLab at one notebook, say where it is and how it stops, and end it cleanly."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import webbrowser
from contextlib import closing
from pathlib import Path

from ms_ext.book import languages, learner, source
from ms_ext.cli.steps import ROOT, last_lines
from ms_ext.engine import toolchain

CONFIGURATION = Path(__file__).parent / "jupyter"
LOG = ROOT / "build" / "logs" / "jupyter.log"
PATIENCE = 90.0

#: No news, no look for updates, no list of extensions: nothing leaves this machine. The folder of
#: extensions is ours: with it, a double click opens a chapter.md as a notebook.
QUIET = (
    "--no-browser",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port_retries=0",
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
    f"--LabApp.extra_labextensions_path={CONFIGURATION / 'labextensions'}",
)


def open_chapter(name="00"):
    """Serve the repository; the learner's copy of a chapter is the page that opens."""
    name, asked = source.find(name), languages.chosen()
    language = languages.best(name)
    if language != asked:
        print(f"  {name} has no text in {asked} yet; it opens in English.", flush=True)
    return open_notebook(f"work/{learner.copy_name(name, language)}")


def open_notebook(notebook: str, folder: Path = ROOT) -> int:
    """Serve `folder` until Ctrl-C or SIGTERM; `notebook` is the page that opens."""
    port, token = free_port(), secrets.token_hex(16)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server = start_server(folder, port, token)
    try:
        wait_until_up(server, port, token)
        announce(f"http://127.0.0.1:{port}/lab/tree/{notebook}?token={token}")
        return server.wait()
    except KeyboardInterrupt:
        print("\nJupyterLab is stopped. What you saved is in work/.", flush=True)
        return 0
    finally:
        stop(server)


def free_port() -> int:
    """A port that nobody uses at this moment."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_server(folder: Path, port: int, token: str) -> subprocess.Popen:
    """JupyterLab as a child in a session of its own: Ctrl-C reaches us, and we end it once."""
    LOG.parent.mkdir(parents=True, exist_ok=True)
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    place = [f"--ServerApp.port={port}", f"--ServerApp.root_dir={folder}", *terminal()]
    with LOG.open("w") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *QUIET, *root, *place],
            env=surroundings(token),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def terminal() -> list[str]:
    """A terminal's shell keeps the server's PATH: a login shell, the choice of a server without a
    screen, would read /etc/profile and lose the environment's programs (`ms-ext`)."""
    if os.name == "nt":
        return []
    settings = {"shell_command": [os.environ.get("SHELL") or "sh"]}
    return [f"--ServerApp.terminado_settings={settings!r}"]


def surroundings(token: str) -> dict[str, str]:
    """The environment of the server: its token, our settings, a memory of open tabs of its own."""
    folders = [str(CONFIGURATION), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    path = os.pathsep.join(filter(None, folders))
    ours = {
        "JUPYTER_TOKEN": token,
        "JUPYTER_CONFIG_PATH": path,
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTERLAB_WORKSPACES_DIR": str(ROOT / "build" / "jupyter" / "workspaces"),
    }
    return {**os.environ, **ours}


def wait_until_up(server, port, token):
    """Ask for /api/status until it answers; a server that ended is an error with its last words."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/status", headers={"Authorization": f"token {token}"}
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + PATIENCE
    while server.poll() is None and time.monotonic() < deadline:
        try:
            with opener.open(request, timeout=5) as answer:
                json.load(answer)
                return
        except OSError:
            time.sleep(0.2)
    print("JupyterLab did not start. Its last words:", file=sys.stderr)
    print("\n".join(last_lines(LOG, 12)), file=sys.stderr)
    sys.exit(1)


def announce(address):
    """Open a browser where there is a screen; say the address and the way to stop in any case."""
    print(f"\nJupyterLab runs at\n    {address}", flush=True)
    print(f"To stop it: Ctrl-C here, or `kill {os.getpid()}`.", flush=True)
    if toolchain.has_screen():
        webbrowser.open(address)
    else:
        print("(There is no screen here, so open the address in a browser yourself.)", flush=True)


def stop(server):
    """End the server and its kernels: SIGTERM, and after ten seconds by force."""
    if server.poll() is None:
        server.terminate()
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


if __name__ == "__main__":
    sys.exit(open_chapter(*sys.argv[1:]))
