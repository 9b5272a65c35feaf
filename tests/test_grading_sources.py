"""How a check finds the answer, in files and sessions, and what it says of the saved notebook."""

import inspect
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import verdicts
from verdicts import PASSED, notebook

import ms_ext as ms
from ms_ext.grading.notebook import button, cell_magic, saved, session, sources

ROOT = Path(__file__).parents[1]

# where the answer is ------------------------------------------------------------------------------


class Shell:
    """IPython's shell as far as a check looks at it; ``names``: file names of its cells."""

    def __init__(self, *cells, names=(), success=True):
        self.history_manager = SimpleNamespace(input_hist_raw=["", *cells])
        known = {name: ("Cell", "In[1]") for name in names}
        self.compile = SimpleNamespace(format_code_name=known.get)
        self.user_ns, self.ran, self._success = {}, [], success
        self.execution_count = len(cells) + 1

    def run_cell(self, cell):
        """Note that a cell was run."""
        self.ran.append((self.execution_count, cell))
        return SimpleNamespace(success=self._success)


@pytest.fixture
def shell(monkeypatch):
    """A function that makes a session run."""

    def start(*cells, **more):
        made = Shell(*cells, **more)
        monkeypatch.setattr(sources, "running_shell", lambda: made)
        return made

    return start


def here():
    return inspect.currentframe().f_back


def test_without_an_answer_it_is_the_callers_file():
    source = sources.of(None, here())
    assert source.folder == str(ROOT / "tests") and not source.session
    assert "def test_without_an_answer_it_is_the_callers_file" in source.cells[-1][1]


def test_a_path_is_read(tmp_path):
    path = notebook(tmp_path / "n.ipynb", "%matplotlib inline\nx = 1", "f = x")
    assert [text for _, text in sources.of(path, here()).cells] == ["pass\nx = 1", "f = x"]
    (tmp_path / "a.py").write_text("f = 2")
    source = sources.of(str(tmp_path / "a.py"), here())
    assert (source.cells, source.folder) == ((("a.py", "f = 2"),), str(tmp_path.resolve()))


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"(?s)cannot be opened.*nothing\.py"):
        sources.of(tmp_path / "nothing.py", here())


def test_a_function_or_a_class_is_found_in_its_own_file():
    for answer, text in ((verdicts.graph, "def graph(*lines"), (Shell, "class Shell:")):
        source = sources.of(answer, here())
        assert source.known == answer.__name__ and text in source.cells[-1][1]


def test_an_object_is_known_by_the_callers_name():
    assert sources.of(RAN, here()).known == "RAN"
    with pytest.raises(ValueError, match="has no name"):
        sources.of(object(), here())


def test_a_session_is_read_with_its_magics(shell):
    shell("%load_ext ms_ext", "%%check 05.mul_bprop\ndef f(x):\n    return x", "%%bash\nls")
    source = sources.at("<In 2>")
    assert source.session and [name for name, _ in source.cells] == ["In[1]", "In[2]", "In[3]"]
    assert source.cells[1][1] == "\ndef f(x):\n    return x" and source.cells[2][1] == ""


def test_a_script_that_a_session_runs_is_a_file(shell, tmp_path):
    path = tmp_path / "script.py"
    path.write_text("f = 3")
    shell("x = 1")
    assert sources.at(str(path)).cells == (("script.py", "f = 3"),)


def test_a_cell_that_a_debugger_wrote_to_a_file_is_still_the_session(shell, tmp_path):
    path = tmp_path / "1234.py"
    path.write_text("f = 3")
    shell("x = 1", names=[str(path)])
    assert sources.at(str(path)).session


def test_what_a_prompt_keeps_is_read(monkeypatch):
    monkeypatch.setitem(sources.linecache.cache, "<python-input-0>", (5, None, ["f = 1"], ""))
    assert sources.at("<stdin>").cells == (("python-input-0", "f = 1"),)


