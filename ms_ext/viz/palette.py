"""Which colour means what, in light and in dark; the pictures carry classes only.

The hues are Okabe and Ito's, safe for colour-blind eyes. No state is told by colour alone: each
also has a glyph and a line style. The tests compute the contrast of every pair that is used.
"""

STATES = ("unchanged", "added", "removed", "rewritten")
GLYPHS = {"unchanged": "", "added": "+", "removed": "−", "rewritten": "~"}
MATCHED = "◎"

LIGHT = {
    "bg": "#ffffff",
    "fg": "#1b1b1b",
    "muted": "#565656",
    "dimmed": "#6e6e6e",
    "rule": "#d9d9d9",
    "surface": "#f6f7f8",
    "frame": "#fafafa",
    "accent": "#0060a0",
    "unchanged": "#8a8a8a",
    "unchanged-fill": "#f3f3f3",
    "added": "#0072b2",
    "added-fill": "#d6eaf8",
    "removed": "#d55e00",
    "removed-fill": "#fbe3d3",
    "rewritten": "#7a5c00",
    "rewritten-fill": "#fff3c4",
    "matched": "#cc79a7",
    "edge": "#8a8a8a",
    "lane-1": "#0072b2",
    "lane-1-rim": "#004a75",
    "lane-2": "#e69f00",
    "lane-2-rim": "#8a5f00",
    "lane-3": "#009e73",
    "lane-3-rim": "#00604a",
    "lane-4": "#cc79a7",
    "lane-4-rim": "#8a3f68",
    "lane-1-ink": "#ffffff",
    "lane-ink": "#1b1b1b",
}

DARK = {
    "bg": "#181818",
    "fg": "#f0f0f0",
    "muted": "#b9b9b9",
    "dimmed": "#919191",
    "rule": "#3d3d3d",
    "surface": "#222222",
    "frame": "#1f1f1f",
    "accent": "#7cc4f0",
    "unchanged": "#777777",
    "unchanged-fill": "#2a2a2a",
    "added": "#56b4e9",
    "added-fill": "#0d2c3f",
    "removed": "#f28e4e",
    "removed-fill": "#3d2110",
    "rewritten": "#f0e442",
    "rewritten-fill": "#3a350c",
    "matched": "#e79ac8",
    "edge": "#8c8c8c",
    "lane-1": "#56b4e9",
    "lane-1-rim": "#9bd3f2",
    "lane-2": "#e69f00",
    "lane-2-rim": "#ffc859",
    "lane-3": "#1fbf92",
    "lane-3-rim": "#6fdcbd",
    "lane-4": "#e79ac8",
    "lane-4-rim": "#f6c9e2",
    "lane-1-ink": "#101010",
    "lane-ink": "#101010",
}

_DARK_PLACES = (
    '[data-jp-theme-light="false"]',
    '[data-theme="dark"]',
    "body.vscode-dark",
    "body.vscode-high-contrast",
)
_LIGHT_PLACES = (
    '[data-jp-theme-light="true"]',
    '[data-theme="light"]',
    "body.vscode-light",
    "body.vscode-high-contrast-light",
)


def tokens(selector):
    """The colours as CSS variables on ``selector``: light, or dark where the system or page is.

    >>> "--msx-added: #0072b2;" in tokens(".panel")
    True
    """
    return "\n".join(
        (
            system_tokens(selector),
            f"{_inside(_DARK_PLACES, selector)} {{ {_block(DARK)} }}",
            f"{_inside(_LIGHT_PLACES, selector)} {{ {_block(LIGHT)} }}",
        )
    )


def system_tokens(selector):
    """The same for a picture that no page surrounds: only the system makes it dark.

    >>> "data-theme" in system_tokens(".panel")
    False
    """
    light, dark = _block(LIGHT), _block(DARK)
    return (
        f"{selector} {{ {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ {selector} {{ {dark} }} }}"
    )


def _block(colours):
    scheme = "dark" if colours is DARK else "light"
    listed = " ".join(f"--msx-{name}: {value};" for name, value in colours.items())
    return f"color-scheme: {scheme}; {listed}"


def _inside(places, selector):
    return ", ".join(f"{place} {selector}" for place in places)


def contrast(one, other):
    """The WCAG contrast ratio of two colours.

    >>> round(contrast("#ffffff", "#000000"), 1)
    21.0
    """
    bright, dim = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def _luminance(colour):
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
