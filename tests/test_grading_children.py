"""What the parent makes of a child: nothing it sends is believed, and nothing of it lives on."""

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from sandbox_calls import NAMES, asked, define, done, on_linux

from ms_ext.grading import wire
from ms_ext.grading.sandbox import Forked, Limits

ROOT = Path(__file__).parents[1]
pytestmark = on_linux


@pytest.fixture(scope="module")
def nursery():
    with Forked() as made:
        yield made


# what a child sends ----------------------------------------------------------------------------

HEAD = wire.HEAD.pack
FORGED = {
    "no JSON": (HEAD(3, 0) + b"abc", "nonsense"),
    "no dictionary": (HEAD(2, 0) + b"[]", "nonsense"),
    "a word of ours": (HEAD(17, 0) + b'{"stopped":"time"', "nonsense"),
    "stopped": (wire.encode({"stopped": "closed"}), "nonsense"),
    "half a character": (HEAD(11, 0) + b'{"a":"\xed\xa0\x80"}', "nonsense"),
    "another encoding": (HEAD(16, 0) + '{"a":12}'.encode("utf-16-le"), "nonsense"),
    "not UTF-8": (HEAD(6, 0) + b'{"\xff":', "nonsense"),
    "an absurd length": (HEAD(0xFFFFFFFF, 0), "output"),
    "an absurd body": (HEAD(2, 0xFFFFFFF0) + b"{}", "output"),
    "nested lists": (HEAD(200_000, 0) + b"[" * 200_000, "nonsense"),
    "nested dictionaries": (HEAD(50_000, 0) + b'{"a":' * 10_000, "nonsense"),
    "a huge number": (HEAD(200_009, 0) + b'{"a":' + b"9" * 200_003 + b"}", "nonsense"),
}
SHAPES = {
    "negative": '["float32",[-1]]',
    "not a number": '["float32",[NaN]]',
    "absurd": '["float32",[1000000000000,1000000000000]]',
    "objects": '["object",[1]]',
    "a name of mine": '["V8",[1]]',
    "true": '["float32",[true]]',
    "too many": '["float32",[' + ",".join(["1"] * 64) + "]]",
    "no list": '{"float32":1}',
}


def arrays_of(described):
    text = ('{"answer":{"__array__":' + described + "}}").encode()
    return HEAD(len(text), 8) + text + bytes(8)


FORGED |= {f"shape {name}": (arrays_of(shape), "nonsense") for name, shape in SHAPES.items()}


@pytest.fixture(scope="module")
def forged_by(nursery):
    """``forged_by(pieces)``: the reply to a question when the learner's code writes these bytes."""

    def run(frame, **options):
        text = f"""
import os, stat, time
for line in range(3, 60):
    try:
        if stat.S_ISSOCK(os.fstat(line).st_mode):
            break
    except OSError:
        continue
data = memoryview({frame!r})
while data:
    data = data[os.write(line, data):]
time.sleep(60)
probe = (line, data, time)
"""
        child = nursery.child(**options)
        child.ask({"find": "probe", "cells": [["In[1]", text]], "path": []})
        try:
            return child.ask({"run": True}), child
        finally:
            child.close()

    return run


@pytest.mark.parametrize("kind", FORGED)
def test_what_is_no_reply_is_not_believed(forged_by, kind):
    frame, why = FORGED[kind]
    reply, child = forged_by(frame, limits=Limits(wall=3.0))
    assert reply == {"stopped": why}
    assert child.ask({"run": True}) == {"stopped": why}


def test_a_well_formed_reply_may_be_forged_and_is_only_data(forged_by):
    reply, _ = forged_by(wire.encode({"answer": (1, np.float32([2]))}))
    assert reply == {"answer": (1, np.float32([2]))}
    half = b'{"answer":"\\ud800"}'
    assert forged_by(HEAD(len(half), 0) + half)[0] == {"answer": "?"}


def test_a_child_that_does_not_read_is_left(forged_by, nursery):
    text = "import os, time\nprobe = time.sleep(9)"
    child = nursery.child(limits=Limits(wall=0.4))
    child.ask({"find": "probe", "cells": [["In[1]", text]], "path": []})
    child.channel.send(wire.encode({"run": True}))
    large = {"ask": "call plain", "operands": (np.zeros(1 << 22),)}
    assert child.ask(large) == {"stopped": "time"}
    child.close()


# how children end ------------------------------------------------------------------------------

ENDS = {
    "import os; os._exit(3)": "exit 3",
    "import os; os._exit(0)": "exit 0",
    "import ctypes; ctypes.string_at(0)": "exit -11",
    "import os; os.closerange(3, 99); __import__('time').sleep(60)": "nonsense",
}


@pytest.mark.parametrize("body", ENDS)
def test_an_end_is_told(nursery, body):
    assert asked(nursery, body) == {"stopped": ENDS[body]}


def test_what_a_child_used_is_counted(nursery):
    child = nursery.child(limits=Limits(processor=1))
    define(child, "import time\nkept = b'x' * (50 << 20)\nwhile time.process_time() < 0.3: pass")
    child.ask({"ask": "call plain", "operands": (0,)})
    usage = child.close()
    assert 0.3 <= usage.cpu <= usage.wall + 1 and usage.memory > 50 << 20
    assert child.ask({"run": True}) == {"stopped": "closed"} and child.close() is usage


