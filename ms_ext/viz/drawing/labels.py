"""What is written on a node and in its tooltip, and how wide that text is.

Boxes are sized before any browser sees them, so width comes from a table: DejaVu Sans, the widest
of the usual fonts. A Chinese, Japanese or Korean character is as wide as two Latin ones.
"""

import os
import unicodedata
from collections import Counter
from typing import NamedTuple

from ..palette import GLYPHS
from ..panel.amounts import flops, size

SIZE, SMALL = 12.5, 10.5  # font sizes of the two lines, as in panel.css
_LONGEST = 30
_USERS = 8  # of a value that are named


class Label(NamedTuple):
    """The two lines of a node."""

    title: str
    kind: str


def width(text, points):
    """About how many pixels ``text`` takes in a font of that size.

    >>> width("MatMul", 10) < width("矩阵乘法矩阵", 10)
    True
    """
    return points * sum(map(_em, text))


def _em(character):
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    if unicodedata.combining(character):
        return 0.0
    return _WIDTHS.get(character, 0.8 if ord(character) > 126 or character.isupper() else 0.64)


_WIDTHS = {
    character: em
    for em, text in (
        (0.34, "ijlIJ',. "),
        (0.42, "f-()[]t!/:;\\|"),
        (0.54, 'r"*_`sz?c'),
        (0.89, "Mw#+<=>^~→−"),
        (1.02, "mW%@…"),
    )
    for character in text
}


def mono(text, points):
    """The width of ``text`` in a font whose characters are all equally wide."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return points * 0.61 * (len(text) + wide)


def short(text, longest=_LONGEST):
    """``text``, cut with an ellipsis where it is too long for a node.

    >>> short("abcdef", 4)
    'abc…'
    """
    text = " ".join(str(text).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def label(row):
    """The lines of a node that did not change.

    >>> from ms_ext.engine.ir.journal import Row
    >>> label(Row(1, "call", "Add", (), "f32[2]", None, None, 1, "", 0, (), (2, 8)))
    Label(title='Add', kind='f32[2]')
    """
    return Label(short(row.label), short("" if row.op == "Return" else row.abstract))


def latest(change):
    """The lines of a node in the picture of the difference."""
    now, old = label(change.row), label(change.before or change.row)
    return Label(_arrow(old.title, now.title), _arrow(old.kind, now.kind))


def _arrow(old, new):
    return new if old == new else f"{old}→{new}"


def place(where):
    """A source line without the machine's folders; a notebook's cell by that name.

    >>> place("/home/someone/model.py:12")
    'model.py:12'
    """
    if where is None:
        return ""
    file, _, line = str(where).rpartition(":")
    if "ipykernel_" in file or file.startswith("<ipython"):
        return f"cell:{line}"
    return f"{os.path.basename(file.replace(chr(92), '/')) or file}:{line}" if file else str(where)


def named(row):
    """A node as a word in a sentence: its id and what it is.

    >>> from ms_ext.engine.ir.journal import Row
    >>> named(Row(1, "call", "Add", (), "f32[2]", None, None, 1, "", 0, (), (2, 8)))
    '%1 Add'
    """
    return f"%{row.id} {short(row.label)}"


def facts(change, rows, users=()):
    """What there is to say about a node: (what, text) pairs, the same for tooltip and panel.

    ``rows`` finds the Row of an input by id; ``users`` are the ids of the nodes that use this one.
    """
    row, old = change.row, change.before or change.row
    moved = f"{flops(row.cost[0])}, {size(row.cost[1])} moved" if any(row.cost) else ""
    where = place(row.where)
    source = getattr(row.where, "text", "") or ""
    pairs = (
        ("node", f"{GLYPHS[change.state]} {_arrow(named(old), named(row))}".strip()),
        ("state", change.state),
        ("name", row.name or ""),
        ("type", _arrow(old.abstract, row.abstract)),
        ("inputs", _inputs(row, rows)),
        ("inputs before", "" if old.inputs == row.inputs else _inputs(old, rows)),
        ("used by", _users(users, rows)),
        ("attributes", _arrow(old.attrs, row.attrs)),
        ("cost", moved),
        ("scope", row.scope),
        ("where", where),
        ("source", short(source, 100)),
        ("made from", f"%{row.origin}" if row.origin else ""),
    )
    return [pair for pair in pairs if pair[1]]


def group_facts(group, rows):
    """The same of a group of nodes."""
    many = Counter(rows[node].op for node in group.members if rows[node].kind == "call")
    held = ", ".join(f"{op} ×{times}" if times > 1 else op for op, times in many.most_common(8))
    more = f" and {len(many) - 8} more" if len(many) > 8 else ""
    row = group.row
    pairs = (
        ("group", f"{group.scope} {row.abstract}" if group.scope else row.op),
        ("state", group.state),
        ("scope", group.scope),
        ("holds", held + more),
        ("cost", f"{flops(row.cost[0])}, {size(row.cost[1])} moved" if any(row.cost) else ""),
    )
    return [pair for pair in pairs if pair[1]]


def _inputs(row, rows):
    return _named(row.inputs, rows) or "none"


def _users(users, rows):
    more = f" and {len(users) - _USERS} more" if len(users) > _USERS else ""
    return _named(users[:_USERS], rows) + more


def _named(nodes, rows):
    return ", ".join(named(rows[i]) if i in rows else f"%{i}" for i in nodes)
