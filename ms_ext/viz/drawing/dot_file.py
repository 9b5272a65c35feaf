"""A union as a file for Graphviz or any other viewer of large graphs: every node, nothing placed.

Scopes are clusters. The states are written as in the pictures: glyph in the label, line style,
colour.
"""

from ..palette import GLYPHS, LIGHT
from . import labels

_STYLES = {"added": "bold", "removed": "dashed", "rewritten": "bold", "unchanged": "solid"}
_SHAPES = {"parameter": "hexagon", "constant": "ellipse", "call": "box"}


def dot_text(union, name="graph"):
    """``union`` in the language of dot.

    >>> from ms_ext.viz.drawing.union import union
    >>> print(dot_text(union({}, {})))
    digraph "graph" {
    }
    """
    scopes = {}
    for node, change in union.changes.items():
        scopes.setdefault(change.row.scope, []).append(node)
    lines = [f"digraph {_quoted(name)} {{"]
    lines += _cluster(union, scopes, "", "  ")
    for edge in (*union.edges, *union.links, *union.backs):
        lines.append(f"  n{edge.source} -> n{edge.target} [{_drawn(edge.state)}];")
    return "\n".join((*lines, "}"))


def _cluster(union, scopes, scope, indent):
    """The nodes of a scope and the clusters of the scopes directly inside it."""
    for node in scopes.get(scope, ()):
        yield f"{indent}n{node} [{_node(union.changes[node])}];"
    for inner in _inside(scopes, scope):
        yield f"{indent}subgraph {_quoted(f'cluster {inner}')} {{"
        yield f"{indent}  label={_quoted(inner.rpartition('/')[2])};"
        yield from _cluster(union, scopes, inner, indent + "  ")
        yield f"{indent}}}"


def _inside(scopes, scope):
    start = f"{scope}/" if scope else ""
    found = (each[len(start) :].split("/")[0] for each in scopes if each and each.startswith(start))
    return [f"{start}{name}" for name in dict.fromkeys(found)]


def _node(change):
    two = labels.latest(change)
    glyph = GLYPHS[change.state]
    words = "\\n".join(filter(None, (f"{glyph} {two.title}".strip(), two.kind, f"%{change.id}")))
    return f"label={_quoted(words)} shape={_SHAPES[change.row.kind]} {_drawn(change.state)}"


def _drawn(state):
    return f'style={_STYLES[state]} color="{LIGHT[state]}" class="{state}"'


def _quoted(text):
    text = text.replace("\\", "\\\\").replace("\\\\n", "\\n").replace('"', '\\"')
    return f'"{text}"'