def test_what_no_prompt_keeps_is_told():
    with pytest.raises(RuntimeError, match=r'(?s)kept nowhere.*ms\.check\(name, "answer\.py"\)'):
        sources.at("<stdin>")


@pytest.fixture
def asked(monkeypatch):
    """The requests that reach the checker, which always answers PASSED."""
    requests = []
    monkeypatch.setattr(session, "ask", lambda request: requests.append(request) or PASSED)
    return requests


def test_the_answer_is_called_what_the_exercise_wants(asked):
    my_rule = verdicts.graph
    ms.check("tour.add_neg_to_sub", my_rule)
    assert asked[0]["cells"][-1] == ("the answer you gave", "add_neg_to_sub = graph")


def test_an_answer_inside_a_function_is_refused(asked):
    def add_neg_to_sub(x):
        return x

    words = "`add_neg_to_sub` is defined inside a function here; a check reads files and cells"
    for answer in ([], [add_neg_to_sub]):
        with pytest.raises(ValueError, match=words):
            ms.check("tour.add_neg_to_sub", *answer)
    assert asked == []


def test_a_local_name_for_what_the_file_defines_is_no_local_answer(asked):
    add_neg_to_sub = here  # noqa: F841 - check looks at the names of this function
    ms.check("tour.add_neg_to_sub")
    ms.check("tour.add_neg_to_sub", MADE)
    assert len(asked) == 2


def made():
    """A decorator's work: it is inside a function, but its file knows it by a name."""
    return lambda x: x


MADE = made()


def test_a_test_prints_what_is_not_passed(capsys, monkeypatch):
    for verdict, said in ((PASSED, ""), (verdicts.MISSING, f"{verdicts.MISSING}\n")):
        monkeypatch.setattr(session, "ask", lambda request, verdict=verdict: verdict)
        assert ms.check("tour.add_neg_to_sub").name == verdict.name
        assert capsys.readouterr().out == said
    ms.hint("tour.add_neg_to_sub")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("words", ["{}", "print({})", "print('say:', {})", "said = {}"])
def test_a_script_says_it_once(words, tmp_path):
    """print(ms.hint(...)) said it twice: by itself, and by the print."""
    call = 'ms.hint("05.mul_bprop", 2)'
    (tmp_path / "script.py").write_text(f"import ms_ext as ms\n{words.format(call)}\n")
    outside = {k: v for k, v in os.environ.items() if k != "PYTEST_CURRENT_TEST"}
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"], capture_output=True, text=True,
        env={**outside, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stdout.count("Hint 2 of 3") == 1, done.stderr


def test_a_name_with_the_whole_chapter_is_taken(asked):
    ms.check("00_tour.add_neg_to_sub")
    assert len(asked) == 1


# only what is saved counts ------------------------------------------------------------------------


RAN = [("In[1]", "scale = 2"), ("In[2]", "def f(x):\n    return x * scale")]
SAVED = {
    "the same, other comments": (["scale = 2  # two", "def f(x): return x * scale"], ""),
    "nothing of it": (["scale = 2"], saved.UNSAVED),
    "an older answer": (["scale = 2", "def f(x):\n    return x"], saved.UNSAVED),
    "without what it needs": (["def f(x):\n    return x * scale"], "rests on In[1], which"),
    "with a broken cell": (["scale = 2", "x = = 1", "def f(x): return x * scale"], ""),
    "another order": (
        ["scale = 2", RAN[1][1], "def f(x): return 0"],
        "another `f` than this session",
    ),
}


@pytest.mark.parametrize("kind", SAVED)
def test_what_the_saved_notebook_says(kind, tmp_path):
    texts, warning = SAVED[kind]
    told = saved.difference(RAN, notebook(tmp_path / "n.ipynb", *texts), "f")
    assert warning in told if warning else told == ""


def test_the_notebooks_file_is_named_by_its_surroundings(tmp_path, monkeypatch):
    shell, path = Shell(), notebook(tmp_path / "n.ipynb", "x = 1")
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert saved.notebook_file(shell) is None
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "gone.ipynb"))
    assert saved.notebook_file(shell) is None
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    assert saved.notebook_file(shell) == path
    other = shell.user_ns["__vsc_ipynb_file__"] = str(notebook(tmp_path / "v.ipynb", "x = 1"))
    assert saved.notebook_file(shell) == Path(other)


