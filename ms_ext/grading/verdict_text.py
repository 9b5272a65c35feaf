"""How does a verdict read in a terminal?"""

import textwrap

from .verdict import MARKS, WORDS

WIDTH = 92
_LABEL = 17
_FIRST, _PRINTED = 10, 200  # lines, characters of each
LEVELS = {1: "a nudge", 2: "the method", 3: "a worked sibling"}


def text(verdict):
    """The whole verdict, without a line break at its end."""
    lines = [f"{MARKS[verdict.status]} {verdict.name}: {WORDS[verdict.status]}{_earned(verdict)}"]
    lines += _wrapped(verdict.headline) + _wrapped(verdict.detail)
    lines += [_check(each, verdict.checks) for each in verdict.checks]
    lines += _rows(verdict.witness.rows() if verdict.witness else ())
    lines += _rows([("picture", _told(verdict.picture))] if _tells_more(verdict) else ())
    lines += _rows([("next", verdict.next)] if verdict.next else ())
    lines += _rows([("hints", asking(verdict.name))] if verdict.status != "passed" else ())
    lines += _rows([("code printed", printed(verdict.printed))] if verdict.printed else ())
    lines += _rows([("! warning", warning) for warning in verdict.warnings])
    lines.append(f"  ({foot(verdict)})")
    return "\n".join(line.rstrip() for line in lines)


def line(verdict):
    """The verdict in one line.

    >>> from .verdict import Verdict
    >>> Verdict("05.mul_bprop", "partly", "values", "The values are wrong.", points=3, of=4)
    <05.mul_bprop: partly right, 3 of 4 points: The values are wrong.>
    """
    said = f"{verdict.name}: {WORDS[verdict.status]}{_earned(verdict)}: {verdict.headline}"
    return f"<{' '.join(said.split())}>"


def printed(text):
    """The beginning of what code printed: enough to recognise it, and the verdict stays in sight.

    >>> printed("a\\n" * 12).splitlines()[-1]
    '... and 2 more lines'
    """
    lines = text.splitlines()
    shown = [each if len(each) <= _PRINTED else f"{each[:_PRINTED]} ..." for each in lines[:_FIRST]]
    more = len(lines) - len(shown)
    return "\n".join([*shown, *([f"... and {more} more line{'s' * (more != 1)}"] if more else [])])


def asking(name):
    """How to ask for a hint.

    >>> print(asking("05.mul_bprop"))
    ms.hint("05.mul_bprop", 1): a nudge; 2: the method; 3: a worked sibling
    """
    first, *others = [f"{level}: {what}" for level, what in LEVELS.items()]
    return f'ms.hint("{name}", {first[0]}){first[1:]}; {"; ".join(others)}'


def number(points):
    """Points without a needless fraction.

    >>> number(2.0), number(0.5), number(1 / 3)
    ('2', '0.5', '0.33')
    """
    return f"{round(points, 2):g}"


def points(earned, of):
    """Points in words.

    >>> points(0, 1), points(1.5, 3)
    ('0 of 1 point', '1.5 of 3 points')
    """
    return f"{number(earned)} of {number(of)} point{'s' * (of != 1)}"


def cases(check):
    """How many cases pass, in words; of a check that was not asked, that it waits.

    >>> from .verdict import CheckResult
    >>> cases(CheckResult("values", "right values", 0, 1, passed=3, total=4))
    '3 of 4 cases'
    """
    if not check.total:
        return "not asked yet"
    waits = ", not yet counted" * (check.status == "not attempted")
    return f"{check.passed} of {check.total} case{'s' * (check.total != 1)}{waits}"


def title(check):
    """What a check looks at."""
    return check.title if check.open else f"{check.title} (a check of your teacher's)"


def foot(verdict):
    """The last line: the diagnosis as one word for a search, and how long it took."""
    seconds = f"{verdict.seconds:.2f} s"
    return seconds if verdict.status == "passed" else f"diagnosis {verdict.code}, {seconds}"


def _tells_more(verdict):
    """Does the picture say what the rows above it do not? They may hold the graphs already."""
    labels = [label for label, _ in verdict.witness.rows()] if verdict.witness else []
    return verdict.picture and not any(
        "your graph" in label or "the graph" in label for label in labels
    )


def _told(picture):
    return picture.text or picture.sentence


def _earned(verdict):
    return f", {points(verdict.points, verdict.of)}" if verdict.of else ""


def _check(check, checks):
    wide = max(len(title(each)) for each in checks)
    many = max(len(cases(each)) for each in checks)
    head = f"  {MARKS[check.status]} {title(check):<{wide}}   {cases(check):<{many}}"
    return f"{head}   {points(check.points, check.of)}"


def _rows(rows):
    lines = []
    for label, words in rows:
        first, *rest = _lines(words, WIDTH - _LABEL - 3) or [""]
        lines.append(f"  {label + ':':<{_LABEL}} {first}")
        lines += [f"{'':<{_LABEL + 3}}{line}" for line in rest]
    return lines


def _wrapped(words):
    return [f"  {line}" for line in _lines(words, WIDTH - 2)]


def _lines(words, width):
    """Lines broken at words where they are too long, their indentation kept."""
    found = []
    for line in words.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        found += [line] if len(line) <= width else textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )  # fmt: skip
    return found
