"""What does a learner get back? One page with every exercise: mark, diagnosis, next step.

The page opens from a file: no network, no script, light and dark, and on paper. Of a teacher's own
checks it says how many pass and what kind of mistake it was, never their names, inputs or values.
"""

import functools
from dataclasses import replace
from pathlib import Path
from string import Template
from typing import NamedTuple

from ms_ext.engine import errors
from ms_ext.grading import codes, exercise, verdict_html
from ms_ext.grading import verdict_text as words
from ms_ext.grading.classroom import people
from ms_ext.grading.classroom import rows as gradebook_rows
from ms_ext.grading.verdict import MARKS, WORDS, Verdict
from ms_ext.viz import markup, palette


class Result(NamedTuple):
    """What a page tells of an exercise: a row of the gradebook and the Verdict, if there is one."""

    row: dict
    verdict: Verdict | None


HERE = Path(__file__).parent
tag, text = markup.tag, markup.text
KEPT_BACK = "Only a check that your teacher keeps fails: what it tries is not shown."
THINK = "Which inputs do the open checks not try? Think of sizes, shapes and dtypes."
NOT_GRADED = "This answer could not be graded. That is no zero: your teacher will look at it."


def write(folder, learner, results):
    """Write the page of a learner; its path. A result has a ``row`` and a ``verdict`` or None."""
    path = Path(folder) / f"{people.file_name(learner)}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(learner, results), encoding="utf-8")
    return path


def render(learner, results):
    """The page of a learner as text."""
    results = sorted(results, key=lambda result: result.row["exercise"])
    rows = [result.row for result in results]
    passed = sum(row["status"] == "passed" for row in rows)
    total = f"{points(rows)}, {passed} of {len(rows)} exercise{'s' * (len(rows) != 1)} passed."
    parts = [tag("h1", text(learner)), tag("p", text(total), class_="total")]
    parts += [_overview(rows), *map(_section, results)]
    return page(f"Feedback: {learner}", parts, rows)


def of_verdicts(verdicts, version=""):
    """Verdicts without a gradebook as results: a page of one's own."""
    found = []
    for verdict in verdicts:
        row = gradebook_rows.of_verdict(verdict) | {"exercise": verdict.name, "version": version}
        row |= {"points": verdict.points, "warnings": " ".join(verdict.warnings)}
        found.append(Result(row, verdict))
    return found


def points(rows):
    """What was earned, of what could be; rows that could not be graded count for neither.

    >>> points([{"status": "passed", "points": "2", "of": "3"}])
    '2 of 3 points'
    """
    known = [row for row in rows if row["status"] in MARKS]
    return words.points(*(sum(float(row[name]) for row in known) for name in ("points", "of")))


def page(title, parts, rows):
    """A page that opens from a file and may load and run nothing at all."""
    template = Template((HERE / "feedback.html").read_text(encoding="utf-8"))
    style = [palette.tokens(".ms-feedback"), verdict_html.style()]
    style.append((HERE / "feedback.css").read_text(encoding="utf-8"))
    foot = tag("footer", text(_foot(rows)))
    body = "".join([*parts, foot])
    return template.substitute(title=text(title), style="\n".join(style), body=body)


def _foot(rows):
    """With what the rows were graded: enough to do it again."""
    versions = sorted({row["version"] for row in rows if row.get("version")})
    bundles = sorted({row["bundle"][:12] for row in rows if row.get("bundle")})
    said = f"Graded with ms_ext {', '.join(versions)}"
    return f"{said}; bundle {', '.join(bundles)}." if bundles else f"{said}."


# what a learner may see ----------------------------------------------------------------------


def shared(verdict):
    """The verdict as its learner may see it: nothing that a hidden check tried or found.

    A learner's code can print what it is called with, so where there are hidden checks nothing that
    was printed is shown either.
    """
    if all(check.open for check in verdict.checks):
        return verdict
    open_checks = tuple([check for check in verdict.checks if check.open])
    kept = replace(verdict, checks=open_checks, printed="")
    if verdict or any(check.points < check.of for check in open_checks):
        return kept
    known = verdict.code in codes.CODES or verdict.code in _mistakes(verdict.name)
    return replace(
        kept,
        code=verdict.code if known else "not shown",
        headline=meaning(verdict.code, verdict.name),
        detail=KEPT_BACK,
        next=THINK,
        witness=None,
        picture=None,
    )


def meaning(code, name=""):
    """A code in plain words, without the details of a case; ``name``: of the exercise.

    >>> meaning("values"), meaning("raises"), meaning("a word of a hidden check")
    ('The values are wrong.', 'Your code raises an error.', 'The answer is not what was asked for.')
    """
    plain = codes.CODES.get(code)
    generic = plain.headline if plain else "The answer is not what was asked for."
    said = _mistakes(name).get(code, generic)
    return said.replace("`{target}`", "what is asked for").replace("{kind}", "an error")


