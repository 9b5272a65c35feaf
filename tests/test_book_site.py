"""The static book: its pages come from one source each, show no solution, and link to what is."""

import json
import re

import pytest
from docutils.utils.math.latex2mathml import tex2mathml

from ms_ext.book import codes as told
from ms_ext.book import links, pass_examples, source
from ms_ext.book.site import (
    chapters,
    codes,
    formula,
    keyboard,
    mistakes,
    modules,
    operators,
    passes,
)
from ms_ext.book.site import pages as site_pages
from ms_ext.book.site.pages import Page, Part
from ms_ext.engine import errors, primitive
from ms_ext.engine.passes import REGISTRY
from ms_ext.grading.verdict import Verdict

OPS = {name: op for name, op in primitive.OPS.items() if op.module.startswith("ms_ext.ops.")}


@pytest.fixture(scope="module")
def reference():
    """The pages about ops, by name."""
    return {page.name: page.text for page in operators.pages()}


# the reference ------------------------------------------------------------------------------------


def section(text, op):
    """What a page says of one op."""
    return text.partition(f"({operators.anchor(op)})=")[2].partition("\n(op-")[0]


@pytest.mark.parametrize("name", OPS)
def test_every_op_tells_its_names_types_cost_gradient_and_example(reference, name):
    op = OPS[name]
    said = section(reference[f"ops/{op.module.rpartition('.')[2]}"], op)
    assert all(f"`{each}`" in said or f"`ops.{each}`" in said for each in op.names)
    assert ">>> " in said and "| FLOPs |" in said and f"class {name}" in said
    assert "def bprop(" in said if op.bprop else "None: " in said
    assert f"[{name}](#{operators.anchor(op)})" in reference["ops/index"]


def test_no_two_places_have_one_name(reference):
    names = re.findall(r"^\(([\w-]+)\)=$", "\n".join(reference.values()), re.MULTILINE)
    assert len(names) > 500 and [n for n in names if names.count(n) > 1] == []


def test_the_types_and_costs_are_those_of_the_engine(reference):
    said = section(reference["ops/matrix"], OPS["MatMul"])
    assert "| `f32[2,3]`, `f32[3,4]` |  | `f32[2,4]` | 48 | 104 |" in said
    said = section(reference["ops/trigonometry"], OPS["Sin"])
    row = next(line for line in said.split("\n") if line.startswith("| result |"))
    assert row == "| result | " + " | ".join(
        f"`{k}`" for k in "f32 f32 f32 f32 f32 f32".split()
    ) + (" | `f16` | `bf16` | `f32` | `f64` |")


@pytest.mark.parametrize("name", OPS)
def test_formulas_are_mathematics_that_a_browser_draws(name):
    found = [formula.of_op(OPS[name]), *(latex for _, latex in formula.of_bprop(OPS[name]))]
    for latex in filter(None, found):
        assert tex2mathml(latex, as_block=True).startswith("<math")


def test_formulas_follow_the_declarations():
    assert formula.of_op(OPS["Div"]) == r"\frac{x}{y}"
    assert r"\text{otherwise}" in formula.of_op(OPS["ReLU"])
    assert formula.of_bprop(OPS["Cos"]) == [("x", r"-\mathit{dout} \cdot \sin(x)")]
    assert formula.of_bprop(OPS["ReduceMax"]) == []  # a function of its own: the source shows it


def test_every_public_name_is_shown():
    found = {page.title: page.text for page in modules.pages()}
    for name, (module, names) in modules.SHOWN.items():
        for each in names or __import__(module, fromlist=["x"]).__all__:
            escaped = each.replace("_", "\\_")
            assert f"## {escaped}\n" in found[modules.SHORT[name]], (module, each)


# passes, errors, codes, keys ----------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(REGISTRY.files()))
def test_every_pass_has_an_example_on_which_it_fires(name):
    (record,) = passes.record_of(name, pass_examples.EXAMPLES[name]).passes
    assert record.matches


@pytest.mark.parametrize("name", sorted(pass_examples.NEAR_MISSES))
def test_a_near_miss_is_left_alone_and_told_why(name):
    (record,) = passes.record_of(name, pass_examples.NEAR_MISSES[name]).passes
    assert not record.matches and record.refusals
    assert all(each.sentence().endswith(".") for each in record.refusals)


def test_the_page_of_a_pass_shows_equation_program_panel_and_rules():
    found = {page.name: page.text for page in passes.pages()}
    text = found["passes/add_neg_to_sub"]
    assert "x + (-y)  ->  x - y" in text and "def centre(x):  # x: f32[2,3]" in text
    assert text.count('class="msx-panel') == 2 and "`Add(x, Neg(y))  ->  Sub(x, y)`" in text
    assert "pass time" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert {f"passes/{name}" for name in REGISTRY.files()} | {"passes/index"} == set(found)


