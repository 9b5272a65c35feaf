"""How is one output of a cell shown on a page? Figures as they are, an error in short."""

import html
import re

_ANSI = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
_LONGEST = 20_000


def shown(output, traceback="the whole traceback"):
    """HTML for one output of a cell, or ""; ``traceback`` names what opens an error's lines."""
    if output["output_type"] == "error":
        return _error(output, traceback)
    return _SHOWN[output["output_type"]](output)


def _stream(output):
    return _text(output["text"], f"stream {output['name']}")


def _text(text, kind="text"):
    plain = _ANSI.sub("", text).rstrip("\n")
    if len(plain) > _LONGEST:
        plain = f"{plain[:_LONGEST]}\n... {len(plain) - _LONGEST} more characters"
    return f'<pre class="{kind}">{html.escape(plain)}</pre>' if plain else ""


def richest(data):
    """The form of an output that says most and needs no kernel; None if it has none.

    >>> richest({"text/plain": "x", "text/html": "<p>x</p>"})
    'text/html'
    """
    return next((mime for mime in _MIMES if mime in data), None)


def _data(output):
    mime = richest(output["data"])
    return _MIMES[mime](output["data"][mime]) if mime else ""


def _error(output, label):
    """The error itself; the traceback opens on request."""
    plain = [_ANSI.sub("", line) for line in output["traceback"]]
    words = html.escape(f"{output['ename']}: {_ANSI.sub('', output['evalue'])}")
    trace = html.escape("\n".join(plain[:-1]))
    more = (
        f"<details><summary>{html.escape(label)}</summary><pre>{trace}</pre></details>"
        if trace
        else ""
    )
    return f'<div class="error"><pre>{words}</pre>{more}</div>'


def _picture(kind):
    return lambda data: f'<img alt="" src="data:{kind};base64,{"".join(data.split())}">'


def _figure(data):
    """An SVG inside the page has no XML declaration and no DTD."""
    start = data.find("<svg")
    return f'<div class="figure">{data[start:] if start >= 0 else data}</div>'


def _html(data):
    return f'<div class="html">{data}</div>'


# the richest form that needs no kernel comes first
_MIMES = {
    "text/html": _html,
    "image/svg+xml": _figure,
    "image/png": _picture("image/png"),
    "image/jpeg": _picture("image/jpeg"),
    "text/plain": _text,
}
_SHOWN = {"stream": _stream, "execute_result": _data, "display_data": _data}
