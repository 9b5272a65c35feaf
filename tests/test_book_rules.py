"""The rules R1 to R19 of a chapter: the book keeps them, and each gate finds what breaks them."""

import re
from types import SimpleNamespace

import nbformat
import pytest
from made_up_chapter import CHAPTER, made_up  # noqa: F401
from small_course import small_course  # noqa: F401

from ms_ext.book import learner, rules, rules_running, source
from ms_ext.cli import book

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
CELL = "```{code-cell} ipython3\n%s\n```\n"
LONG = "\n".join(f"x{number} = {number}" for number in range(26))
PICTURE = "![a](data:image/png;base64,aaaa)"


@pytest.mark.parametrize("name", source.chapters())
def test_the_book_keeps_the_rules_that_are_read(name):
    assert list(map(str, rules.broken(name))) == []


@pytest.mark.long
@pytest.mark.parametrize("name", source.chapters())
def test_the_book_keeps_the_rules_that_are_run(name):
    assert list(map(str, rules_running.broken(name))) == []


def test_the_made_up_chapter_keeps_the_rules(made_up):  # noqa: F811
    made_up()
    assert list(map(str, rules.broken("98"))) == []


#: rule, what is changed in the made-up chapter, what the gate says, the cell's heading.
READ = [
    ("R1", "guess = 4", LONG, "26 lines of code in one cell", "Build"),
    ("R3", "Write less.", "Write less. " * 160, "found: 23.6 words per line", ""),
    ("R3", "Read on.", "Word. " * 160, "words since the last code cell", "Recap"),
    ("R4", ":tags: [predict]\n\nguess = 4", "guess = 4", "no prediction in Build", "Build"),
    ("R5", CELL % 'ms.check("98.double")' + "\n", "", "an exercise without its check", "Double"),
    ("R6", "## Idea\n", "## Ideas\n", "the sections Goal, Try it, Ideas", ""),
    ("R6", "### Double", "#### Double", "a heading '####'", "Double"),
    ("R7", 'ms.check("98.double")', 'ms.check("99.double")', "of a later chapter", "Double"),
    ("R7", 'ms.check("98.double")', 'ms.check("97.double")', "of no chapter", "Double"),
    ("R8", "ipython3\ndef double", "python\ndef double", "as JupyterLab saves it", ""),
    ("R8", "Twice.", "Twice: `return x * 2`.", "shows a line of a solution: return x * 2", ""),
    ("R9", "Write less.", "It prints:\n\n>>> 3", "an output in the prose: >>>", "Idea"),
    ("R9", "Write less.", "```text\n%1 = Add(x, y)\n```", "an output in the prose: %1 =", "Idea"),
    ("R11", "import ms_ext as ms", "import ms_ext", "no line 'import ms_ext as ms'", ""),
    ("R11", "guess = 4", "from ms_ext.engine import ir\nguess = 4", "ms_ext.engine.ir", "Build"),
    ("R11", "guess = 4", "import pandas\nguess = 4", "an import of pandas", "Build"),
    ("R11", "guess = 4", "guess = ms.graph._hidden", "the private name ms.graph._hidden", "Build"),
    ("R12", "Read on.", PICTURE, "a picture pasted into prose", "Recap"),
    ("R12", "guess = 4", f"guess = '{'x' * 150_000}'", "bytes", ""),
    ("R15", "return x * 2", "\n    ".join(["y = x"] * 16), "16 lines to write", "Double"),
    ("R15", "def double(x):\n    # region solution\n", "# region solution\ndef double(x):\n",
     "does not define double", "Double"),
    ("R16", "### Repair: both", "### Both", "no exercise under a heading with 'Repair'", ""),
    ("R17", "Write less.", "It is 3 times faster.", "a speed as a fact: 3 times faster", "Idea"),
    ("R17", "guess = 4", 'guess = "speedup: 3"', "a speed as a fact: speedup: 3", "Build"),
    ("R18", "### 修复：两者", "修复：两者", "zh has the headings [],", "Repair: both"),
    ("R18", '+++ {"lang": "zh"}\n\n## 想法\n\n少写。\n\n', "", "there is no zh cell", "Idea"),
    ("R19", "[1.0, 2.0]", "[1.0, 3.0]", "the portable cells have changed", ""),
    ("R19", "recorded.compare", "print", "the answers are not compared", ""),
    ("R19", ":tags: [portable]\n\n", "", "no portable cell", ""),
]  # fmt: skip


