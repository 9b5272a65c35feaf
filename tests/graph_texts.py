"""Graphs as text in tests: read one, write one with small numbers so that two can be compared."""

import re
import textwrap

from ms_ext.engine.ir import dump, load


def graph_of(text):
    """The graph that an indented text describes; the first line, `ms_ext graph 1`, is put in
    front."""
    return load("ms_ext graph 1\n" + textwrap.dedent(text).strip() + "\n")


def canonical(graph):
    """The text of a graph with its nodes and graphs numbered as they appear."""
    numbers = {}
    text = graph if isinstance(graph, str) else dump(graph)
    return re.sub(r"[%@]\d+", lambda m: numbers.setdefault(m[0], f"{m[0][0]}{len(numbers)}"), text)


def body(graph):
    """The lines of the outermost graph, without its head."""
    return textwrap.dedent("\n".join(canonical(graph).splitlines()[2:-1])).splitlines()


def ops_of(graph):
    """The names of the calls of a graph and its regions, sorted."""
    return sorted(n.primitive.name for each in graph.all_graphs() for n in each.order())
