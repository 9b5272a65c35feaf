"""What all tests share: a fixed backend, the long and browser marks, and golden texts.

./lab test --long            also the long ones
./lab test --update-golden   write the golden texts anew (then read the diff)
"""

import importlib.util
import json
import os
from pathlib import Path

import pytest

import ms_ext as ms
from ms_ext.engine import toolchain

os.environ.setdefault("MS_EXT_JIT", "fixed")

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also run the tests marked long")
    parser.addoption("--update-golden", action="store_true", help="write golden texts anew")


#: Files in which every op has the same tests.
GENERATED = {
    "test_backends_ops.py",
    "test_book_site.py",
    "test_forward_ops.py",
    "test_op_errors.py",
    "test_op_gradients.py",
    "test_ops.py",
    "test_stage_ops.py",
    "test_tensor_gradients.py",
}


def seldom_ops():
    """Ops whose generated tests are long: of a file that is imported late, all but the first."""
    declared = json.loads(ms.ops.DECLARED.read_text(encoding="utf-8"))
    return {name for kinds in declared.values() for name in kinds["ops"][1:]}


def of_an_op(item):
    """The op of a generated test; None if it is none."""
    known = item.path.name in GENERATED and hasattr(item, "callspec")
    return item.callspec.params.get("name") if known else None


def pytest_generate_tests(metafunc):
    """Refuse parameters without an order of their own: workers would collect them differently."""
    for marker in metafunc.definition.iter_markers("parametrize"):
        if isinstance(marker.args[1], set | frozenset):
            raise ValueError(
                f"The parameters {marker.args[0]!r} of {metafunc.definition.nodeid} are a set, and "
                "each process sorts sets of text another way. Write sorted(…) around it."
            )


def pytest_collection_modifyitems(config, items):
    """Leave the long tests out, unless they were asked for."""
    if config.getoption("--long"):
        return
    seldom = seldom_ops()
    long = [i for i in items if i.get_closest_marker("long") or of_an_op(i) in seldom]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in set(long)]


#: Files whose tests share the one JupyterLab of their worker.
LAB = {
    "tests/browser/test_author.py",
    "tests/browser/test_check.py",
    "tests/browser/test_lab_widgets.py",
    "tests/browser/test_walk.py",
}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A file's tests stay on one worker, and so do those of the files that share a JupyterLab."""
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return "JupyterLab" if file in LAB else file

    return Together(config, log)


def browser_lacks():
    """What the browser tests miss on this machine, or None."""
    if not importlib.util.find_spec("playwright"):
        return "playwright is not installed"
    return None if toolchain.chromium() else "no Chromium (sudo apt install chromium)"


def pytest_runtest_setup(item):
    """A browser test without a browser is skipped, or fails where one is required."""
    if not item.get_closest_marker("browser") or not (lacking := browser_lacks()):
        return
    if os.environ.get("MS_EXT_BROWSER") == "required":
        pytest.fail(f"MS_EXT_BROWSER=required, but: {lacking}", pytrace=False)
    pytest.skip(f"browser test: {lacking}")


def pytest_terminal_summary(terminalreporter):
    """One line when browser tests were skipped, with the reason."""
    reports = terminalreporter.stats.get("skipped", [])
    skipped = [report for report in reports if "browser" in report.keywords]
    if skipped:
        lacking = browser_lacks() or "see -rs"
        terminalreporter.write_line(f"{len(skipped)} browser tests were skipped: {lacking}")


@pytest.fixture
def chromium():
    """The path of the browser; for tests marked `browser`."""
    return toolchain.chromium()


@pytest.fixture(params=["eager", "graph"])
def mode(request):
    """Both modes, one after the other; the test is told which."""
    before = ms.get_context("mode")
    ms.set_context(mode={"eager": ms.PYNATIVE_MODE, "graph": ms.GRAPH_MODE}[request.param])
    yield request.param
    ms.set_context(mode=before)


@pytest.fixture
def golden(request):
    """A function golden(name, text): `text` must be what tests/golden/<name> says."""

    def compare(name, text):
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        assert path.exists(), f"No golden text {path}; make it with --update-golden and read it."
        assert text == path.read_text()

    return compare
