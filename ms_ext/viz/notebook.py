"""How a FuncGraph at the end of a notebook cell becomes a picture.

The engine knows nothing of notebooks, so the formatter is registered from here, by type name.
"""

import sys


def teach():
    """Tell the running IPython, if there is one, how to draw a FuncGraph and a PipelineRecord.

    >>> teach()
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None:
        return
    html = shell.display_formatter.formatters["text/html"]
    html.for_type_by_name("ms_ext.engine.ir.graph", "FuncGraph", _graph)
    html.for_type_by_name("ms_ext.engine.pipeline", "PipelineRecord", _record)


def _graph(graph):
    from .graph import graph as draw

    return _drawn(draw, graph)


def _record(record):
    from .passes import passes

    return _drawn(passes, record)


def _drawn(draw, value):
    """The picture of ``value``, or its text with one sentence why there is no picture."""
    from .panel import page

    try:
        return page.shown(draw(value))
    except Exception as problem:  # a cell shows its value, not a traceback of the drawing
        return page.instead(problem, str(value))