def test_every_error_class_has_its_page_and_every_mistake_its_place():
    found = {page.title: page.text for page in mistakes.pages()}
    classes = [name for name in errors.__all__ if name[:1].isupper()]
    raised = mistakes.raised()
    assert {name for name in classes if name in raised} <= set(found)
    together = "\n".join(found.values())
    for title in mistakes._programs():
        assert f"### {title[:1].upper()}{title[1:]}\n" in together.replace("\\", "")
    assert "ms.jit(uses_try)(X)" in found["InvalidSyntax"]
    assert "‹name› is not defined" in found["NotDefined"].replace("'", "")


def test_a_code_has_a_page_with_its_words_and_verdict():
    failed = Verdict("example.double", "failed", "values", "A result has the wrong values.", of=1)
    shown = [
        told.Shown("values", "", "Return 2 * x.", "def double(x): return x", failed),
        told.Shown("passed"),
        told.Shown("regions-missed", "10.guarded", "Put a guard in.", "", failed),
    ]
    assert [told.Shown.read(json.loads(json.dumps(each.data()))) for each in shown] == shown
    index, values, passed, own = codes.pages(shown)
    assert "[values](#code-values)" in index.text and "[10.guarded](#" in index.text
    assert "def double" in values.text and "ms-verdict failed" in values.text
    assert 'class="foot"' not in values.text and told.ELSEWHERE["passed"] in passed.text
    assert "## regions-missed" in own.text


def test_a_verdict_that_quotes_a_solution_is_told_to_be_silent():
    chapter = source.parse(TEXT, "00_small")
    loud = Verdict("a.b", "failed", "raises", "No.", "cell 2, line 2: return x * 41 + 1")
    assert told.silent(loud, chapter).detail == "cell 2, line 2: ..."


def test_every_key_of_the_pictures_is_on_the_page():
    rows = keyboard.lists()
    assert all(len(each) > 1 for each in rows.values())
    assert {"j k", "m M", "/", "Esc"} <= {keys for keys, _ in rows["The pass panel and the graph"]}
    text = keyboard.page().text
    assert all(
        f"`{key}`" in text for each in rows.values() for keys, _ in each for key in keys.split()
    )


# chapters -----------------------------------------------------------------------------------------

TEXT = """---
title: Small
---

# Small

See [the codes](../appendix/codes.md).

```{code-cell} python
:tags: [predict]
guess = 3
```

```{code-cell} python
def f(x):
    # region solution
    return x * 41 + 1
    # endregion
```

```{code-cell} python
f(1)
```
"""
FIGURE = "<svg><metadata>today</metadata><!-- step --><!-- error --></svg>"


def small(*outputs):
    """The page of a chapter whose last cell gave these outputs."""
    chapter = source.parse(TEXT, "00_small")
    made = chapters.notebook(chapter, [[], [], list(outputs)], chapter.name)
    return chapter, made


def shown(data):
    return {"output_type": "display_data", "metadata": {}, "data": data}


def test_a_chapter_shows_the_learners_cells_and_says_what_they_are():
    _, made = small()
    text = chapters.as_text(made)
    assert "41" not in text and "# your code" in text
    assert "Predict" in text and "Yours to write" in text and "/codes/index.md" in text
    assert all(cell["id"] == f"cell-{at:03d}" for at, cell in enumerate(json.loads(text)["cells"]))


def test_outputs_come_in_one_form_without_dates_and_with_words_for_figures():
    ran = {"cells": [{"cell_type": "code", "outputs": [shown({"image/svg+xml": FIGURE, "x": ""})]}]}
    ((figure,),) = chapters.outputs(ran)
    assert set(figure["data"]) == {"image/svg+xml"} and "today" not in str(figure)
    _, made = small(figure)
    words = made["cells"][-1]["metadata"]["mystnb"]["image"]["alt"]
    assert "f(1)" in words and "step, error" in words


def test_a_solution_that_an_output_shows_stops_the_build():
    chapter, made = small(shown({"text/plain": "    return x * 41 + 1"}))
    with pytest.raises(errors.NotRunnable, match="would show a line of a solution"):
        chapters._no_solution(chapter, chapters.as_text(made))


def test_links_between_files_of_the_book_lead_to_pages():
    assert links.on_the_site("[a](05_bprop_contract/chapter.md#goal)") == (
        "[a](/chapters/05_bprop_contract.ipynb#goal)"
    )
    assert (
        links.on_the_site("[a](trust.md) [b](x.py)", "appendix")
        == "[a](/appendix/trust.md) [b](x.py)"
    )


# the folder that Sphinx reads ---------------------------------------------------------------------


def test_pages_that_stay_the_same_are_not_touched_and_old_ones_go(tmp_path):
    front, one, two = (
        Page("index", "Home", "# Home"),
        Page("a/b", "B", "# B"),
        Page("c", "C", "# C"),
    )
    site_pages.write(tmp_path, front, [Part("All", (one, two))])
    before = (tmp_path / "a" / "b.md").stat().st_mtime_ns
    site_pages.write(tmp_path, front, [Part("All", (one, two))])
    assert (tmp_path / "a" / "b.md").stat().st_mtime_ns == before
    site_pages.write(tmp_path, front, [Part("All", (two,))])
    assert not (tmp_path / "a").exists() and "/c\n" in (tmp_path / "index.md").read_text()
