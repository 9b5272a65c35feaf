"""An author opens chapter.md by double click: runs it, edits a sentence, saves; nothing else moves.

The chapter lies in a folder of its own with the book's jupytext.toml, as in the repository.
"""

import difflib
import shutil

import pytest
from lab_server import RUN, Watched

from ms_ext.book import execute, source

pytestmark = pytest.mark.browser
SECTIONS = {"Goal", "Try it", "Idea", "Add and Neg are one Sub", "Recap"}
CODE = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
  .filter(cell => cell.cell_type === 'code')
  .map(cell => ({count: cell.execution_count, outputs: cell.outputs.map(o => o.output_type)}))"""
FINISHED = f"() => ({CODE})().every(cell => cell.count || cell.outputs.includes('error'))"
WIDGET = "() => window.jupyterapp?.shell?.currentWidget"
LOADED = """async () => {
  const widget = window.jupyterapp.shell.currentWidget;
  await widget.context.ready;
  return widget.content.model.sharedModel.cells.length;
}"""
SAVED = f"{WIDGET}.context.model.dirty === false"
README = "# Not a chapter\n\nWords.\n"


def short_tour():
    """A few sections of the tour, its exercise among them, with the prose of both languages."""
    chapter = source.written("tour")
    both = zip(chapter.cells, execute.headings(chapter), strict=True)
    cells = tuple(cell for cell, title in both if title in SECTIONS and "plt." not in cell.text)
    return source.render(chapter._replace(cells=cells))


@pytest.fixture(scope="module")
def author(lab, browser_process):
    """The chapter after a double click on it in the file browser."""
    folder = lab.folder / "book" / "00_tour"
    folder.mkdir(parents=True)
    shutil.copy(source.BOOK / "jupytext.toml", folder.parent)
    (folder / "README.md").write_text(README)
    path = folder / "chapter.md"
    path.write_text(short_tour(), encoding="utf-8")
    context = browser_process.new_context(viewport={"width": 1400, "height": 1000})
    watched = Watched(context.new_page())
    watched.path = path
    watched.page.set_default_timeout(60_000)
    watched.page.goto(lab.address("book/00_tour"))
    watched.page.wait_for_selector(".jp-DirListing-item")
    watched.page.evaluate("() => window.jupyterapp.restored.then(() => true)")
    open_file(watched.page, "chapter.md")
    watched.page.wait_for_function(f"{WIDGET}?.context?.path?.endsWith('chapter.md')")
    yield watched
    context.close()


def open_file(page, name):
    page.locator(".jp-DirListing-item", has_text=name).dblclick()


def save(watched):
    watched.page.keyboard.press("Control+s")
    watched.page.wait_for_function(SAVED)
    return watched.path.read_text(encoding="utf-8")


def test_it_opens_as_a_notebook_with_its_kernel(author):
    assert author.page.evaluate(LOADED) == len(source.parse(short_tour(), "00_tour").cells)
    assert author.page.locator(".jp-Dialog").count() == 0
    title = source.read("tour", "zh").title
    author.page.wait_for_selector(f".jp-MarkdownCell h1:has-text('{title}')")


def test_every_cell_runs_and_the_reference_passes(author):
    author.page.evaluate(RUN)
    author.page.wait_for_function(FINISHED)
    assert all("error" not in cell["outputs"] for cell in author.page.evaluate(CODE))
    author.page.wait_for_selector(".ms-verdict.passed")


def test_saving_without_a_change_leaves_every_byte(author):
    assert save(author) == short_tour()


def test_a_sentence_changes_where_it_was_typed_and_nowhere_else(author):
    page = author.page
    sentence = page.locator(".jp-MarkdownCell p", has_text="A sentence is bytes.")
    sentence.click()
    page.keyboard.press("Enter")
    page.wait_for_selector(".jp-Notebook.jp-mod-editMode .jp-MarkdownCell .cm-editor.cm-focused")
    page.keyboard.press("Control+End")
    page.keyboard.type(" Typed by an author.")
    page.keyboard.press("Shift+Enter")
    changes = [line for line in difflib.ndiff(short_tour().split("\n"), save(author).split("\n"))
               if line[0] in "+-"]  # fmt: skip
    assert len(changes) == 2 and changes[1][2:] == f"{changes[0][2:]} Typed by an author."


def test_other_markdown_stays_a_text(author):
    open_file(author.page, "README.md")
    author.page.wait_for_function(f"{WIDGET}?.context?.path?.endsWith('README.md')")
    author.page.wait_for_function(f"{WIDGET}.context.contentsModel")  # read from the server
    assert author.page.evaluate(f"{WIDGET}.context.contentsModel.type") == "file"
    assert (author.path.parent / "README.md").read_text() == README


def test_nothing_failed_and_nothing_called_out(author):
    assert author.errors == []
    assert author.outside == []
