"""Which pictures does a panel have, and which of them fit into its page?

A picture is laid out and drawn when somebody looks, once. Small steps are laid out together, large
ones one at a time; a pass that changed nothing borrows the picture beside it and costs nothing.
"""

import functools
from typing import NamedTuple

from ...engine import errors
from ..panel.report import changed
from . import views
from .scene import scenes
from .svg import draw
from .together import few_more

ROOM = 900_000  # characters of all pictures of a page: 2 MB with what an <img> adds, and tables
ROOMS = 6  # pictures of the inside of scopes that a page has at most
SMALL = 300  # nodes of steps that are laid out together
WAITED = 150  # nodes that a page always waits for; of more, one layout for all steps, or for one
TOLD = 400  # changed nodes, matches, scopes of a large step that a page has as data


class Pictures(NamedTuple):
    """The pictures of one step, by name: whole, scopes, changes, inside <scope>.

    A step without pictures of its own is shown by those of step ``source`` in ``view``. ``about``
    has a sentence for each picture that does not show everything.
    """

    views: dict  # name of a picture -> SVG
    default: str  # the one to show first
    source: int
    view: str
    left_out: str  # a sentence about pictures that are not here, and how to see them
    about: dict = {}  # never written to


class Drawings:
    """The pictures of some steps, each drawn once."""

    def __init__(self, steps, start):
        self.steps, self._scenes, self._drawn = steps, {}, {}
        own = [index for index, step in enumerate(steps) if changed(step.said)]
        self.own = own or [0] * bool(steps)
        self.start = self.source(start)[0] if steps else 0  # whose pictures are seen first
        self._kept, self._views = None, {}

    def source(self, index):
        """(index of the step whose pictures a step is shown by, view)."""
        if index in self.own:
            return index, "diff"
        earlier = [i for i in self.own if i < index]
        return (max(earlier), "after") if earlier else (min(self.own), "before")

    # one picture ------------------------------------------------------------------------------

    def scene(self, index, view):
        """The Scene of a view of a step, or None where it cannot be laid out in time."""
        if (index, view.name) not in self._scenes:
            wanted = {(index, view.name): view}
            if self._size(index) <= SMALL:
                for other in self._small():
                    wanted |= {(other, each.name): each for each in self._waited(other)}
            self._lay_out({key: each for key, each in wanted.items() if key not in self._scenes})
        return self._scenes[index, view.name]

    def _small(self):
        return [index for index in self.own if self._size(index) <= SMALL]

    def _size(self, index):
        return len(self.steps[index].union.changes)

    # which pictures a page waits for ----------------------------------------------------------

    @functools.cached_property
    def _apart(self):
        """Whether the larger steps have so little in common that each needs its own layout."""
        large = [index for index in self._small() if self._size(index) > WAITED]
        return not few_more([set(self.steps[index].union.changes) for index in large])

    def _waited(self, index):
        """The views of a step that are laid out for the page, the first one leading."""
        if index not in self._views:
            self._views[index] = self._chosen(index)
        return self._views[index]

    def _chosen(self, index):
        step, size = self.steps[index], self._size(index)
        if index != self.start and size > views.HUGE:
            return [step.first]
        if index != self.start and self._apart and WAITED < size <= SMALL:
            return [step.near(), *(view for view in step.views if view.name != "whole")]
        return step.views

    def _lay_out(self, wanted):
        """Lay out together what is small, and each large picture by itself."""
        large = {key for key, view in wanted.items() if len(view.shown) > SMALL}
        groups = [[key for key in wanted if key not in large], *([key] for key in large)]
        for keys in filter(None, groups):
            unions = [wanted[key].union for key in keys]
            shown = [wanted[key].shown for key in keys]
            limit = max(wanted[key].limit for key in keys)
            self._scenes |= zip(keys, scenes(unions, shown, limit), strict=True)

    def svg(self, index, view):
        """The SVG of a view, "" where it cannot be laid out in time."""
        key = index, view.name
        if key not in self._drawn:
            step, scene = self.steps[index], self.scene(index, view)
            title = step.said["summary"] + (f" ({view.name})" if view.name != "whole" else "")
            self._drawn[key] = (
                draw(scene, view.union, step.matched, title=title) if scene is not None else ""
            )
        return self._drawn[key]

    def placed(self, index, name=None):
        """(view, its Scene) of a picture by its name; without one, the first that can be placed."""
        found = [self.named(index, name)] if name else self.steps[index].views
        for view in found:
            scene = self.scene(index, view)
            if scene is not None:
                return view, scene
        raise errors.NotRunnable(
            f"The picture {found[0].name} could not be laid out in {found[0].limit:.0f} s.",
            given=f"{len(found[0].shown)} nodes",
            hint="Ask for a smaller one (budget=, hops=), or use text(), json() or a .dot file.",
        )

    def named(self, index, name):
        """The view of a step by its name."""
        step = self.steps[index]
        for view in step.views:
            if view.name == name:
                return view
        if name == "whole":
            return step.whole()
        if name.startswith("inside "):
            return step.inside(name.removeprefix("inside "))
        known = self.names(index)
        raise errors.InvalidValue(
            "There is no such picture.",
            given=repr(name),
            hint=errors.did_you_mean(name, known) or f"There are {', '.join(known[:6])}.",
        )

    def names(self, index):
        """The names of all pictures that can be drawn of a step."""
        index, _ = self.source(index)
        step, scopes = self.steps[index], self.steps[index].said["scopes"]
        found = [view.name for view in step.views]
        if len(step.union.changes) <= views.LARGE or step.options.force:
            found.append("whole")
        return [*dict.fromkeys(found), *(f"inside {each['scope']}" for each in scopes)]

    # a page -----------------------------------------------------------------------------------

    def pictures(self, index):
        """The Pictures of one step as far as they fit into the page of all."""
        if self._kept is None:
            self._kept = self._fitting()
        kept, missing = self._kept
        source, view = self.source(index)
        if source != index:
            return Pictures({}, "", self.steps[source].said["number"], view, "")
        found = {each.name: self.svg(index, each) for each in kept[index]}
        about = {each.name: each.about for each in kept[index] if each.about}
        number = self.steps[index].said["number"]
        return Pictures(
            found, next(iter(found), ""), number, view, self._left_out(index, missing[index]), about
        )

    def told(self, index):
        """What a page says of a step: of a large graph, only nodes that changed or are drawn."""
        said = self.steps[index].said
        if len(said["nodes"]) <= SMALL:
            return said
        source, _ = self.source(index)
        self.pictures(source)
        kept = {node for view in self._kept[0][source] for node in view.shown}
        touched = [each["id"] for each in said["nodes"] if each["state"] != "unchanged"]
        return _part(said, kept.union(touched[:TOLD]))

    def _fitting(self):
        """The views of each step that fit, and the names of those that do not.

        First pictures come first, that of the step where the panel opens before all others.
        """
        kept, missing, room = {i: [] for i in self.own}, {i: [] for i in self.own}, ROOM
        for index, view in self._wanted():
            drawn = self.svg(index, view)
            if drawn and len(drawn) <= room:
                room -= len(drawn)
                kept[index].append(view)
            else:
                missing[index].append(view.name)
        return kept, missing

    def _wanted(self):
        order = sorted(self.own, key=lambda index: index != self.start)
        yield from ((index, self._waited(index)[0]) for index in order)
        yield from ((index, view) for index in order for view in self._waited(index)[1:])
        rooms = [(i, scope) for i in order for scope in self._rooms(i)]
        yield from ((i, self.steps[i].inside(scope)) for i, scope in rooms[:ROOMS])

    def _rooms(self, index):
        """Scopes that stand as groups in a picture of a step that has no whole one."""
        drawn = self.steps[index].views if self._size(index) <= views.HUGE else ()
        if any(view.name == "whole" for view in drawn):
            return []
        groups = [
            change
            for view in drawn
            for node, change in view.union.changes.items()
            if node in view.shown and getattr(change, "scope", "") and hasattr(change, "members")
        ]
        groups.sort(key=lambda group: group.state == "unchanged")
        return list(dict.fromkeys(group.scope for group in groups))

    def _left_out(self, index, missing):
        number = self.steps[index].said["number"]
        late = [name for name in missing if not self._drawn.get((index, name))]
        large = [name for name in missing if name not in late]
        waited = {view.name for view in self._waited(index)}
        known = self.steps[index].views if self._size(index) <= SMALL else ()
        apart = [view.name for view in known if view.name not in waited]
        told = []
        if late:
            told.append(
                f"Could not be laid out in time: {_listed(late)}; json() and text() have all of it."
            )
        if large:
            which = f"Not in this page, which would be larger than 2 MB: {_listed(large)}"
            told.append(f"{which}; {_how(large, number)}")
        if apart:
            which = f"Not in this page, which would take long to make: {_listed(apart)}"
            told.append(f"{which}; {_how(apart, number)}")
        return " ".join(told)


