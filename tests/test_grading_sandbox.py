"""Each protection of the learner's process is needed: without it, what it refuses succeeds."""

import ctypes
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sandbox_calls import NAMES, SMALL, asked, done, on_linux

from ms_ext.grading.sandbox import Forked, places, protections, seccomp
from ms_ext.grading.sandbox.kernel import NUMBERS

ROOT = Path(__file__).parents[1]
pytestmark = on_linux


@pytest.fixture(scope="module")
def nursery():
    with Forked() as made:
        yield made


# each row of the table -------------------------------------------------------------------------

SIGNAL = "import os\nos.kill(given['parent'], 0)\nreturn 'done'"
CONNECT = """
    import socket
    with socket.socket() as made:
        made.connect(('127.0.0.1', given['port']))
    return 'done'
"""
#: Row -> a probe that returns 'done' where it succeeds.
PROBES = {
    "clock": "import time\ntime.sleep(0.7)\nreturn 'done'",
    "output": "return {'done': 'x' * 400_000}",
    "process tree": SIGNAL,
    "own network": CONNECT,
    "own shared memory": """
        import ctypes
        if ctypes.CDLL(None).shmget(given['key'], 0, 0) < 0:
            raise OSError
        return 'done'
    """,
    "read-only disks": "open(given['file'], 'a').close()\nreturn 'done'",
    "small disk": """
        for number in range(12):
            with open(f'file{number}', 'wb') as file:
                file.write(bytes(1 << 19))
        return 'done'
    """,
    "descriptors": """
        import os
        def is_open(number):
            try:
                return bool(os.fstat(number))
            except OSError:
                return False
        assert sum(map(is_open, range(300))) > 4
        return 'done'
    """,
    "processor": """
        import time
        while time.process_time() < 1.2:
            pass
        return 'done'
    """,
    "memory": "bytearray(300 << 20)\nreturn 'done'",
    "file size": "open('large', 'wb').write(bytes(2 << 20))\nreturn 'done'",
    "open files": "kept = [open('/dev/null') for _ in range(60)]\nreturn 'done'",
    "privileges": """
        import ctypes
        held = (ctypes.c_uint32 * 6)()
        head = (ctypes.c_uint32 * 2)(0x20080522, 0)
        ctypes.CDLL(None).syscall(given['capget'], ctypes.byref(head), ctypes.byref(held))
        assert ctypes.CDLL(None).prctl(39, 0, 0, 0, 0) == 0 or any(held)
        return 'done'
    """,
    "files": "open(given['file']).close()\nreturn 'done'",
    "new processes": """
        import os
        process = os.fork()
        if process == 0:
            os._exit(0)
        os.waitpid(process, 0)
        return 'done'
    """,
    "other processes": SIGNAL,
    "sockets": CONNECT,
    "file rights": "import os\nos.chmod(os.curdir, 0o755)\nreturn 'done'",
    "rare calls": "import os\nos.memfd_create('x')\nreturn 'done'",
    "imports": "import ms_ext.grading.exercise\nreturn 'done'",
    "words": """
        try:
            open('/etc/hostname').close()
        except OSError as error:
            assert 'while it is graded' not in str(error)
        return 'done'
    """,
}
PATIENT = SMALL._replace(wall=20.0)


@pytest.fixture
def surroundings(tmp_path):
    """What the probes reach for: our process, a port, shared memory, and a file."""
    library, key = ctypes.CDLL(None), 0x6D735F00 + os.getpid() % 200
    memory = library.shmget(key, 4096, 0o1600)
    (tmp_path / "file").write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield {
            "parent": os.getpid(),
            "port": server.getsockname()[1],
            "key": key,
            "file": str(tmp_path / "file"),
            "capget": {"x86_64": 125, "aarch64": 90}[os.uname().machine],
        }
    library.shmctl(memory, 0, None)


@pytest.mark.parametrize("name", PROBES)
def test_each_protection_is_needed(nursery, surroundings, name):
    """Refused under all of them, refused under this one alone, and done under none."""
    limits = SMALL if name == "clock" else PATIENT
    others = tuple(other for other in NAMES if other != name)

    def run(without):
        return asked(nursery, PROBES[name], surroundings, limits=limits, without=without)

    assert not done(run(others)), "this protection alone does not refuse it"
    assert done(run(NAMES)), "it fails without any protection too"
    if name not in ("words", "processor"):
        assert not done(run(()))