@functools.cache
def _mistakes(name):
    """Code -> headline of the mistakes that an exercise declares, in the open repository."""
    try:
        return {mistake.code: mistake.headline for mistake in exercise.load(name).mistakes}
    except errors.InvalidValue:
        return {}


def _hidden(verdict):
    """Of the hidden checks only how many there are, what they earn, and the kinds of mistakes."""
    hidden = [check for check in verdict.checks if not check.open]
    if not hidden:
        return ""
    earned, of = sum(c.points for c in hidden), sum(c.of for c in hidden)
    passed = sum(c.status == "passed" for c in hidden)
    head = f"Your teacher keeps {len(hidden)} more check{'s' * (len(hidden) != 1)}: "
    head += f"{passed} pass{'es' * (passed == 1)}, {words.points(earned, of)}."
    failed = {meaning(c.code, verdict.name): None for c in hidden if c.status == "failed"}
    return tag("p", verdict_html.inline(" ".join([head, *failed])), class_="hidden")


# parts of a page -----------------------------------------------------------------------------


def _section(result):
    row, verdict = result.row, result.verdict
    parts = [tag("h2", text(row["exercise"]))]
    if verdict is None:
        parts.append(tag("p", text(NOT_GRADED), class_="warning"))
    else:
        seen = replace(shared(verdict), warnings=())  # the row has them, and those of the file
        style = f"<style>{verdict_html.style()}</style>"  # once for the page is enough
        parts += [verdict_html.html(seen).removeprefix(style), _hidden(verdict)]
    if row.get("warnings"):
        told = verdict_html.inline(row["warnings"])
        parts.append(tag("p", tag("b", "! Note: "), told, class_="warning"))
    parts.append(tag("p", text(_source(row)), class_="source"))
    return tag("section", *parts, id=row["exercise"])


def _source(row):
    """Where the answer was read, and what hints cost."""
    said = []
    if row["status"] in MARKS and float(row["points"]) < float(row["earned"]):
        earned, counted = words.number(float(row["earned"])), words.number(float(row["points"]))
        said.append(f"Earned {earned}, with hints {counted}.")
    if row.get("file"):
        said.append(f"Read from {row['file']} (version {row['file sha'][:8]}).")
    return " ".join(said)


def _overview(rows):
    """The exercises in one list, each a link."""
    lines = [
        tag(
            "li",
            tag("span", MARKS.get(row["status"], "!"), class_="mark", aria_hidden="true"),
            tag("a", text(row["exercise"]), href=f"#{row['exercise']}"),
            tag("span", text(WORDS.get(row["status"], row["status"]))),
            tag("span", text(points([row]) if row["status"] in MARKS else ""), class_="points"),
            class_=row["status"].replace(" ", "-"),
        )
        for row in rows
    ]
    return tag("ol", *lines, class_="overview")


# for the teacher -----------------------------------------------------------------------------


def write_index(folder, rows):
    """Write index.html: the class in one table, with a link to every learner's page; its path."""
    path = Path(folder) / "index.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(index(rows), encoding="utf-8")
    return path


def index(rows):
    """The teacher's page as text; ``rows`` are those of grades.csv."""
    by_learner = {}
    for row in rows:
        by_learner.setdefault(row["learner"], {})[row["exercise"]] = row
    names = sorted({row["exercise"] for row in rows})
    heads = [tag("th", tag("span", text(name)), scope="col", class_="turned") for name in names]
    head = tag("tr", tag("th", "learner", scope="col"), tag("th", "points", scope="col"), *heads)
    lines = [_line(learner, own, names) for learner, own in sorted(by_learner.items())]
    table = tag("table", tag("thead", head), tag("tbody", *lines))
    marks = "   ".join(f"{MARKS[status]} {WORDS[status]}" for status in MARKS)
    legend = f"{marks}   ! could not be graded. Point at a mark to read more."
    parts = [tag("h1", "Feedback for a class"), tag("p", text(legend), class_="total")]
    return page("Feedback", [*parts, tag("div", table, class_="scrolls")], rows)


def _line(learner, own, names):
    link = tag("a", text(learner), href=f"{people.file_name(learner)}.html")
    cells = [_cell(own.get(name)) for name in names]
    return tag("tr", tag("th", link, scope="row"), tag("td", text(points(own.values()))), *cells)


def _cell(row):
    if row is None:
        return tag("td")
    said = f"{row['exercise']}: {row['status']}, {row['points'] or 0} of {row['of']}, {row['code']}"
    said += f". {row['warnings']}" if row.get("warnings") else ""
    mark = tag("span", MARKS.get(row["status"], "!"), title=said, role="img", aria_label=said)
    return tag("td", mark, class_=row["status"].replace(" ", "-"))
