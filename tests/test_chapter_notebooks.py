"""Every chapter runs from top to bottom in a fresh kernel without a network; figures are SVG."""

import re
from urllib.parse import unquote

import pytest

pytest.importorskip("nbclient")

from ms_ext.book import (  # noqa: E402
    alone,
    execute,
    learner,
    page,
    rules,
    rules_running,
    source,
)
from ms_ext.grading import exercise  # noqa: E402


@pytest.fixture(scope="module")
def walled(tmp_path_factory):
    """Variables of a kernel that can reach nothing but this machine."""
    return alone.surroundings(tmp_path_factory.mktemp("wall"))


#: Beside the way that every reader takes: their notebooks run in the long tests.
ASIDE = ("01_five_steps", "04_custom_op_builder", "06_gradient_clinic", "08_control_flow")
CHAPTERS = [
    pytest.param(name, marks=pytest.mark.long) if name in ASIDE else name
    for name in source.chapters()
]
#: A picture lies in the page as it is, or as the source of an image.
SVG = ("<svg", "data:image/svg+xml")
VIEWS = (
    "viz.graph",
    "viz.passes",
    "viz.timeline",
    "viz.stages",
    "viz.compare",
    "viz.call_sequence",
)


@pytest.fixture(scope="module", params=CHAPTERS)
def chapter(request):
    return source.read(request.param)


@pytest.fixture(scope="module")
def ran(chapter, walled, tmp_path_factory):
    """The executed notebook with reference solutions, and the progress that was shown."""
    seen = []
    folder = tmp_path_factory.mktemp("run")
    node = execute.execute(chapter, folder=folder, environment=walled, on_progress=seen.append)
    node.metadata["seen"] = [str(progress) for progress in seen]
    return node


def code(node):
    return [cell for cell in node.cells if cell.cell_type == "code"]


def html(cell):
    """The HTML and SVG among a cell's outputs."""
    data = [output.data for output in cell.outputs if "data" in output]
    return "".join(each.get("text/html", "") + each.get("image/svg+xml", "") for each in data)


def test_every_cell_ran_within_a_minute(ran):
    assert all(cell.execution_count for cell in code(ran))
    assert ran.metadata["ms_ext"]["seconds"] < 60
    total = len(code(ran))
    assert (
        ran.metadata["seen"][0].startswith(f"cell 1/{total}") and len(ran.metadata["seen"]) == total
    )


def test_only_cells_that_say_so_fail(ran):
    for cell in code(ran):
        failed = any(output.output_type == "error" for output in cell.outputs)
        assert failed == ("raises-exception" in cell.metadata.get("tags", ())), cell.source


def test_it_keeps_the_rules_that_are_run(chapter, ran):
    subject = rules.Subject(source.written(chapter.name))
    done = rules_running.beside(chapter, ran)
    assert done.megabytes is None or done.megabytes > 20
    assert list(map(str, rules.found(subject, rules_running.GATES, done))) == []


def test_every_view_is_a_picture(ran):
    cells = [
        cell
        for cell in code(ran)
        if not {*cell.metadata.get("tags", ())} & rules_running.WORDS_ONLY
    ]
    last = [(cell, cell.source.rstrip().split("\n")[-1]) for cell in cells]
    asked = [cell for cell, line in last if any(f"{view}(" in line for view in VIEWS)]
    assert asked and all(any(mark in html(cell) for mark in SVG) for cell in asked)


@pytest.mark.parametrize("chapter", ["00_tour"], indirect=True)
def test_the_pass_adds_and_removes_nodes(ran):
    panel = unquote(next(html(c) for c in code(ran) if "viz.passes(block" in c.source))
    for state in ("added", "removed"):
        assert re.search(rf"""class=["'][^"']*\bnode\b[^"']*\b{state}\b""", panel), state


def test_the_references_pass_their_checks(chapter, ran):
    verdicts = [html(cell) for cell in code(ran) if "ms.check(" in cell.source]
    assert len(verdicts) == len(exercise.names(chapter.name)) >= 1
    assert all('class="ms-verdict passed"' in verdict for verdict in verdicts)


def test_values_are_compared_with_mindspore(ran):
    table = next(html(c) for c in code(ran) if "recorded.compare" in c.source)
    assert table.count(">same<") >= 3


def test_the_page_stands_alone(chapter, ran):
    text = page.render(chapter, ran)
    assert re.findall(r"""(?:src|href)\s*=\s*["'](?!#|data:|http)([^"']+)""", text) == []
    assert not re.search(r"""<(script|link|img|iframe)[^>]+(src|href)\s*=\s*["']?http""", text)
    assert "@import" not in text and "MathJax" not in text
    assert len(text) < 4_000_000


def test_the_page_shows_no_solution(chapter, ran):
    plain = re.sub(r"<[^>]+>", "", page.render(chapter, ran).split("<main>")[1])
    hidden = [line for cell in chapter.cells for line in source.solution_lines(cell.text)]
    assert hidden and [line for line in hidden if line in plain] == []
    assert "Yours to write" in plain


def test_the_stubs_of_the_tour_run_too(walled, tmp_path):
    """The check says what is missing, and no cell of the exercise fails."""
    chapter = source.read("tour")
    sections = {"Goal", "Try it", "Idea", "Add and Neg are one Sub"}
    headings = zip(chapter.cells, execute.headings(chapter), strict=True)
    cells = tuple(c for c, title in headings if title in sections and "plt." not in c.text)
    short = chapter._replace(cells=cells)
    node = execute.execute(short, folder=tmp_path, solved=False, environment=walled)
    test_only_cells_that_say_so_fail(node)
    verdict = next(html(c) for c in code(node) if "ms.check(" in c.source)
    assert 'class="ms-verdict not-attempted"' in verdict and "As it stands" in verdict


@pytest.mark.long
def test_the_untouched_notebook_runs_too(chapter, walled, tmp_path):
    """Every check says what is missing, and only cells that say so fail."""
    node = execute.execute(chapter, folder=tmp_path, solved=False, environment=walled)
    test_only_cells_that_say_so_fail(node)
    verdicts = [html(cell) for cell in code(node) if "ms.check(" in cell.source]
    assert all('class="ms-verdict not-attempted"' in verdict for verdict in verdicts)


def test_a_cell_that_fails_is_named(walled, tmp_path):
    cell = "```{code-cell} python\n%s\n```\n\n"
    text = "# T\n\n## Goal\n\n" + cell % "x = 1" + cell % "y = 2\n1 / 0"
    with pytest.raises(RuntimeError) as told:
        execute.execute(source.parse(text, "00_broken"), folder=tmp_path, environment=walled)
    assert "cell 2/2  Goal: ZeroDivisionError" in str(told.value)
    assert "book/00_broken/chapter.md, line 11: 1 / 0" in str(told.value)


def test_the_learners_copy_is_not_touched_by_a_run(tmp_path):
    path = learner.write_learner_copy("tour", tmp_path)
    assert '"outputs": [\n' not in path.read_text()