def test_each_row_has_its_probe():
    assert set(NAMES) == {*PROBES, "private memory"}
    assert all(row.name and row.stops for row in protections.TABLE)


PEEK = """
from ms_ext.grading.sandbox import Forked, kernel, protections
import os, sys
kernel.drop_privileges()
secret = b"the answer is " + str(6 * 7).encode()
with Forked() as nursery:
    if sys.argv[1] == "open":
        kernel.control(kernel.SET_DUMPABLE, 1)
    child = nursery.child(without=protections.NAMES)
    text = '''def probe(place):
    with open(f"/proc/{place[0]}/mem", "rb", 0) as memory:
        memory.seek(place[1])
        return memory.read(16).decode()'''
    child.ask({"find": "probe", "cells": [["a", text]], "path": []})
    child.ask({"run": True})
    for process in (os.getpid(), nursery.process.pid):
        place = process, id(secret) + bytes.__basicsize__ - 1
        reply = child.ask({"ask": "call plain", "operands": (place,)})
        print(reply.get("answer") or reply["error"]["words"])
"""


@pytest.mark.parametrize("memory", ["hidden", "open"])
def test_the_parents_memory_is_private(memory):
    command = [sys.executable, "-c", PEEK, memory]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    of_parent, of_nursery = told.splitlines()
    assert (of_parent == "the answer is 42") == (memory == "open"), told
    assert "Permission denied" in of_nursery


def test_every_call_on_the_list_is_refused(nursery):
    body = """
        import ctypes
        library = ctypes.CDLL(None, use_errno=True)
        errors = []
        for number in given:
            bad = ctypes.c_long(-5)
            result = library.syscall(number, bad, bad, bad, bad, bad, bad)
            errors.append(ctypes.get_errno() if result < 0 else 0)
        return errors
    """
    listed = [call for call in NUMBERS if not call.startswith(("landlock", "prctl"))]
    place = protections.kernel.machine()
    listed = [call for call in listed if NUMBERS[call][place] is not None]
    codes = asked(nursery, body, [NUMBERS[call][place] for call in listed])["answer"]
    assert {call: code for call, code in zip(listed, codes, strict=True) if code != 1} == {
        "clone3": 38
    }


def test_calls_of_another_kind_of_machine_are_refused():
    """The numbers of other machines mean other calls: the first steps of every filter."""
    steps = np.frombuffer(seccomp.program([], 0), "<u2, u1, u1, <u4").tolist()
    assert steps[1][3] == 0xC000003E and steps[2][0] == seccomp.GIVE
    assert steps[4][3] == 0x40000000 and steps[-1][3] == seccomp.ALLOW


# where the system allows less ------------------------------------------------------------------

POOR = """
from ms_ext.grading import sandbox
from ms_ext.grading.sandbox import seccomp
seccomp.refuse(seccomp.named("unshare", "landlock_create_ruleset", "mount"))
for row in sandbox.report():
    print(*row, sep="|")
"""


def test_what_is_missing_is_told_and_is_no_error():
    done = subprocess.run([sys.executable, "-c", POOR], cwd=ROOT, capture_output=True, text=True)
    rows = [line.split("|") for line in done.stdout.splitlines()]
    assert [name for name, *_ in rows] == list(NAMES), done.stderr
    missing = {name: why for name, force, why in rows if force == "False"}
    keepers = [row.name for row in protections.of("keeper")]
    assert set(missing) == {*keepers, "files"} and all(missing.values())


def test_here_every_protection_is_in_force(nursery):
    child = nursery.child()
    child.ask({"run": True})
    usage = child.close()
    assert usage.missing == () and set(usage.protections) == set(NAMES)


def test_what_may_be_read_holds_no_secret():
    reading, names = places.readable([ROOT])
    secret = [str(path) for path in places.SECRET]
    assert str(ROOT) in names and str(ROOT) not in reading
    assert not any(places.among(path, reading) for path in secret)
