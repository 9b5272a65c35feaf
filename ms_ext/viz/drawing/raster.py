"""A picture as .png or .pdf: the SVG of a panel, drawn once more by matplotlib.

It reads the few elements that svg.py writes, and knows what their classes mean; so there is one
drawing, and this is only another pen. matplotlib is imported when a file is written.
"""

import re
from pathlib import Path
from unicodedata import east_asian_width
from xml.etree import ElementTree

from ...engine import errors
from ..palette import LIGHT, STATES

ENDINGS = (".png", ".pdf")
_INCH = 96.0  # pixels of a picture in an inch
_LARGEST = 12_000  # pixels of a side of a .png
_FONT = "DejaVu Sans"  # comes with matplotlib
_WIDE_FONTS = ("Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "PingFang SC", "SimHei")
_HIDDEN = {"before": ("added", "now", "both"), "after": ("removed", "was", "both")}
_PLAIN = ("glyph", "strike", "glow", "badge")  # what a plain picture does not have
_LINES = {"added": (2.5, "-"), "removed": (2.0, (0, (5, 3))), "rewritten": (2.0, "-")}


def save(svg, path, colours=LIGHT):
    """Write the picture ``svg`` to ``path``, a .png or .pdf by its name; returns the path."""
    path = Path(path)
    made, resolution = figure(svg, colours)
    nothing = {"CreationDate": None} if path.suffix == ".pdf" else {}
    with _matplotlib().rc_context({"pdf.fonttype": 42}):
        made.savefig(path, dpi=resolution, metadata=nothing)
    return path


def figure(svg, colours=LIGHT):
    """(the matplotlib figure of a picture, dots per inch at which it is sharp)."""
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width")), float(root.get("height"))
    matplotlib = _matplotlib()
    with matplotlib.rc_context({"font.family": _families(svg)}):
        size = (max(width, 1) / _INCH, max(height, 1) / _INCH)
        made = matplotlib.figure.Figure(figsize=size, facecolor=colours["bg"])
        axis = made.add_axes((0, 0, 1, 1))
        axis.set(xlim=(0, width), ylim=(height, 0))
        axis.set_axis_off()
        _Pen(axis, colours, root.get("class", "").split()).walk(root, ())
    return made, min(2 * _INCH, _LARGEST / max(*size, 1e-6))


def _matplotlib():
    """matplotlib, or a sentence that says how to get it."""
    try:
        import matplotlib.figure
    except ImportError:
        raise errors.NotRunnable(
            "A picture as .png or .pdf needs matplotlib.",
            hint="pip install matplotlib; .svg and .html need nothing.",
        ) from None
    return matplotlib


def _families(text):
    """The fonts for a text; those for Chinese are large, and opened only where there is some."""
    from matplotlib import font_manager

    if not any(east_asian_width(character) in "WF" for character in set(text)):
        return [_FONT]
    known = {font.name for font in font_manager.fontManager.ttflist}
    return [_FONT, *(name for name in _WIDE_FONTS if name in known)]


class _Pen:
    """Draws elements in the order of the file, later ones above."""

    def __init__(self, axis, colours, view):
        self.axis, self.colours, self.order = axis, colours, 0
        self.plain = "plain" in view
        hidden = [name for each in view for name in _HIDDEN.get(each, ())]
        shown = [] if set(view) & set(_HIDDEN) else ["was", "now"]
        self.hidden = {*hidden, *shown, *(_PLAIN if self.plain else ())}

    def walk(self, element, above):
        """Draw an element and what is in it; ``above`` are the classes around it."""
        own = element.get("class", "").split()
        if self.hidden.intersection(own):
            return
        name = element.tag.rpartition("}")[2]
        draw = getattr(self, f"_{name}", None)
        if draw:
            self.order += 1
            draw(element, own, (*above, *own))
        elif name in ("svg", "g"):
            for inner in element:
                self.walk(inner, (*above, *own))

    # shapes ---------------------------------------------------------------------------------

    def _rect(self, element, own, around):
        from matplotlib.patches import FancyBboxPatch

        x, y, wide, high, radius = _numbers(element, "x", "y", "width", "height", "rx")
        style = f"round,pad=0,rounding_size={min(radius, wide / 2, high / 2)}"
        self._add(FancyBboxPatch((x, y), wide, high, boxstyle=style), own, around)

    def _polygon(self, element, own, around):
        from matplotlib.patches import Polygon

        corners = [tuple(map(float, each.split(","))) for each in element.get("points").split()]
        self._add(Polygon(corners), own, around)

    def _ellipse(self, element, own, around):
        from matplotlib.patches import Ellipse

        x, y, rx, ry = _numbers(element, "cx", "cy", "rx", "ry")
        self._add(Ellipse((x, y), 2 * rx, 2 * ry), own, around)

    def _circle(self, element, own, around):
        from matplotlib.patches import Circle

        x, y, radius = _numbers(element, "cx", "cy", "r")
        self._add(Circle((x, y), radius), own, around)

    def _path(self, element, own, around):
        from matplotlib.patches import PathPatch

        self._add(PathPatch(_outline(element.get("d"))), own, around)

    def _add(self, patch, own, around):
        fill, line, width, dashes = self._look(own, around)
        patch.set(
            facecolor=self.colours[fill] if fill else "none",
            edgecolor=self.colours[line] if line else "none",
            linewidth=width * 72 / _INCH, linestyle=dashes, zorder=self.order,
        )  # fmt: skip
        self.axis.add_patch(patch)

    def _text(self, element, own, around):
        x, y = _numbers(element, "x", "y")
        kind = next((name for name in ("op", "type") if name in own), "small")
        size = {"op": 12.5}.get(kind, 11 if "region" in around else 10.5)
        said = element.text or ""
        for part in element:
            hidden = self.hidden & set(part.get("class", "").split())
            said += f"{'' if hidden else part.text or ''}{part.tail or ''}"
        muted = kind != "op" and "changed" not in own and "badge" not in around
        self.axis.text(
            x, y, said.replace("$", r"\$"), fontsize=size * 72 / _INCH, va="baseline",
            ha="left" if "start" in own or {"region", "port"} & set(around) else "center",
            color=self.colours["muted" if muted else "fg"], zorder=self.order,
            fontweight="bold" if "badge" in around or "changed" in own else "normal",
            style="italic" if "region" in around else "normal", clip_on=True,
        )  # fmt: skip

    # what classes mean ----------------------------------------------------------------------

    def _look(self, own, around):
        """(fill, line, width, dashes) of an element, by its classes and those around it."""
        state = next((name for name in STATES[1:] if name in around and not self.plain), "")
        if "edge" in around or "port" in around:
            return self._edge(own, around, state)
        if "glow" in own or "badge" in around:
            return ("" if "glow" in own else "bg"), "matched", 3.0 if "glow" in own else 1.5, "-"
        if "strike" in own:
            return "", "removed", 1.5, "-"
        if "cut" in own:
            return "", "muted", 1.5, (0, (1.5, 3))
        if "region" in around:
            return "frame", "rule", 1.0, "-"
        width, dashes = _LINES.get(state, (1.0, "-"))
        fill = "surface" if "control" in around else f"{state or 'unchanged'}-fill"
        changed = "fg" if "changed" in around and not state and not self.plain else ""
        width = 2.0 if changed else width
        return ("" if "inner" in own else fill), state or changed or "unchanged", width, dashes

    def _edge(self, own, around, state):
        line = state if state in ("added", "removed") else "edge"
        if "port" in around:
            return "bg", "edge", 1.2, "-"
        if "tip" in own:
            return line, "", 0.0, "-"
        dashes = (0, (5, 3)) if state == "removed" else "-"
        dashes = (0, (1.5, 3)) if "control" in around else dashes
        return "", line, {"added": 2.0, "removed": 1.5}.get(state, 1.2), dashes


def _numbers(element, *names):
    return [float(element.get(name, 0)) for name in names]


def _outline(text):
    """The path of an SVG ``d``: the commands M C L Q Z h v l, as svg.py and wires.py write them."""
    from matplotlib.path import Path as Outline

    points, codes, x, y = [], [], 0.0, 0.0
    for command, tail in re.findall(r"([MCLQZhvl])([^MCLQZhvl]*)", text):
        values = list(map(float, re.findall(r"-?[\d.]+(?:e-?\d+)?", tail)))
        if command == "Z":
            points.append((x, y))
            codes.append(Outline.CLOSEPOLY)
            continue
        if command in "hv":
            values = [x + values[0], y] if command == "h" else [x, y + values[0]]
        pairs = list(zip(values[::2], values[1::2], strict=True))
        if command == "l":
            pairs = [(x + dx, y + dy) for dx, dy in pairs]
        code = {"M": Outline.MOVETO, "C": Outline.CURVE4, "Q": Outline.CURVE3}
        codes += [code.get(command, Outline.LINETO)] * len(pairs)
        points += pairs
        x, y = points[-1]
    return Outline(points, codes)
