"""CustomOpBuilder: builds that are killed or interrupted, and several at once."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from builder_sources import bare, needs_compiler, own_folder, source  # noqa: F401  (a fixture)

from ms_ext import ops
from ms_ext.engine import toolchain
from ms_ext.engine.custom.loading import cache

pytestmark = [
    needs_compiler,
    pytest.mark.skipif(sys.platform != "linux", reason="processes as on Linux"),
]
ROOT = Path(__file__).parents[1]
BUILD = """
from ms_ext.engine.custom.builder.builder import CustomOpBuilder
print(CustomOpBuilder("one", "bare.cpp").load().answer())
"""


def wrapper(text):
    """A compiler of our own: a shell script that ends with the real one, or does not."""
    path = Path("wrapped-g++").resolve()
    path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo g++; exit; fi\n{text}\n')
    path.chmod(0o755)
    return str(path)


def start(compiler):
    environment = {**os.environ, "CXX": compiler, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "ignore", "-c", BUILD]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)


def wait_for(path):
    until = time.monotonic() + 60
    while not Path(path).exists() or not Path(path).read_text().strip():
        assert time.monotonic() < until, f"{path} did not appear"
        time.sleep(0.02)
    return int(Path(path).read_text().split()[0])


def is_running(pid):
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in "ZX"


def test_a_killed_build_leaves_no_later_one_hanging():
    bare()
    lock = Path("kernel_meta/one/build.lock")
    with start(wrapper("echo $$ > compiler.pid; exec sleep 60")) as child:
        compiler = wait_for("compiler.pid")
        assert lock.read_text() == str(child.pid)
        child.kill()
    os.kill(compiler, signal.SIGKILL)
    assert lock.exists()
    assert ops.CustomOpBuilder("one", "bare.cpp").load().answer() == 42
    assert sorted(each.name for each in lock.parent.iterdir()) == [
        ".build_log.txt", ".one.json", "bare.o", "one.so",
    ]  # fmt: skip


def test_an_interrupt_ends_the_compiler_too():
    bare()
    with start(wrapper("echo $$ > compiler.pid; exec sleep 60")) as child:
        compiler = wait_for("compiler.pid")
        child.send_signal(signal.SIGINT)
    assert child.returncode != 0
    until = time.monotonic() + 10
    while is_running(compiler):
        assert time.monotonic() < until
        time.sleep(0.02)
    left = {each.name for each in Path("kernel_meta/one").iterdir()}
    assert left == set()


def test_two_processes_build_once():
    bare()
    compiler = wrapper(f'echo x >> ran; sleep 0.3; exec {toolchain.cxx_program()} "$@"')
    children = [start(compiler), start(compiler)]
    assert [child.communicate(timeout=120)[0].strip() for child in children] == ["42", "42"]
    assert Path("ran").read_text() == "x\n" * 2  # compiled, linked


def test_a_lock_that_is_held_names_its_holder(monkeypatch):
    from ms_ext.engine.custom.builder import making

    bare()
    monkeypatch.setattr(making, "SECONDS", 0.1)
    folder = Path("kernel_meta/one")
    folder.mkdir(parents=True)
    with cache.held(str(folder.resolve() / "build.lock"), 1):
        with pytest.raises(RuntimeError, match=rf"Another process \(pid {os.getpid()}\)"):
            ops.CustomOpBuilder("one", "bare.cpp").build()


def test_what_a_dead_process_left_is_swept_away():
    bare()
    folder = Path("kernel_meta/one")
    folder.mkdir(parents=True)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = folder / f".{dead.pid}-0123456789abcdef-bare.o"
    left.write_text("")
    ops.CustomOpBuilder("one", "bare.cpp").build()
    assert not left.exists()


def test_a_source_that_is_edited_while_it_is_compiled_is_compiled_again():
    bare(1)
    edit = "sed -i 's/return 1;/return 2;/' bare.cpp"
    compiler = wrapper(f'{toolchain.cxx_program()} "$@"; code=$?; {edit}; exit $code')
    os.environ["CXX"], before = compiler, os.environ.get("CXX")
    try:
        ops.CustomOpBuilder("one", "bare.cpp").build()
        assert ops.CustomOpBuilder("one", "bare.cpp").load().answer() == 2
    finally:
        os.environ.pop("CXX") if before is None else os.environ.update(CXX=before)
