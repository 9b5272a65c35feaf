"""What a learner sees: verdicts and hints as text, as HTML, and as data in a saved notebook."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
import verdicts
from verdicts import MISSING, NUDGE, PARTLY, PASSED, SIBLING, notebook

import ms_ext as ms
from ms_ext.grading import diagnosis, submissions
from ms_ext.grading import verdict as data
from ms_ext.grading.notebook import hints
from ms_ext.grading.verdict import CheckResult, Verdict
from ms_ext.grading.verdict_html import html, style
from ms_ext.viz import palette

EVERY = verdicts.every()


# verdicts -----------------------------------------------------------------------------------------


def test_verdicts_in_a_terminal(golden):
    golden("grading/verdicts.txt", "\n\n".join(map(str, EVERY.values())) + "\n")


def test_hints_in_a_terminal(golden):
    golden("grading/hints.txt", f"{NUDGE!r}\n\n{SIBLING!r}\n")


@pytest.mark.parametrize("kind", EVERY)
def test_a_verdict_survives_json(kind):
    verdict = EVERY[kind]
    assert Verdict.read(json.loads(json.dumps(verdict.data()))) == verdict


@pytest.mark.parametrize("kind", EVERY)
def test_a_failed_assertion_shows_one_line(kind, monkeypatch):
    line = repr(EVERY[kind])
    assert line.startswith(f"<{EVERY[kind].name}: ") and line.endswith(".>") and "\n" not in line
    assert EVERY[kind]._repr_mimebundle_()["text/plain"] == str(EVERY[kind]) != line
    monkeypatch.setattr(data.sys, "ps1", ">>> ", raising=False)
    assert repr(EVERY[kind]) == str(EVERY[kind])


def test_ipython_shows_all_of_a_verdict():
    pretty = pytest.importorskip("IPython.lib.pretty").pretty
    assert pretty(PARTLY) == str(PARTLY)


def test_prints_of_a_debugger_do_not_bury_the_verdict():
    lots = "\n".join([f"{at}:{'x' * 300}" for at in range(40)])
    verdict = replace(PARTLY, printed=lots)
    for said in (str(verdict), verdict._repr_html_()):
        assert "... and 30 more lines" in said and "10:x" not in said and "9:x" in said
        assert "x" * 198 in said and "x" * 199 not in said
    assert len(str(verdict).splitlines()) < 50


@pytest.mark.parametrize(
    "place, step", [("", "Read the error above"), ("cell 2, line 3: x()", "Mend that line")]
)
def test_no_line_is_to_be_mended_where_none_is_known(place, step):
    error = {"kind": "TypeError", "kinds": ["TypeError"], "words": "no call", "place": place}
    assert diagnosis.of_error({"error": error}).next.startswith(step)


def test_only_passed_is_true():
    assert [bool(each) for each in (PASSED, PARTLY, MISSING)] == [True, False, False]


def elements(html):
    """The element of a verdict, parsed; what is not well formed fails."""
    text = html[html.index("</style>") + 8 :].replace("<br>", "<br/>")
    return ElementTree.fromstring(re.sub(r' tabindex="0"| open(?=>)', "", text))


@pytest.mark.parametrize("kind", EVERY)
def test_html_says_what_the_text_says(kind):
    verdict = EVERY[kind]
    page = elements(verdict._repr_html_())
    said = "".join(page.itertext())
    for words in (verdict.headline, verdict.next, *[w for row in _rows(verdict) for w in row]):
        assert words.replace("`", "") in said
    mark = page.find(".//p[@class='head']/span[@class='mark']").text
    assert mark == data.MARKS[verdict.status] and data.WORDS[verdict.status] in said
    assert ("ms.hint(" in said) == (verdict.status != "passed")


def _rows(verdict):
    return verdict.witness.rows() if verdict.witness else []


@pytest.mark.parametrize("kind", EVERY)
def test_nothing_runs_and_nothing_shares_an_id(kind):
    html = EVERY[kind]._repr_html_()
    tags = {each.tag.rpartition("}")[2] for each in elements(html).iter()}
    assert not {"script", "link", "img", "iframe", "button", "input"} & tags
    assert not re.search(r'\sid="|\son\w+="|url\(|@import', html)
    assert "https:" not in html.replace("http://www.w3.org/2000/svg", "")


def test_below_a_picture_the_status_is_said_again():
    """JupyterLab scrolls to the end of an output: the head of a tall one is off the screen."""
    drawn = Verdict(
        "a.b", "partly", "values", "No.", next="Look.", picture=data.Picture("", "x", "")
    )
    plain = Verdict("a.b", "partly", "values", "No.", next="Look.")
    assert "<b>◐ partly right.</b> <b>Next:</b> Look." in html(drawn)
    assert '<p class="next"><b>Next:</b> Look.' in html(plain)


def test_a_picture_that_could_not_be_drawn_is_told_in_words():
    verdict = Verdict("a.b", "failed", "values", "No.", picture=data.Picture("", "Too large.", ""))
    assert "Too large." in verdict._repr_html_() and "Too large." in str(verdict)


def test_a_saved_notebook_keeps_what_was_checked(tmp_path):
    bundle = json.loads(json.dumps(PASSED._repr_mimebundle_()))
    assert bundle[data.MIME] == {
        "name": "05.mul_bprop", "status": "passed", "code": "passed", "points": 3, "of": 3,
        "sha": "0123456789abcdef",
    }  # fmt: skip
    outputs = [
        {"output_type": "display_data", "data": each._repr_mimebundle_(), "metadata": {}}
        for each in (PASSED, SIBLING, NUDGE)
    ]
    path = notebook(tmp_path / "n.ipynb", "f = 1", outputs=outputs)
    read = submissions.read(path)
    assert read.shown["05.mul_bprop"]["status"] == "passed" and read.hints == {"05.mul_bprop": 3}


def test_a_check_that_waits_is_not_a_failure():
    waits, right = verdicts.WAITS, verdicts.RIGHT
    assert [each.status for each in (waits, right)] == ["not attempted", "passed"]
    assert CheckResult("a", "b", 0, 1, 0, 0).status == "not attempted"


def _colours(kind, dark):
    """The variables of a verdict's style sheet, as the page's own theme sets them."""
    theme = "false" if dark else "true"
    found = {}
    for name in ("", kind):
        lines = [
            line for line in style().splitlines()
            if f'data-jp-theme-light="{theme}"' in line
            and f".ms-verdict{'.' * bool(name)}{name} {{" in line
        ]  # fmt: skip
        for line in lines:
            found |= dict(re.findall(r"--(\w+): (#\w+)", line))
    return found


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("kind", ["passed", "partly", "failed", "not-attempted"])
def test_every_colour_can_be_read(kind, dark):
    colours = _colours(kind, dark)
    for name in ("ink", "quiet"):
        assert palette.contrast(colours[name], colours["soft"]) >= 4.5
    assert palette.contrast(colours["mark"], colours["soft"]) >= 3


# hints --------------------------------------------------------------------------------------------


def test_hints_come_one_by_one_in_any_order():
    shown = [ms.hint("tour.add_neg_to_sub", level) for level in (3, 1)]
    assert [each.level for each in shown] == [3, 1]
    assert shown[0].text != shown[1].text and {each.name for each in shown} == {"00.add_neg_to_sub"}
    assert shown[1]._repr_mimebundle_()[hints.MIME] == {"name": "00.add_neg_to_sub", "level": 1}


def test_code_in_a_hint_is_shown_as_code():
    assert elements(SIBLING._repr_html_()).find(".//pre").text.startswith("def f(a < b):\n")


@pytest.mark.parametrize("name, level", [("tour.add_neg_to_sub", 4), ("tour.add_neg", 1)])
def test_a_hint_that_does_not_exist_is_refused(name, level):
    with pytest.raises(ValueError, match=r"three hints|Did you mean"):
        ms.hint(name, level)
