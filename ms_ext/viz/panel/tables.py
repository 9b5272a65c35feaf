"""The lists below a picture: changes, matches, near misses, operations, and panes of lines.

The same content as the picture, for those who read rather than look.
"""

import re
from collections import Counter

from ..markup import classes, tag, text
from .amounts import number
from .text import kind

_ROWS = 200  # of a table
_NAMES = 8  # of nodes in one cell
_LINES = 400  # of a pane


def lists(said):
    """All lists of one step that have something to say."""
    yield from (_changes(said), _matches(said), _refusals(said), _operations(said))
    yield from panes(said.get("panes", ()))


def _table(name, tab, caption, heads, rows, count):
    cells = (tag("th", head, scope="col") for head in heads)
    table = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *cells)),
        tag("tbody", *rows),
        class_=name,
    )
    return tag("div", table, class_="list", data_tab=tab, data_count=number(count))


def _row(*cells, mark=None, **attributes):
    first = tag("td", text(mark), class_="mark") if mark is not None else ""
    return tag("tr", first, *(tag("td", cell) for cell in cells), **attributes)


def _changes(said):
    whole = not said["number"] and not any(n["state"] != "unchanged" for n in said["nodes"])
    nodes = [node for node in said["nodes"] if whole or node["state"] != "unchanged"]
    if not nodes:
        return ""
    rows = (
        _row(
            _signed(node),
            *map(text, (kind(node), node["where"], node["cost"])),
            mark=node["glyph"],
            class_=classes(node["state"], f"depth{min(node['depth'], 4)}"),
            data_id=node["id"],
        )
        for node in nodes[:_ROWS]
    )
    caption = f"Every node: {_kinds(nodes)}."
    if not whole:
        same = len(said["nodes"]) - len(nodes)
        caption = f"What changed; {number(same)} others, inputs and constants too, did not."
    if len(nodes) > _ROWS:
        caption += f" The first {_ROWS} of {number(len(nodes))}; text() and json() have all."
    tab = "every node" if whole else "changes"
    return _table("changes", tab, caption, ("", "node", "type", "where", "cost"), rows, len(nodes))


_SIGNED = re.compile(r"(?<![\w.])[-−][\d.][\w.+-]*")


def _signed(node):
    """The call; the line through a removed one must not hide the sign of a number."""
    call, said, done = node["call"], [], 0
    for found in _SIGNED.finditer(call) if node["state"] == "removed" else ():
        said += text(call[done : found.start()]), tag("span", text(found[0]), class_="signed")
        done = found.end()
    return "".join((*said, text(call[done:])))


def _kinds(nodes):
    """How many nodes of each kind there are, in words.

    >>> call, end = {"kind": "call", "op": "Add"}, {"kind": "call", "op": "Return"}
    >>> _kinds([call, call, {"kind": "parameter", "op": "Parameter"}, end])
    '2 calls, 1 parameter, Return'
    """
    ends = [node for node in nodes if node["op"] == "Return"]
    kinds = Counter(node["kind"] for node in nodes if node["op"] != "Return")
    words = [f"{number(many)} {kind}{'s' * (many != 1)}" for kind, many in kinds.items()]
    more = f"{len(ends)} Returns" if len(ends) > 1 else "Return"
    return ", ".join([*sorted(words, key=_calls_first), *[more] * bool(ends)])


def _calls_first(words):
    return "call" not in words


def _matches(said):
    if not said["matches"]:
        return ""
    rows = (
        _row(
            text(match["text"]),
            text(match["rule"]),
            mark=f"◎{match['number']}",
            data_match=match["number"],
            data_bound=" ".join(map(str, match["bound"])),
            data_made=" ".join(map(str, match["added"])),
        )
        for match in said["matches"][:_ROWS]
    )
    many = len(said["matches"])
    return _table("matched", "matches", "Where it matched", ("", "match", "rule"), rows, many)


def _refusals(said):
    if not said["refusals"]:
        return ""
    rows = (_row(text(each["why"]), _names(each)) for each in said["refusals"][:_ROWS])
    many = sum(len(each["nodes"]) for each in said["refusals"])
    caption = "Why it did not match here"
    return _table("refused", "near misses", caption, ("reason", "nodes"), rows, many)


def _names(refusal):
    """The nodes a sentence holds for, each with the operand that did not fit and its user."""
    parts = (refusal[name] for name in ("nodes", "names", "at", "users"))
    listed = [
        tag("span", text(name), data_id=node, data_at=at, data_user=user)
        for node, name, at, user in zip(*parts, strict=True)
    ]
    if len(listed) <= _NAMES:
        return ", ".join(listed)
    more = tag("summary", f"and {number(len(listed) - _NAMES)} more")
    rest = tag("details", more, ", ".join(listed[_NAMES:]))
    return f"{', '.join(listed[:_NAMES])} {rest}"


def _operations(said):
    """How often each operation is called, before and after: a change of kinds at a glance."""
    counts = [(each["op"], each["before"], each["after"]) for each in said["ops"]]
    if not counts:
        return ""
    one = not said["number"] and all(before == after for _, before, after in counts)
    rows = (_operation(*each, one) for each in counts)
    heads = ("operation", "calls") if one else ("", "operation", "before", "after")
    caption = "How often each operation is called"
    return _table("operations", "operations", caption, heads, rows, len(counts))


def _operation(name, before, after, one):
    if one:
        return _row(text(name), number(after))
    mark = f"+{after - before}" if after > before else f"−{before - after}" * (after < before)
    state = "rewritten" if mark and before and after else "added" if after else "removed"
    return _row(
        text(name), number(before), number(after), mark=mark, class_=state if mark else None
    )


# panes --------------------------------------------------------------------------------------------


def panes(found, opened=()):
    """Panes as lists of lines; a line knows the nodes it speaks of. Those ``opened`` lead."""
    said = [each if isinstance(each, dict) else each._asdict() for each in found]
    lead = [pane for name in opened for pane in said if pane["name"] == name]
    rest = [pane for pane in said if pane["name"] not in opened]
    return [*(_pane(pane, True) for pane in lead), *map(_pane, rest)]


def _pane(pane, opened=False):
    lines = [each if isinstance(each, dict) else each._asdict() for each in pane["lines"]]
    about, bars = pane["about"], "bars" * any(line["start"] is not None for line in lines)
    if len(lines) > _LINES:
        about = f"{about} The first {_LINES} of {number(len(lines))} lines.".strip()
    return tag(
        "details",
        tag("summary", text(pane["name"])),
        tag("p", text(about), class_="about") if about else "",
        tag("ol", *map(_line, lines[:_LINES]), class_=classes("pane", bars)) if lines else "",
        class_="list",
        data_tab=pane["name"],
        data_count=pane.get("shown") or number(len(lines)),
        open=opened,
    )


def _line(line):
    nodes = " ".join(map(str, line["nodes"])) or None
    value = tag("span", text(line["number"]), " ", class_="number") if line["number"] else ""
    return tag("li", value, tag("code", text(line["text"])), _bar(line), data_nodes=nodes)


def _bar(line):
    start, end = line["start"], line["end"]
    if start is None or end is None:
        return ""
    place = f"margin-left: {100 * start:.2f}%; width: {100 * max(end - start, 0.004):.2f}%"
    return tag("span", tag("i", style=place), class_="bar")
