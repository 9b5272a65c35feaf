"""A checkpoint is replaced whole or not at all, whatever happens while it is written."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from ms_ext.engine import checkpoints, errors
from ms_ext.engine.checkpoints import background, whole_file

OLD, NEW = {"w": np.zeros(1000)}, {"w": np.ones(2000)}

#: A child that writes, and dies at the call of that name and number.
DIES = """
import os, signal, sys
import numpy as np
from ms_ext.engine import checkpoints
from ms_ext.engine.checkpoints import message
message.classes()
path, name, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
original, calls = getattr(os, name), [0]

def dying(*arguments, **options):
    calls[0] += 1
    if calls[0] == number:
        os.kill(os.getpid(), signal.SIGKILL)
    return original(*arguments, **options)

setattr(os, name, dying)
checkpoints.write(path, {"w": np.ones(2000)})
print("done")
"""
STEPS = [("open", 1), ("fdopen", 1), ("fchmod", 1), ("fsync", 1), ("replace", 1)]
BEHIND = [("open", 2), ("fsync", 2)]  # the folder's own: the new file is there already


def child(code, *arguments, **options):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


def entries(path):
    return checkpoints.read(str(path))["w"].tolist()


@pytest.mark.parametrize("name, number", STEPS + BEHIND)
def test_a_process_that_dies_leaves_the_old_file_or_the_new_one(name, number, tmp_path):
    path = tmp_path / "w.ckpt"
    checkpoints.write(str(path), OLD)
    done = child(DIES, path, name, number)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert entries(path) == (OLD if (name, number) in STEPS else NEW)["w"].tolist()
    checkpoints.write(str(path), NEW)  # and what it left is removed
    assert os.listdir(tmp_path) == ["w.ckpt"] and entries(path) == NEW["w"].tolist()


KILLED = """
import sys
import numpy as np
from ms_ext.engine import checkpoints
number = 0
while True:
    number += 1
    checkpoints.write(sys.argv[1], {"w": np.full(200_000, number)})
    print(number, flush=True)
"""


@pytest.mark.long
@pytest.mark.parametrize("turn", range(10))
def test_a_process_killed_at_any_moment_leaves_a_whole_file(turn, tmp_path):
    path = tmp_path / "w.ckpt"
    command = [sys.executable, "-c", KILLED, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        time.sleep(0.011 * turn)
        process.kill()
    found = checkpoints.read(str(path))["w"]
    assert found.shape == (200_000,) and (found == found[0]).all()


def test_what_a_living_process_writes_is_not_removed(tmp_path):
    path = str(tmp_path / "w.ckpt")
    with whole_file.replacing(path) as file:
        file.write(b"half")
        checkpoints.write(path, NEW)
        assert len(os.listdir(tmp_path)) == 2
        file.write(b" and half")
    assert (tmp_path / "w.ckpt").read_bytes() == b"half and half"
    assert os.listdir(tmp_path) == ["w.ckpt"]


MANY = """
import sys
import numpy as np
from ms_ext.engine import checkpoints
for _ in range(20):
    checkpoints.write(sys.argv[1], {"w": np.full(20_000, int(sys.argv[2]))})
    assert len(set(checkpoints.read(sys.argv[1])["w"].tolist())) == 1
"""


def test_several_processes_write_the_same_file(tmp_path):
    path = str(tmp_path / "w.ckpt")
    commands = [[sys.executable, "-c", MANY, path, str(number)] for number in range(3)]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE) for command in commands]
    failures = [process.communicate()[1] for process in processes]
    assert failures == [b"", b"", b""]
    assert os.listdir(tmp_path) == ["w.ckpt"]


# what cannot be written ---------------------------------------------------------------------------

FULL = """
import resource, signal, sys
import numpy as np
from ms_ext.engine import checkpoints
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
try:
    checkpoints.write(sys.argv[1], {"w": np.ones(2000)})
except OSError as error:
    print(type(error).__name__, error.errno, error)