@pytest.mark.parametrize("rule, old, new, says, heading", READ)
def test_a_gate_names_chapter_cell_rule_and_what_to_do(
    made_up, rule, old, new, says, heading  # noqa: F811
):  # fmt: skip
    assert old in CHAPTER
    made_up(CHAPTER.replace(old, new))
    found = [each for each in rules.broken("98") if each.rule == rule and says in str(each)]
    assert len(found) == 1, rules.broken("98")
    told = str(found[0])
    assert f": breaks {rule}, {rules.RULES[rule]}" in told and "to do: " in told
    assert found[0].fault.advice[-1] in '.")' and found[0].heading == heading
    if heading:
        number, line = re.search(r"98_small, cell (\d+) \(.*\), line (\d+)", told).groups()
        cells = source.written("98").cells
        assert cells[int(number) - 1].line == int(line)


@pytest.mark.parametrize(
    "old, new, says",
    [
        ('        Mutant("raises", "x * 2", "x * two"),\n', "", "98.double has 2 typical mistakes"),
        ('Mutant("dtype"', 'Mutant("no-such"', "98.double promises the code no-such"),
        (None, None, "98.double is not declared"),
    ],
)
def test_an_exercise_knows_its_typical_mistakes(made_up, small_course, old, new, says):  # noqa: F811
    made_up()
    path = small_course / "exercises" / "98_small" / "double.py"
    if old is None:
        path.unlink()
    else:
        path.write_text(path.read_text().replace(old, new))
    [found] = rules.broken("98")
    assert found.rule == "R14" and says in str(found) and found.heading == "Double"


def test_the_record_of_mindspore_may_be_missing(made_up):  # noqa: F811
    made_up().with_name("mindspore.json").unlink()
    [found] = rules.broken("98")
    assert found.rule == "R19" and "there is no mindspore.json" in str(found)
    assert "ms-ext book record 98_small" in found.fault.advice


# rules that are run -----------------------------------------------------------------------------


def shows(*data, kind="display_data"):
    """Outputs of a cell, as a kernel sends them."""
    return [nbformat.v4.new_output(kind, data=each) for each in data]


SVG = {"image/svg+xml": "<svg></svg>", "text/plain": "a picture"}
ERROR = nbformat.v4.new_output("error", ename="ValueError", evalue="no", traceback=[])
WARNED = nbformat.v4.new_output("stream", name="stderr", text="Beware.")
PASSED = {"text/html": '<div class="ms-verdict passed">', "text/plain": "passed"}
SAME = {"text/html": "<table><td>same</td>", "text/plain": "same"}


def ran(changes=(), **metadata):
    """The made-up chapter as if it had run, with other outputs in the cells of some numbers."""
    chapter = source.read("98")
    node = nbformat.from_dict(learner.notebook(chapter, solved=True))
    node.metadata["ms_ext"] |= {"seconds": 2.0, "megabytes": 90.0} | metadata
    code = [cell for cell in node.cells if cell.cell_type == "code"]
    for at, cell in enumerate(code):
        is_check = "ms.check(" in cell.source
        outputs = shows(PASSED if is_check else SAME if "compare(" in cell.source else SVG)
        cell.outputs = dict(changes).get(at, outputs)
    return rules_running.beside(chapter, node)


def of(done):
    subject = rules.Subject(source.written("98"))
    return rules.found(subject, rules_running.GATES, done)


def test_a_run_that_keeps_the_rules(made_up):  # noqa: F811
    made_up()
    assert of(ran()) == []


