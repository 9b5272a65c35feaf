"""The page of ``viz.symbols``: what is exported, what is needed, which libraries, the answers."""

from ...engine.custom.loading import contents
from ...engine.custom.loading.demangle import demangled
from ..card import block
from ..markup import classes, tag, text
from . import symbols_words as words
from .trace_page import short

MOST, FEW = 40, 6  # rows of a table; names of a library in one line


def page(symbols):
    """The tables as text."""
    found = symbols.contents
    parts = [[symbols.title], _answers(symbols), _exported(found), _needed(found)]
    parts.append(_libraries(found))
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _answers(symbols):
    lines = [symbols.answer] if symbols.answer else []
    if symbols.other:
        lines.append(_twice(symbols))
    return lines


def _twice(symbols):
    other = symbols.other.file
    given = [each for each in symbols.contents.nobodys if each in _all(symbols.other)]
    if given:
        return f"{other} offers {', '.join(given[:FEW])}, and the loader does not know of it."
    if not symbols.twice:
        return f"{other} exports none of its functions."
    names = ", ".join(symbols.twice[:FEW]) + ", ..." * (len(symbols.twice) > FEW)
    return f"{other} exports {names} too: which one is called depends on how they are loaded."


def _all(found):
    return {each.name for each in found.exported}


def _exported(found):
    rows, more = _own(found)
    wide = max((len(each.name) for each in rows), default=0)
    lines = ["exports"]
    for each in rows:
        name = f"{each.name:<{min(wide, 48)}}"
        lines.append(f"  {words.letter(each.role)} {name}  {words.use(found, each)}")
        lines += [f"      = {each.shown}"] * (each.shown != each.name)
    return lines + [f"  {line}" for line in more] if rows or more else ["exports nothing"]


def _own(found):
    """(the rows worth a line, sentences about the others)."""
    own = [each for role in words.FOUND_BY for each in found.of(role)]
    more = [f"and {len(own) - MOST} more"] if len(own) > MOST else []
    inline, data = found.of("inline"), found.of("data")
    if inline:
        more.append(f"W {words.count(len(inline), 'inline function')} of C++, mostly of headers")
    if data:
        more.append(f"D {words.count(len(data), 'name')} of data")
    return own[:MOST], more


def _needed(found):
    lines = ["needs"] if found.needs else []
    for label, names in found.needs.items():
        head = f"  {_mark(found, label)} {words.provider(label, found)}"
        if label == contents.NOBODY:
            lines += [head, *(f"      {_told(found, name)}" for name in names[:MOST])]
            lines += [f"      and {len(names) - MOST} more"] * (len(names) > MOST)
        else:
            rest = f", and {len(names) - FEW} more" if len(names) > FEW else ""
            lines.append(f"{head}: {', '.join(names[:FEW])}{rest}")
    return lines


def _told(found, name):
    said = _said(found, name)
    return f"{name} = {said}" if said else name


def _said(found, name):
    """A needed name as it stands in the source, and what that suggests."""
    shown = [demangled(name)] * (demangled(name) != name)
    return "; ".join([*shown, *filter(None, [words.hint(found, name)])])


def _mark(found, label):
    if label != contents.NOBODY:
        return "✓"
    return "○" if found.kind.startswith("an object") else "✗"


def _libraries(found):
    lines = ["libraries"] if found.libraries else []
    for name, path in found.libraries.items():
        lines.append(f"  ✓ {name}  {short(path)}" if path else f"  ✗ {name}  {_ABSENT}")
    return lines


_ABSENT = "not where the loader looks, nor in a folder that this library names"


# HTML ---------------------------------------------------------------------------------------------


def card(symbols):
    """The tables as HTML."""
    found = symbols.contents
    answers = _answers(symbols)
    lists = [tag("p", text(line), class_="answer") for line in answers]
    return block(
        "symbols",
        symbols.title,
        *lists,
        tag("div", _exports(symbols), class_="wide", tabindex="0"),
        tag("div", _needs(found), class_="wide", tabindex="0") if found.needs else "",
        _files(found),
        sheets=("symbols.css",),
    )


def _exports(symbols):
    found = symbols.contents
    rows, more = _own(found)
    head = ("nm", "exported name", "in the source", "who finds it")
    body = [_export(symbols, each) for each in rows]
    last = [tag("tr", tag("td", text(line), colspan=4, class_="more")) for line in more]
    if not rows and not more:
        last = [tag("tr", tag("td", "nothing", colspan=4, class_="more"))]
    return _table("exports", head, [*body, *last])


def _export(symbols, each):
    on = each.name == symbols.find
    again = each.name in symbols.twice
    mark = "▶ " * on + "‼ " * again
    return tag(
        "tr",
        tag("td", words.letter(each.role), class_="nm"),
        tag("th", tag("code", mark, text(each.name)), scope="row"),
        tag("td", tag("code", text(each.shown)) if each.shown != each.name else ""),
        tag("td", text(words.use(symbols.contents, each))),
        class_=classes(each.role.replace("+", "x").lower(), "on" * on, "twice" * again),
    )


def _needs(found):
    rows = []
    for label, names in found.needs.items():
        nobody = label == contents.NOBODY
        mark = tag("span", _mark(found, label), class_="mark")
        who = tag("th", mark, " ", text(words.provider(label, found)), scope="row")
        listed = [_need(found, name) for name in names[:MOST]] if nobody else [_names(names)]
        bad = nobody and not found.kind.startswith("an object")
        class_ = classes("nobody" * nobody, "bad" * bad)
        rows.append(tag("tr", who, tag("td", f"{len(names)}"), tag("td", *listed), class_=class_))
    return _table("needs", ("from", "names", "which"), rows)


def _need(found, name):
    return tag("p", tag("code", text(name)), " ", text(_said(found, name)))


def _names(names):
    first = tag("code", text(", ".join(names[:FEW])))
    if len(names) <= FEW:
        return first
    rest = tag("code", text(", ".join(names[FEW : FEW * MOST])))
    return tag("details", tag("summary", first, f" and {len(names) - FEW} more"), rest)


def _files(found):
    rows = []
    for name, path in found.libraries.items():
        mark = tag("span", "✓" if path else "✗", class_="mark")
        where = tag("code", text(short(path))) if path else text(_ABSENT)
        class_ = classes("bad" * (path is None))
        rows.append(tag("tr", tag("th", mark, " ", text(name), scope="row"), tag("td", where),
                        class_=class_))  # fmt: skip
    if not rows:
        return ""
    table = _table("libraries", ("library", "found"), rows)
    return tag("div", table, class_="wide", tabindex="0")


def _table(name, head, rows):
    cells = tag("tr", *(tag("th", text(each), scope="col") for each in head))
    return tag(
        "table",
        tag("caption", name),
        tag("thead", cells),
        tag("tbody", *rows),
    )