"""


def test_a_disk_without_room_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "w.ckpt"
    checkpoints.write(str(path), {"w": np.zeros(3)})
    done = child(FULL, path, check=True)
    assert done.stdout.startswith(f"CannotWrite {errno.EFBIG} The checkpoint file {path}")
    assert "Make room" in done.stdout
    assert os.listdir(tmp_path) == ["w.ckpt"] and entries(path) == [0, 0, 0]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="could not be written") as caught:
        checkpoints.write(str(tmp_path / "no" / "w.ckpt"), NEW)
    assert caught.value.errno == errno.ENOENT and "os.makedirs" in str(caught.value)


@pytest.mark.parametrize("folder", ["/proc/self", "/sys/kernel"])
def test_a_folder_that_nobody_may_write_to(folder):
    if not os.path.isdir(folder):
        pytest.skip(f"there is no {folder}")
    with pytest.raises(errors.CannotWrite, match="could not be written"):
        checkpoints.write(f"{folder}/w.ckpt", NEW)


CLOSED = """
import os, sys
import numpy as np
from ms_ext.engine import checkpoints
from ms_ext.engine.checkpoints import message
message.classes()
if os.geteuid() == 0:
    os.setuid(65534)
try:
    checkpoints.write(sys.argv[1], {"w": np.ones(3)})
except PermissionError as error:
    print(error)
"""


def test_a_folder_without_the_right_to_write(tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    done = child(CLOSED, folder / "w.ckpt", check=True)
    assert "Permission denied" in done.stdout and "you may write to" in done.stdout
    assert os.listdir(folder) == []


def test_the_place_of_a_folder(tmp_path):
    (tmp_path / "w.ckpt").mkdir()
    with pytest.raises(IsADirectoryError, match="could not be written"):
        checkpoints.write(str(tmp_path / "w.ckpt"), NEW)
    assert os.listdir(tmp_path) == ["w.ckpt"]


class Unwritable(dict):
    """Entries of which the second cannot be had."""

    def items(self):
        yield "w", np.ones(3)
        raise KeyboardInterrupt


def test_an_interruption_leaves_the_old_file(tmp_path):
    path = tmp_path / "w.ckpt"
    checkpoints.write(str(path), OLD)
    with pytest.raises(KeyboardInterrupt):
        checkpoints.write(str(path), Unwritable())
    assert os.listdir(tmp_path) == ["w.ckpt"] and entries(path) == OLD["w"].tolist()


# names and rights ---------------------------------------------------------------------------------


def test_only_the_owner_reads_and_nobody_writes_as_in_mindspore(tmp_path):
    path = tmp_path / "w.ckpt"
    for content in (OLD, NEW):  # one that may not be written to is replaced all the same
        checkpoints.write(str(path), content)
        assert stat.S_IMODE(path.stat().st_mode) == 0o400


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.ckpt").symlink_to(tmp_path / "w.ckpt")
    checkpoints.write(str(tmp_path / "link.ckpt"), NEW)
    assert (tmp_path / "link.ckpt").is_symlink() and entries(tmp_path / "w.ckpt") == [1.0] * 2000


@pytest.mark.parametrize("name", ["ü" * 120 + ".ckpt", "[a]*?.ckpt", ".ckpt", " .ckpt"])
def test_any_name_will_do(name, tmp_path):
    checkpoints.write(str(tmp_path / name), OLD)
    checkpoints.write(str(tmp_path / name), NEW)
    assert os.listdir(tmp_path) == [name] and entries(tmp_path / name) == NEW["w"].tolist()


# in the background --------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["thread", "process"])
def test_what_goes_wrong_in_the_background_is_raised_by_who_waits(way, tmp_path):
    def write():
        checkpoints.write(str(tmp_path / "no" / "w.ckpt"), NEW)

    background.start(way, write)
    with pytest.raises(errors.CannotWrite, match="No such file"):
        background.wait()
    background.wait()  # once


def test_one_is_written_at_a_time():
    order, go = [], threading.Event()
    background.start("thread", lambda: order.append(go.wait(5)))
    assert background.running()
    threading.Timer(0.05, go.set).start()
    background.start("thread", lambda: order.append("second"))
    background.wait()
    assert order == [True, "second"] and not background.running()