def _how(names, number):
    """How the first of some pictures can be drawn.

    >>> _how(["whole"], 3)
    'panel.svg(picture="whole", number=3) draws it.'
    """
    which = f", number={number}" if number else ""
    return f'panel.svg(picture="{names[0]}"{which}) draws {"the first" if names[1:] else "it"}.'


def _part(said, kept):
    """What is said of some nodes of a step."""
    nodes = [each for each in said["nodes"] if each["id"] in kept]
    edges = {
        kind: [each for each in said[kind] if each["source"] in kept and each["target"] in kept]
        for kind in ("edges", "enters", "backs")
    }
    long = ("nodes", "names", "at", "users")
    refusals = [each | {key: each[key][:TOLD] for key in long} for each in said["refusals"][:TOLD]]
    scopes = sorted(said["scopes"], key=lambda each: each["scope"].count("/"))[:TOLD]
    less = {"matches": said["matches"][:TOLD], "refusals": refusals, "scopes": scopes}
    return {**said, "nodes": nodes, **edges, **less, "left_out": len(said["nodes"]) - len(nodes)}


def _listed(names):
    """The names of a few pictures.

    >>> _listed(["whole"]), _listed(["scopes", "inside a", "inside b", "inside c"])
    ('the picture whole', 'the pictures scopes, inside a, inside b and 1 more')
    """
    more = f" and {len(names) - 3} more" if names[3:] else ""
    return f"the picture{'s' * (len(names) > 1)} {', '.join(names[:3])}{more}"
