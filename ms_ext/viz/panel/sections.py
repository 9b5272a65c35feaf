"""What a panel says of one step: its sentence, its numbers, its pictures, its tables.

All of it can be read where a page has neither script nor style: names, lists and tables.
"""

from ..markup import tag, text
from . import tables
from .report import changed
from .text import marks


def section(said, found, images, start):
    """One step. ``found`` is its Pictures, ``images`` the same pictures as images, by name."""
    this = said["number"]
    name = f"{this}. {said['name']}" if this else said["name"]
    borrowed = "" if images else f"the graph {found.view} pass {found.source}"
    return tag(
        "details",
        tag("summary", text(name), " ", tag("small", marks(said["counts"])) if this else ""),
        _head(said, borrowed, found),
        _figure(images, found.default) if images else "",
        tag("div", *tables.lists(said), class_="tables"),
        class_="step",
        data_pass=this,
        data_name=said["name"],
        data_picture=found.source,
        data_changed=changed(said),
        data_view=found.view,
        data_matches=len(said["matches"]),
        open=this == start,
    )


def named(picture):
    """The name of a picture in words.

    >>> named("whole"), named("inside attention/norm")
    ('every node', 'inside attention/norm')
    """
    words = {"whole": "every node", "scopes": "folded by scope", "changes": "near what changed"}
    return words.get(picture, picture)


def _figure(images, default):
    others = (
        tag("details", tag("summary", text(named(name))), image)
        for name, image in images.items()
        if name != default
    )
    return tag("figure", images[default], *others, class_="picture", data_default=default)


def _head(said, borrowed, found):
    name = tag("b", text(f"{said['number']}. {said['name']}"), " ") if said["number"] else ""
    sentence = f"This pass changed nothing; the picture is {borrowed}."
    about = said["hidden"] or found.about.get(found.default, "")
    hidden = tag("p", text(about), class_="note hidden") if about else ""
    return tag(
        "div",
        tag("p", name, text(said["doc"]), class_="doc") if name or said["doc"] else "",
        tag("table", tag("tbody", *map(_stat, said["stats"])), class_="stats")
        if said["stats"]
        else "",
        hidden,
        tag("p", text(found.left_out), class_="note") if found.left_out else "",
        tag("p", text(sentence), class_="borrowed") if borrowed else "",
        class_="head",
        data_summary=said["summary"],
    )


def _stat(stat):
    """A row, which style shows as a tile."""
    way = {"−": "less", "+": "more"}.get(stat["change"][:1], "even")
    change = tag("span", text(stat["change"]), class_=way) if stat["change"] else ""
    return tag(
        "tr",
        tag("th", text(stat["name"]), scope="row"),
        tag("td", tag("b", text(stat["shown"])), " ", change),
        tag("td", text(stat["meaning"]), class_="meaning"),
    )
