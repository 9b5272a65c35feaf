"""A panel's report as text: the same content for a terminal, a screen reader or a test."""

from .amounts import number
from .report import changed

_WHOLE = 60  # nodes up to which the graph is written out; above, only what changed
_LONG = 40  # lines of matches or refusals
_OPS = 12  # ops that are counted


def page(title, report):
    """All steps of ``report``; an overview first if there are several.

    >>> page("empty", [])
    'empty\\n'
    """
    lines = [title]
    if len(report) > 1:
        lines += ["", *map(_overview, report)]
    for said in report:
        lines += ["", *step(said)]
    meanings = {stat["name"]: stat["meaning"] for said in report for stat in said["stats"]}
    if meanings:
        lines += [
            "",
            "the numbers",
            *(f"  {name + ':':<13} {text}" for name, text in meanings.items()),
        ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def marks(counts):
    """``+1 −3 ~1``, or that nothing changed.

    >>> marks({"unchanged": 14, "added": 1, "removed": 3, "rewritten": 0})
    '+1 −3'
    """
    pairs = (("+", "added"), ("−", "removed"), ("~", "rewritten"))
    return (
        " ".join(f"{glyph}{counts[state]}" for glyph, state in pairs if counts[state])
        or "no change"
    )


def _overview(said):
    matches = next((each["shown"] for each in said["stats"] if each["name"] == "matches"), "0")
    return (
        f"  {said['number']:>2}. {said['name']:<28} {marks(said['counts']):<14} matches {matches}"
    )


def step(said):
    """The lines of one step."""
    head = f"{said['number']}. {said['name']}" if said["number"] else said["name"]
    yield f"{head}    {said['doc']}" if said["doc"] else head
    yield f"  {said['summary']}"
    strip = [stat(each) for each in said["stats"] if changed(said) or each["before"] is None]
    yield from (f"  {'   '.join(strip[i : i + 4])}" for i in range(0, len(strip), 4))
    if said["hidden"]:
        yield f"  {said['hidden']}"
    yield from _ops(said)
    if changed(said) or not said["number"]:
        yield from _nodes(said)
    yield from _listed("matched here:", [f"◎{m['number']} {m['text']}" for m in said["matches"]])
    refused = [
        f"{', '.join(r['names'][:4])}{_more(r['names'], 4)}: {r['why']}" for r in said["refusals"]
    ]
    yield from _listed("why it did not match here:", refused)


def stat(said):
    """One number as a word: ``nodes 16 → 12 (−25 %)``.

    >>> stat({"name": "nodes", "shown": "16 → 12", "change": "−25 %"})
    'nodes 16 → 12 (−25 %)'
    """
    return f"{said['name']} {said['shown']}" + (f" ({said['change']})" if said["change"] else "")


def _ops(said):
    """How many calls of each op: those that differ; of a graph that is not written out, all."""
    whole = len(said["nodes"]) <= _WHOLE
    shown = [each for each in said["ops"] if not whole or each["before"] != each["after"]]
    if shown and (changed(said) or not said["number"]):
        listed = ", ".join(map(op_count, shown[:_OPS]))
        more = f" and {len(shown) - _OPS} more ops" if len(shown) > _OPS else ""
        yield f"  calls of each op: {listed}{more}"


def op_count(each):
    """How many calls of one op there are: ``Neg 2 → 0``.

    >>> op_count({"op": "Neg", "before": 2, "after": 0})
    'Neg 2 → 0'
    """
    before, after = each["before"], each["after"]
    return f"{each['op']} {after}" if before == after else f"{each['op']} {before} → {after}"


def _nodes(said):
    whole = len(said["nodes"]) <= _WHOLE
    depth, region, hidden = 0, "", 0
    for node in said["nodes"]:
        if not whole and node["state"] == "unchanged":
            hidden += 1
            continue
        enters = node["depth"] > depth or (node["depth"] == depth and node["region"] != region)
        if enters and node["region"] and whole:
            yield f"    {'    ' * node['depth']}{node['region']}:"
        depth, region = node["depth"], node["region"]
        yield _line(node)
    if hidden:
        yield f"    and {number(hidden)} unchanged nodes"


def kind(node):
    """The type of a node, with what it was before if that changed.

    >>> kind({"op": "Neg", "type": "f16[2]", "type_before": "f32[2]"})
    'f32[2] → f16[2]'
    """
    if node["op"] == "Return":
        return ""
    same = node["type"] == node["type_before"]
    return node["type"] if same else f"{node['type_before']} → {node['type']}"


def _line(node):
    shown = f": {kind(node)}" if kind(node) else ""
    place = f"    {node['where']}" if node["where"] else ""
    return f"  {node['glyph'] or ' '} {'    ' * node['depth']}{node['call']}{shown}{place}"


def _listed(title, lines):
    if lines:
        yield f"  {title}"
        yield from (f"    {line}" for line in lines[:_LONG])
        if len(lines) > _LONG:
            yield f"    and {number(len(lines) - _LONG)} more"


def _more(names, shown):
    return f" and {len(names) - shown} more" if len(names) > shown else ""