@pytest.mark.parametrize(
    "rule, done, says",
    [
        ("R2", {"changes": {at: [] for at in (0, 2, 5, 6, 7, 8, 9)}}, "0 pictures or tables in 7"),
        ("R10", {"seconds": 61.0}, "61 s"),
        ("R10", {"megabytes": 1500.0}, "1500 MB"),
        ("R10", {"changes": {2: [WARNED]}}, "a warning: Beware."),
        ("R12", {"changes": {2: shows(SVG | {"text/html": "x" * 2_000_001})}}, "characters"),
        ("R13", {"changes": {2: shows({"image/png": "aa", "text/plain": "a"})}}, "of pixels"),
        ("R13", {"changes": {2: shows({rules_running.WIDGETS[0]: "", "text/plain": "a"})}}, "live"),
        ("R13", {"changes": {2: shows({"text/html": "<svg>"})}}, "without words"),
        ("R13", {"changes": {2: shows({"text/plain": "<a.B object at 0x7f>"})}}, "without words"),
        ("R19", {"changes": {9: shows({"text/html": "<table><td>differs<"})}}, "differs from Mind"),
        ("R19", {"changes": {6: shows({"text/html": "ms-verdict failed"})}}, "fails its check"),
    ],
)
def test_a_gate_sees_what_came_out(made_up, rule, done, says):  # noqa: F811
    made_up()
    assert [each for each in of(ran(**done)) if each.rule == rule and says in str(each)]


def test_a_cell_that_should_fail_and_does_not(made_up):  # noqa: F811
    text = CHAPTER.replace(":tags: [predict]\n\nguess = 5", ":tags: [raises-exception]\n\n1 / 1")
    made_up(text)
    assert [e.rule for e in of(ran()) if "a cell that should fail does not" in str(e)] == ["R10"]
    assert [e for e in of(ran({4: [ERROR]})) if "should fail" in str(e)] == []


ASKS = """
try:
    import ipywidgets
    print("widgets")
except ImportError:
    print("bare")
import shutil, socket
print(shutil.which("dot"))
socket.create_connection(("192.0.2.1", 9), timeout=1)
"""


@pytest.mark.long
def test_a_run_reaches_no_network_no_dot_and_no_widgets(made_up):  # noqa: F811
    made_up(CHAPTER.replace("guess = 4", f"guess = 4{ASKS}".rstrip()))
    [found] = rules_running.broken("98")
    assert found.rule == "R10" and found.heading == "Build"
    assert "network use: ('192.0.2.1', 9)" in str(found) and "cell 4/10  Build" in str(found)


# the command ------------------------------------------------------------------------------------


def test_check_book_counts_what_is_broken(made_up, capsys):  # noqa: F811
    made_up()
    assert book.main(["check", "98", "--read"]) == 0
    assert "1 chapter read; these rules are kept: R1, R3, R4," in capsys.readouterr().out
    made_up(CHAPTER.replace("Write less.", "3 times faster."))
    assert book.main(["check", "98", "--read"]) == 1
    told = capsys.readouterr().out
    assert "98_small, cell " in told and told.endswith("1 broken in 1 chapter.\n")


def test_check_book_runs_too_and_says_where_it_is(made_up, capsys, monkeypatch):  # noqa: F811
    made_up()
    seen = SimpleNamespace(number=1, total=1)
    monkeypatch.setattr(book.rules_running, "broken", lambda name, say: say(seen) or [])
    assert book.main(["check", "98"]) == 0
    told = capsys.readouterr().out
    assert "namespace(number=1, total=1)" in told
    assert f"1 chapter read and run; these rules are kept: {', '.join(rules.RULES)}." in told


def test_an_unknown_chapter_or_word_is_told(capsys):
    assert book.main(["chek"]) == 2 and book.main(["check", "nosuch"]) == 2
    assert "Did you mean 'check'?" in (told := capsys.readouterr().err)
    assert "There is no chapter 'nosuch'." in told


def test_tidy_writes_the_form_of_jupyterlab(made_up, capsys):  # noqa: F811
    path = made_up(CHAPTER.replace("{code-cell} ipython3", "{code-cell} python"))
    assert book.main(["tidy", "98"]) == 0 and path.read_text(encoding="utf-8") == CHAPTER
    assert "written" in capsys.readouterr().out


def test_every_rule_has_a_gate():
    rules.broken("00")
    gated = {rule for rule, _ in (*rules.GATES, *rules_running.GATES)}
    assert gated == set(rules.RULES)


def test_curriculum_rules_are_all_there():
    assert list(rules.RULES) == [f"R{number}" for number in range(1, 20)]
