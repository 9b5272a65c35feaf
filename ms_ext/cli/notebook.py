"""Start JupyterLab at one notebook, say where it is and how it stops, and end it cleanly."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
import webbrowser
from contextlib import closing
from pathlib import Path

from ms_ext.book import languages, learner, source
from ms_ext.cli.steps import ROOT, last_lines, show_done
from ms_ext.engine import toolchain

CONFIGURATION = Path(__file__).parent / "jupyter"
LOG = ROOT / "build" / "logs" / "jupyter.log"
TOUR = ROOT / "build" / "tour.html"
TOUR_LOG = LOG.with_name("tour.log")
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
    return open_notebook(f"work/{learner.copy_name(name, language)}", tour=not TOUR.exists())


def open_notebook(notebook: str, folder: Path = ROOT, tour: bool = False) -> int:
    """Serve `folder` until Ctrl-C or SIGTERM; `notebook` is the page that opens.

    With ``tour``, the page of the tour is made meanwhile: nobody waits for it.
    """
    port, token = free_port(), secrets.token_hex(16)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    children = [start_server(folder, port, token)]
    try:
        wait_until_up(children[0], port, token)
        announce(f"http://127.0.0.1:{port}/lab/tree/{notebook}?token={token}")
        if tour:
            children.append(start_tour())
        return children[0].wait()
    except KeyboardInterrupt:
        print("\nJupyterLab is stopped. What you saved is in work/.", flush=True)
        return 0
    finally:
        for child in children:
            stop(child)


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
    command = [sys.executable, "-m", "jupyterlab", *QUIET, *root, *place]
    return start(command, LOG, cwd=folder, env=surroundings(token))


def start(command: list[str], log: Path, **more) -> subprocess.Popen:
    """A program with its output in a log, in a session of its own."""
    with log.open("w") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            **more,
        )


def start_tour() -> subprocess.Popen:
    """Run the tour beside the server, the learner's own cells first; say how it ended."""
    child = start([sys.executable, "-m", "ms_ext.cli.main", "tour"], TOUR_LOG, cwd=ROOT)
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, child.pid, 10)
    threading.Thread(target=tell_how_it_ended, args=(child,), daemon=True).start()
    return child


def tell_how_it_ended(tour: subprocess.Popen) -> None:
    """One line when the tour's page is there; its last words if it could not be made."""
    code = tour.wait()
    if code == 0:
        print(f"The tour was run once, as a page: {TOUR.as_uri()}", flush=True)
    elif code != -signal.SIGTERM:
        words = [f"The tour failed, see {TOUR_LOG.relative_to(ROOT)}:", *last_lines(TOUR_LOG, 3)]
        print(*words, sep="\n", flush=True)


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
    print("  JupyterLab ... ten seconds, on a busy machine more", flush=True)
    begin = time.monotonic()
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/status", headers={"Authorization": f"token {token}"}
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + PATIENCE
    while server.poll() is None and time.monotonic() < deadline:
        try:
            with opener.open(request, timeout=5) as answer:
                json.load(answer)
                return show_done("JupyterLab", begin)
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


def stop(child):
    """End the server and its kernels, or the tour: SIGTERM, and after ten seconds by force."""
    if child.poll() is None:
        child.terminate()
    try:
        child.wait(timeout=10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


if __name__ == "__main__":
    sys.exit(open_chapter(*sys.argv[1:]))
