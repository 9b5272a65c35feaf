"""The JupyterLab of ./lab: says where it is, asks nothing of the network, stops cleanly."""

import ast
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from ms_ext.cli import notebook
from ms_ext.engine import toolchain

ROOT = Path(__file__).parents[1]
SERVE = """
import pathlib, sys
from ms_ext.cli import notebook
sys.exit(notebook.open_notebook("a.ipynb", pathlib.Path(sys.argv[1])))
"""


@pytest.fixture
def server(tmp_path):
    """The running server: its process, what it printed and the folder it serves."""
    names = ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, **{name: str(tmp_path / name) for name in names}},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        process.said = "".join(process.stdout.readline() for _ in range(7))
        yield process
        process.kill()


def child_of(tmp_path):
    """The process number that the Jupyter server noted of itself."""
    note = next((tmp_path / "JUPYTER_RUNTIME_DIR").glob("jpserver-*.json"))
    return json.loads(note.read_text())["pid"]


@pytest.mark.long
@pytest.mark.skipif(toolchain.WINDOWS, reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_stops_cleanly(server, tmp_path, number):
    pid = child_of(tmp_path)
    assert "/lab/tree/a.ipynb?token=" in server.said and f"kill {server.pid}" in server.said
    server.send_signal(number)
    assert server.wait(timeout=30) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.long
def test_no_news_no_updates_no_catalogue_of_extensions(server):
    address = re.search(r"http\S+", server.said)[0]
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(address, timeout=30) as answer:
        page = answer.read().decode()
    settings = json.loads(re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', page, re.S)[1])
    assert settings["news"] == {"disabled": True}
    assert "@jupyterlab/apputils-extension:announcements" in settings["disabledExtensions"]
    assert settings["extensionManager"]["name"] == "read-only"
    server.send_signal(signal.SIGTERM)
    assert server.wait(timeout=30) == 0


def test_a_server_that_ends_at_once_is_reported_with_its_last_words(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(notebook, "LOG", tmp_path / "jupyter.log")
    notebook.LOG.write_text("the port is taken")
    ended = subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])
    ended.wait()
    with pytest.raises(SystemExit):
        notebook.wait_until_up(ended, notebook.free_port(), "token")
    assert capsys.readouterr().err.splitlines()[-1] == "the port is taken"


@pytest.mark.parametrize(
    ("code", "says"),
    [("print('made')", "as a page: file://"), ("raise SystemExit('cell 3 stopped')", "cell 3")],
)
def test_how_the_tour_beside_the_server_ended_is_told(tmp_path, monkeypatch, capsys, code, says):
    monkeypatch.setattr(notebook, "ROOT", tmp_path)
    monkeypatch.setattr(notebook, "TOUR_LOG", tmp_path / "tour.log")
    child = notebook.start([sys.executable, "-c", code], notebook.TOUR_LOG)
    notebook.tell_how_it_ended(child)
    assert says in capsys.readouterr().out


def test_a_tour_that_we_stop_is_no_failure(tmp_path, capsys):
    child = notebook.start(
        [sys.executable, "-c", "import time; time.sleep(60)"], tmp_path / "tour.log"
    )
    child.send_signal(signal.SIGTERM)
    notebook.tell_how_it_ended(child)
    assert capsys.readouterr().out == ""


def test_our_settings_come_before_the_users(monkeypatch):
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "/mine")
    path = notebook.surroundings("t")["JUPYTER_CONFIG_PATH"]
    assert path.split(os.pathsep) == [str(notebook.CONFIGURATION), "/mine"]


def test_a_free_port_is_free():
    assert notebook.free_port() > 1023


def test_our_extension_is_named_to_the_server_and_whole():
    folder = notebook.CONFIGURATION / "labextensions"
    assert f"--LabApp.extra_labextensions_path={folder}" in notebook.QUIET
    about = json.loads((folder / "ms-ext-chapters" / "package.json").read_text())
    text = (folder / "ms-ext-chapters" / about["jupyterlab"]["_build"]["load"]).read_text()
    assert f'window._JUPYTERLAB["{about["name"]}"]' in text and "chapter" in text


@pytest.mark.skipif(toolchain.WINDOWS, reason="POSIX shells")
def test_a_terminal_finds_the_programs_of_the_environment():
    """No login shell: it would set another PATH, and `ms-ext` would not be found."""
    (option,) = notebook.terminal()
    settings = ast.literal_eval(option.removeprefix("--ServerApp.terminado_settings="))
    said = subprocess.run(
        [*settings["shell_command"], "-c", "echo $PATH"],
        env={**os.environ, "PATH": f"/somewhere:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert said.stdout.startswith("/somewhere:")
    assert "-l" not in settings["shell_command"]


def test_open_tabs_are_not_those_of_the_users_other_jupyterlab():
    assert str(ROOT) in notebook.surroundings("t")["JUPYTERLAB_WORKSPACES_DIR"]
