"""The panel where learners meet it: JupyterLab, Notebook 7, VS Code, a page made by nbconvert.

Quick: JupyterLab's kernel and the frame of VS Code. The other places change rarely.
"""

import html
import json

import nbformat
import pytest
from lab_server import RUN, open_notebook
from nbformat.sign import NotebookNotary
from nbformat.v4 import new_code_cell, new_notebook, new_output
from viz_records import transformer

from ms_ext import viz
from ms_ext.viz import palette

pytestmark = pytest.mark.browser

CELL = """
import ms_ext as ms
from ms_ext import ops, viz

def norm(x):
    return (x - ops.mean(x)) * 2.0

def block(x):
    return norm(ops.relu(norm(x))) + (-x) * 1.0

panel = viz.passes(block, ms.Tensor([1.0, -2.0]))
panel"""
#: What a kernel answers: the text of the last value of ``code``.
ASK = """async (code) => {
  const { session } = window.jupyterapp.shell.currentWidget.sessionContext;
  const asked = session.kernel.requestExecute({ code });
  let said = "";
  asked.onIOPub = ({ content }) => {
    said += content.data?.["text/plain"] ?? content.evalue ?? "";
  };
  await asked.done;
  return said;
}"""
THEME = "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })"
#: VS Code puts an output into a frame of its own by innerHTML, then makes its scripts again.
FRAME = """<meta http-equiv="Content-Security-Policy" content="default-src 'none';
 script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<body class="vscode-dark"><div id="cell"></div><script>
addEventListener("message", ({ data }) => {
  cell.innerHTML = data;
  for (const old of cell.querySelectorAll("script")) {
    const made = document.createElement("script");
    for (const { name, value } of old.attributes) made.setAttribute(name, value);
    made.textContent = old.textContent;
    old.replaceWith(made);
  }
});</script></body>"""


