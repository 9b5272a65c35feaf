"""What ``viz.gradcheck`` says: its title, and the whole of it as text."""

from .shapes_cases import listed

GLYPHS = {True: "✓", False: "✗"}
WORST, OFF, KINK = "◎", "✗", "^"
LEGEND = (
    f"{WORST} the worst element; {OFF} further apart than is allowed; · a difference that is "
    "allowed. One scale for the three maps of an input."
)
_KINKS = f"{KINK} a kink of the function: any slope between those of its two sides is right."


def title(shown):
    """How many gradients are right.

    >>> from types import SimpleNamespace as Shown
    >>> title(Shown(name="div", maps="xy", wrong=("y",), raised=None))
    'gradcheck of div: 1 of 2 gradients is wrong'
    """
    wrong, count = len(shown.wrong), len(shown.maps)
    head = f"gradcheck of {shown.name}: "
    if shown.raised is not None:
        return f"{head}no gradient came back"
    if not wrong:
        return head + {0: "no input to check", 1: "the gradient is right"}.get(
            count, f"all {count} gradients are right"
        )
    if count == 1:
        return f"{head}the gradient is wrong"
    return f"{head}{wrong} of {count} gradients {'is' if wrong == 1 else 'are'} wrong"


def heading(each):
    """The verdict about one input.

    >>> from types import SimpleNamespace as Maps
    >>> heading(Maps(passed=False, name="y", shape=(2, 3), cause="sign"))
    '✗ y [2, 3]: wrong (sign)'
    """
    shape = f" [{listed(each.shape)}]" if each.shape else ""
    verdict = "right" if each.passed else f"wrong ({each.cause})" if each.cause else "wrong"
    return f"{GLYPHS[each.passed]} {each.name}{shape}: {verdict}"


def lines(each):
    """The sentences about one input."""
    kinks = any(cell.kink for sheet in each.sheets for row in sheet.rows for cell in row)
    return [said for said in (each.sentence, each.worst, _KINKS * kinks) if said]


def page(shown):
    """All inputs as text."""
    found = [shown.title, *([shown.raised] if shown.raised is not None else [])]
    for each in shown.maps:
        found += ["", heading(each), *(f"    {said}" for said in lines(each))]
        for sheet in each.sheets:
            found += [f"    {sheet.title}{f': {sheet.note}' if sheet.note else ''}"]
            found += _rows(sheet)
    return "\n".join([*found, *(["", LEGEND] if shown.maps else [])]) + "\n"


def _rows(sheet):
    cells = [[marked(cell) for cell in row] for row in sheet.rows]
    wide = max((len(cell) for row in cells for cell in row), default=0)
    for row in cells:
        yield f"        {'  '.join(cell.rjust(wide) for cell in row)}"


def marked(cell):
    """A number with its marks.

    >>> from ms_ext.viz.widgets.gradcheck_maps import Cell
    >>> marked(Cell("4", "4", 5, worst=True, off=True))
    '◎✗4'
    """
    return f"{WORST * cell.worst}{OFF * cell.off}{KINK * cell.kink}{cell.said}"
