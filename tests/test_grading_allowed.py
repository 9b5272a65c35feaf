"""What an answer may do, with every protection in force, and how it is told what it may not."""

from pathlib import Path

import pytest
from sandbox_calls import asked, on_linux

from ms_ext.grading.sandbox import Forked

ROOT = Path(__file__).parents[1]
pytestmark = on_linux


@pytest.fixture(scope="module")
def nursery():
    with Forked() as made:
        yield made


ALLOWED = {
    "a compiled function": """
        import ms_ext as ms
        x = ms.Tensor([1.0, 2.0])
        assert ms.jit(lambda a: a * 2 + a)(x).asnumpy().tolist() == [3.0, 6.0]
        return ms.grad(lambda a: ms.ops.sum(a * a))(x).asnumpy().tolist() == [2.0, 4.0]
    """,
    "the stages' threads": """
        import ms_ext as ms
        x = ms.Tensor([1.0, 2.0])
        double = ms.ops.Custom(lambda a: a * 2, (2,), ms.float32)
        with ms.runtime.dispatch('stages'):
            for _ in range(5):
                x = double(x)
        import threading
        return x.asnumpy().tolist() == [32.0, 64.0] and threading.active_count() > 1
    """,
    "an op in Python": """
        import ms_ext as ms
        op = ms.ops.Custom(lambda a: a + 1, lambda a: a, lambda a: a, func_type="pyfunc")
        return op(ms.Tensor([1.0])).asnumpy().tolist() == [2.0]
    """,
    "bfloat16": """
        import ms_ext as ms
        return (ms.Tensor([1.0], ms.bfloat16) + 1).dtype == ms.bfloat16
    """,
    "NumPy's corners": """
        import numpy as np, numpy.ctypeslib
        np.fft.fft(np.ones(4)), np.linalg.svd(np.eye(3)), np.random.default_rng(1).normal()
        np.polynomial.Polynomial([1, 2])(3), np.ma.array([1]), np.testing.assert_allclose(1, 1)
        np.save('x.npy', np.ones(3))
        return np.load('x.npy').tolist() == [1, 1, 1]
    """,
    "the standard library": """
        import tempfile, threading, decimal, fractions, dataclasses, typing, json, re, random
        import time, datetime, collections, concurrent.futures as futures, multiprocessing, asyncio
        import statistics, zoneinfo, logging, unittest, doctest, sqlite3, platform, uuid, inspect
        with tempfile.TemporaryDirectory() as folder:
            open(folder + '/x', 'w').write('1')
        with futures.ThreadPoolExecutor(4) as pool:
            asyncio.run(asyncio.sleep(0.01))
            return sum(pool.map(abs, range(5))) == 10
    """,
    "the pictures": """
        import ms_ext as ms
        from ms_ext import viz
        def f(x):
            return x + 0.0
        return '<' in viz.passes(f, ms.Tensor([1.0]))._repr_html_()
    """,
}


@pytest.mark.parametrize("kind", ALLOWED)
def test_an_answer_may_use(nursery, kind):
    assert asked(nursery, ALLOWED[kind]) == {"answer": True, "printed": ""}


def test_the_learners_own_folder_can_be_read(nursery, tmp_path):
    (tmp_path / "mine.py").write_text("value = 7\n")
    (tmp_path / "data.txt").write_text("8")
    body = f"import mine\nreturn mine.value, open({str(tmp_path / 'data.txt')!r}).read()"
    assert asked(nursery, body, reads=[tmp_path])["answer"] == (7, "8")
    assert "error" in asked(nursery, body)


SECRETS = [
    "book/00_tour/chapter.md",
    "exercises/00_tour/add_neg_to_sub.py",
    "ms_ext/grading/attacks/__init__.py",
]


@pytest.mark.parametrize("file", SECRETS)
def test_solutions_stay_closed_where_the_folder_around_them_is_read(nursery, file):
    body = f"open({str(ROOT / 'README.md')!r}).close()\nopen({str(ROOT / file)!r}).close()"
    for without in ((), ("words",)):
        reply = asked(nursery, body, reads=[ROOT], without=without)
        assert file in reply["error"]["words"], reply
        assert "PermissionError" in reply["error"]["kinds"], reply


def test_a_refusal_says_what_is_not_allowed(nursery):
    told = {
        "import socket; socket.create_connection(('127.0.0.1', 9))": "use the network",
        "import subprocess; subprocess.run(['ls'])": "start another program",
        "import os; os.system('ls')": "start another program",
        "open('/etc/passwd')": "read files outside",
        "import os; os.remove('/etc/passwd')": "change files outside",
        "import ms_ext.grading.exercise": "may not import ms_ext.grading.exercise",
    }
    for body, words in told.items():
        error = asked(nursery, body)["error"]
        assert words in error["words"] and error["place"], error