def test_a_check_in_a_notebook_warns(asked, shell, tmp_path, monkeypatch):
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook(tmp_path / "n.ipynb", "x = 1")))
    shell("add_neg_to_sub = 1")
    verdict = session.verdict_on("tour.add_neg_to_sub", sources.at("<In>"))
    assert verdict.warnings == (*PASSED.warnings, saved.UNSAVED)


def test_a_cell_that_is_no_python_is_told_before_the_verdict_on_an_older_one(asked, shell):
    shell("add_neg_to_sub = 1", "add_neg_to_sub = 2 +", "x = 1")
    verdict = session.verdict_on("tour.add_neg_to_sub", sources.at("<In>"))
    assert "In[2], is no Python, so this verdict is about In[1]" in verdict.warnings[0]
    for cells in (("f = 1 +",), ("f = 1 +", "f = 1"), ("f = 1", "g = 1 +"), ("x = 1 +", "f = 1")):
        assert sources.not_python([("In[1]", each) for each in cells], "f") == ""


# the magic and the button -------------------------------------------------------------------------


def test_the_magic_runs_its_cell_and_checks(asked, shell, monkeypatch):
    import IPython.display

    shown = []
    monkeypatch.setattr(IPython.display, "display", shown.append)
    running = shell("%%check tour.add_neg_to_sub\nadd_neg_to_sub = 1")
    cell_magic.run(running, "tour.add_neg_to_sub", "add_neg_to_sub = 1")
    assert running.ran == [(1, "add_neg_to_sub = 1")] and running.execution_count == 2
    assert shown == [PASSED]
    assert asked[0]["cells"] == [("In[1]", "\nadd_neg_to_sub = 1")]


def test_a_cell_that_stops_is_not_checked(asked, shell, capsys):
    cell_magic.run(shell("1 / 0", success=False), "tour.add_neg_to_sub", "1 / 0")
    assert asked == [] and "was not checked" in capsys.readouterr().out


@pytest.mark.parametrize("cell, magic", [("x = 1", "%%check"), (None, "%check")])
def test_a_magic_without_a_name_says_how(shell, cell, magic):
    with pytest.raises(ValueError, match=f"line: {magic} 05.mul_bprop"):
        cell_magic.run(shell(), "  ", cell)


def test_a_button_without_a_notebook_says_what_to_do(capsys, shell, monkeypatch):
    ms.check.button("tour.add_neg_to_sub")
    assert "without a notebook" in capsys.readouterr().out
    shell()
    monkeypatch.setattr(button.importlib.util, "find_spec", lambda name: None)
    ms.check.button("tour.add_neg_to_sub")
    assert 'without ipywidgets. Check with ms.check("tour' in capsys.readouterr().out


IMPORTS = """
import sys, types
magics = {{}}
def register(function, kind, name):
    magics[name] = kind
shell = types.SimpleNamespace(register_magic_function=register)
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: {shell})
import ms_ext
loaded = [name for name in sys.modules if name.startswith("ms_ext.")]
print(magics, "IPython.display" in sys.modules, len(loaded) < 5)
"""


@pytest.mark.parametrize("running", ["shell", "None"])
def test_importing_registers_the_magic_only_in_a_session(running):
    code = IMPORTS.format(shell=running)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    magics = {"check": "line_cell", "cpp_op": "cell"} if running == "shell" else {}
    assert done.stdout == f"{magics} False True\n", done.stderr