def test_children_know_nothing_of_each_other(nursery):
    first, second = nursery.child(), nursery.child()
    define(first, "import builtins, numpy\nnumpy.add = builtins.mine = 1\nopen('x', 'w').close()")
    assert "answer" in first.ask({"ask": "call plain", "operands": (0,)})
    body = "import builtins, numpy, os\nreturn hasattr(builtins, 'mine'), os.listdir()"
    define(second, body)
    assert second.ask({"ask": "call plain", "operands": (0,)})["answer"] == (False, [])
    folders = [child.setting.folder for child in (first, second)]
    first.close(), second.close()
    assert len(set(folders)) == 2 and not any(map(os.path.exists, folders))


def test_an_answer_may_say_import_mindspore_as_a_notebook_with_load_ext_does(nursery):
    body = """
        import mindspore as ms
        from mindspore import Tensor, ops
        import mindspore.nn as nn
        return ms.__name__, float(ops.exp(nn.ReLU()(Tensor(-1.0))))
    """
    assert asked(nursery, body)["answer"] == ("ms_ext", 1.0)


def test_nothing_of_ours_is_in_the_environment(monkeypatch):
    monkeypatch.setenv("CLASS_KEY", "secret")
    with Forked() as nursery:
        known = asked(nursery, "import os\nreturn dict(os.environ)")["answer"]
    assert "CLASS_KEY" not in known and known["MS_EXT_JIT"] == "fixed"


def test_the_same_answer_gives_the_same_reply(nursery):
    body = """
        import random, numpy
        return hash('x'), random.random(), numpy.random.rand(), [*{*given}]
    """
    replies = [asked(nursery, body, "abc"), asked(nursery, body, "abc")]
    with Forked() as other:
        replies.append(asked(other, body, "abc"))
    assert "answer" in replies[0] and all(reply == replies[0] for reply in replies)


DAEMON = """
    import os, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                with open(given, 'a') as file:
                    file.write('.')
                time.sleep(0.01)
        os._exit(0)
    os.wait()
    time.sleep(0.2)
    return 'done'
"""


@pytest.mark.parametrize("without", [NAMES, tuple(n for n in NAMES if n != "process tree")])
def test_nothing_lives_on(nursery, tmp_path, without):
    file = tmp_path / "beats"
    assert done(asked(nursery, DAEMON, str(file), without=without))
    beats = file.stat().st_size
    time.sleep(0.1)
    assert 0 < beats == file.stat().st_size


@pytest.mark.parametrize(
    "body",
    [
        "import os\nos.mkdir('a')\nopen('a/b', 'w').close()\nos.chmod('a', 0)",
        "import os\nfor _ in range(1200): os.mkdir('d'); os.chdir('d')",
        "import os, shutil\nhere = os.getcwd()\nos.rmdir(here)\nos.symlink(given, here)",
    ],
)
def test_the_folder_goes_whatever_is_made_of_it(nursery, tmp_path, body):
    (tmp_path / "kept").write_text("")
    child = nursery.child(without=NAMES)
    define(child, body)
    assert "answer" in child.ask({"ask": "call plain", "operands": (str(tmp_path),)})
    child.close()
    assert not os.path.lexists(child.setting.folder) and (tmp_path / "kept").exists()


LEFT = """
import os
from ms_ext.grading import wire
from ms_ext.grading.sandbox import Forked
nursery = Forked()
child = nursery.child()
text = "import time\\nprobe = time.sleep(60)"
child.ask({"find": "probe", "cells": [["a", text]], "path": []})
child.channel.send(wire.encode({"run": True}))
own = nursery.process.pid
keepers = open(f"/proc/{own}/task/{own}/children").read().split()
inner = [c for k in keepers for c in open(f"/proc/{k}/task/{k}/children").read().split()]
print(child.setting.folder, own, *keepers, *inner, flush=True)
os.kill(os.getpid(), 9)
"""


def test_all_end_with_the_parent():
    done = subprocess.run([sys.executable, "-c", LEFT], cwd=ROOT, capture_output=True, text=True)
    folder, *processes = done.stdout.split()
    assert len(processes) == 3, done.stderr
    until = time.monotonic() + 10
    while any(map(alive, processes)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(map(alive, processes))
    shutil.rmtree(folder)


def test_a_child_ends_with_its_keeper(nursery):
    child = nursery.child(without=NAMES)
    define(child, "import os; return os.getpid(), os.getppid()")
    own, keeper = child.ask({"ask": "call plain", "operands": (0,)})["answer"]
    os.kill(keeper, 9)
    until = time.monotonic() + 10
    while alive(own) and time.monotonic() < until:
        time.sleep(0.02)
    assert not alive(own)
    assert child.ask({"run": True})["stopped"] and child.close()


def alive(process):
    return os.path.exists(f"/proc/{process}") and " Z " not in stat(process)


def stat(process):
    try:
        return Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return " Z "


def test_a_nursery_that_died_is_made_again(nursery):
    with Forked() as own:
        assert asked(own, "return 1")["answer"] == 1
        own.process.kill()
        own.process.wait()
        assert asked(own, "return 2")["answer"] == 2


def test_threads_may_ask_for_children(nursery):

    def one(number):
        return asked(nursery, "return given * 2", number)["answer"]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, range(12))) == [2 * number for number in range(12)]
