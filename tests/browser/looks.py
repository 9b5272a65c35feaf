"""How a page may look: colour scheme and width. Two in the quick tests, the others in the long."""

import pytest


def looks(*widths):
    """(scheme, width) of every look; light and narrow, dark and wide are quick."""
    quick = [("light", widths[0]), ("dark", widths[-1])]
    every = [(scheme, width) for scheme in ("light", "dark") for width in widths]
    later = [pytest.param(*look, marks=pytest.mark.long) for look in every if look not in quick]
    return [*quick, *later]
