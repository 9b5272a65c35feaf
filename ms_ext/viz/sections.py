"""What a panel says of one step: its sentence, its numbers, its picture, its tables."""

from .markup import classes, tag, text
from .stats import number
from .text import kind, marks

_ROWS = 200  # of a table
_NAMES = 8  # of nodes in one cell


def section(said, picture, source, view, start):
    """One step. ``picture`` is None where the picture of step ``source`` is shown in ``view``."""
    this = said["number"]
    name = f"{this}. {said['name']}" if this else said["name"]
    return tag(
        "details",
        tag("summary", text(name), " ", tag("small", marks(said["counts"])) if this else ""),
        _head(said, "" if picture else f"the graph {view} pass {source}"),
        tag("figure", picture, class_="picture", data_pass=this) if picture else "",
        tag("div", _changes(said), _matches(said), _refusals(said), class_="tables"),
        class_="step",
        data_pass=this,
        data_picture=source,
        data_view=view,
        data_matches=len(said["matches"]),
        open=this == start,
    )


def _head(said, borrowed):
    name = tag("b", text(f"{said['number']}. {said['name']}"), " ") if said["number"] else ""
    sentence = f"This pass changed nothing; the picture is {borrowed}."
    return tag(
        "div",
        tag("p", name, text(said["doc"]), class_="doc") if name or said["doc"] else "",
        tag("dl", *map(_tile, said["stats"]), class_="stats") if said["stats"] else "",
        tag("p", text(said["hidden"]), class_="note") if said["hidden"] else "",
        tag("p", text(sentence), class_="borrowed") if borrowed else "",
        class_="head",
        data_summary=said["summary"],
    )


def _tile(stat):
    way = {"−": "less", "+": "more"}.get(stat["change"][:1], "even")
    change = tag("span", text(stat["change"]), class_=way) if stat["change"] else ""
    return tag(
        "div",
        tag("dt", text(stat["name"])),
        tag("dd", tag("b", text(stat["shown"])), " ", change),
        tag("dd", text(stat["meaning"]), class_="meaning"),
    )


# tables -------------------------------------------------------------------------------------------


def _table(name, caption, heads, rows):
    cells = (tag("th", head, scope="col") for head in heads)
    return tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *cells)),
        tag("tbody", *rows),
        class_=name,
    )


def _row(*cells, mark=None, **attributes):
    first = tag("td", text(mark), class_="mark") if mark is not None else ""
    return tag("tr", first, *(tag("td", cell) for cell in cells), **attributes)


def _changes(said):
    nodes = [node for node in said["nodes"] if node["state"] != "unchanged" or not said["number"]]
    if not nodes:
        return ""
    rows = (
        _row(
            *map(text, (node["call"], kind(node), node["where"], node["cost"])),
            mark=node["glyph"],
            class_=classes(node["state"], f"depth{min(node['depth'], 4)}"),
            data_id=node["id"],
        )
        for node in nodes[:_ROWS]
    )
    caption = "The nodes."
    if said["number"]:
        same = len(said["nodes"]) - len(nodes)
        caption = f"What changed; {number(same)} other nodes are unchanged."
    if len(nodes) > _ROWS:
        caption += f" The first {_ROWS} of {number(len(nodes))}; text() and json() have all."
    return _table("changes", caption, ("", "node", "type", "where", "cost"), rows)


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
    return _table("matched", "Where it matched", ("", "match", "rule"), rows)


def _refusals(said):
    if not said["refusals"]:
        return ""
    rows = (_row(text(each["why"]), _names(each)) for each in said["refusals"][:_ROWS])
    return _table("refused", "Why it did not match here", ("reason", "nodes"), rows)


def _names(refusal):
    pairs = list(zip(refusal["nodes"], refusal["names"], strict=True))
    listed = ", ".join(tag("span", text(name), data_id=node) for node, name in pairs[:_NAMES])
    more = f" and {number(len(pairs) - _NAMES)} more" if len(pairs) > _NAMES else ""
    return listed + more