def notebook(*cells):
    """A notebook that knows its kernel, so nobody is asked for one."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=list(cells), metadata={"kernelspec": kernel})


def saved(*panels):
    """A notebook that was run: each cell shows a panel."""
    cells = []
    for panel in panels:
        data = panel._repr_mimebundle_()
        cells.append(new_code_cell("panel", outputs=[new_output("execute_result", data)]))
    return notebook(*cells)


def ground(panel):
    return panel.evaluate("e => getComputedStyle(e).backgroundColor")


def rgb(colour):
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


def steps_alone(panels):
    """Stepping the first of two panels moves that one only."""
    first, second = panels.nth(0), panels.nth(1)
    first.locator(".stage").focus()
    first.page.keyboard.press("ArrowRight")
    assert (first.get_attribute("data-pass"), second.get_attribute("data-pass")) == ("3", "2")
    assert first.locator(".stage g.node.added:visible").count() == 1
    assert second.locator(".stage g.node.added:visible").count() == 0


@pytest.mark.long
def test_lab_knows_the_chosen_node_in_python(browser_process, lab):
    cells = new_code_cell(CELL), new_code_cell("live = panel.widget()\nlive")
    nbformat.write(notebook(*cells), lab.folder / "live.ipynb")
    watched = open_notebook(browser_process, lab.address("live.ipynb"))
    page = watched.page
    page.evaluate(RUN)
    panels = page.locator(".msx-panel.ready")
    live = panels.nth(1)
    live.locator(".stage").focus()
    number = live.get_attribute("data-pass")
    page.keyboard.press("j")
    chosen = live.locator("g.node.picked").get_attribute("data-id")
    assert page.evaluate(ASK, "live.selected, live.node.id, live.number") == (
        f"({chosen}, {chosen}, {number})"
    )
    page.keyboard.press("b")
    assert page.evaluate(ASK, "live.view") == "'before'"
    page.keyboard.press("s")
    live.locator("g.group[data-scope='norm']").click()  # not in the page: the kernel draws it
    live.locator(".crumbs [aria-current=true]", has_text="norm").wait_for()
    assert page.evaluate(ASK, "live.picture") == "'inside norm'"
    page.evaluate(ASK, "live.selected = None; live.view = 'after'; live.number = 1")
    live.locator("xpath=self::*[@data-pass='1']").wait_for()
    assert panels.nth(0).get_attribute("data-pass") == number  # the other one stays
    assert page.evaluate(ASK, "live.row is None") == "True"
    page.evaluate(THEME, "JupyterLab Dark")
    page.wait_for_selector("body[data-jp-theme-light=false]", state="attached")
    assert ground(panels.nth(0)) == ground(live) == rgb(palette.DARK["bg"])
    page.evaluate(THEME, "JupyterLab Light")  # other tests share this JupyterLab
    page.wait_for_selector("body[data-jp-theme-light=true]", state="attached")
    page.context.close()
    assert watched.errors == [] and watched.outside == []


@pytest.mark.long
def test_an_untrusted_notebook_still_shows_picture_numbers_and_tables(browser_process, lab):
    nbformat.write(saved(viz.passes(transformer(1))), lab.folder / "untrusted.ipynb")
    watched = open_notebook(browser_process, lab.address("untrusted.ipynb"))
    output = watched.page.locator(".jp-OutputArea-output")
    output.get_by_text("File, then Trust Notebook").wait_for()
    assert output.locator(".ready, button, input, style, script, svg").count() == 0
    picture = output.locator("details[open] img")
    assert picture.count() == 1 and picture.evaluate("e => e.naturalWidth") > 200
    assert output.locator("details[open]").get_by_text("bytes moved").is_visible()
    assert output.get_by_role("listitem").filter(has_text="dashed orange line").is_visible()
    assert output.locator("details[open] tr", has_text="%6 MatMul").first.is_visible()
    output.get_by_text("3. fuse_matmul_bias_gelu").first.click()
    assert output.locator("details[open] img").count() == 2
    watched.page.context.close()
    assert watched.errors == [] and watched.outside == []


@pytest.mark.long
def test_notebook_7_shows_and_steps_a_trusted_panel(browser_process, lab):
    both = saved(viz.passes(transformer(1)), viz.passes(transformer(1)))
    nbformat.write(both, lab.folder / "seven.ipynb")
    NotebookNotary(data_dir=str(lab.folder.parent / "data")).sign(
        nbformat.read(lab.folder / "seven.ipynb", 4)
    )
    context = browser_process.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(lab.address("seven.ipynb").replace("/lab/tree/", "/notebooks/"))
    panels = page.locator(".msx-panel.ready")
    panels.nth(1).wait_for()
    assert page.locator("#jp-MainLogo, .jp-NotebookSpacer, #jp-NotebookLogo").count() > 0
    steps_alone(panels)
    assert ground(panels.first) == rgb(palette.LIGHT["bg"])
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert ground(panels.first) == rgb(palette.DARK["bg"])
    context.close()


def test_an_isolated_frame_as_in_vs_code(new_page, tmp_path):
    both = viz.passes(transformer(1)).html() + viz.passes(transformer(1)).html()
    path = tmp_path / "host.html"
    path.write_text(f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(FRAME)}"'
                    ' width="1100" height="900"></iframe>')  # fmt: skip
    page = new_page()
    page.goto(path.as_uri())
    page.frame_locator("iframe").locator("#cell").wait_for(state="attached")
    page.evaluate(f"frames[0].postMessage({json.dumps(both)}, '*')")
    panels = page.frame_locator("iframe").locator(".msx-panel.ready")
    panels.nth(1).wait_for()
    steps_alone(panels)
    assert ground(panels.first) == rgb(palette.DARK["bg"])


@pytest.mark.long
@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_a_page_made_by_nbconvert(new_page, tmp_path, script):
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(require_js_url="", mathjax_url="", theme="dark")
    panels = viz.passes(transformer(1)), viz.passes(transformer(1))
    path = tmp_path / "converted.html"
    path.write_text(exporter.from_notebook_node(saved(*panels))[0])
    page = new_page(java_script_enabled=script)
    page.goto(path.as_uri())
    panels = page.locator(".msx-panel")
    assert ground(panels.first) == rgb(palette.DARK["bg"])
    if script:
        steps_alone(panels)
    else:
        assert panels.first.locator("details[open] img").is_visible()
        assert panels.first.locator("details[open]").get_by_text("bytes moved").is_visible()
        assert panels.first.get_by_text("Trust Notebook").is_visible()
