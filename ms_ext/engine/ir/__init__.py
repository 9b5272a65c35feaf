"""The graph: nodes, FuncGraph and its editors, journals, the verifier, the text form."""

from .control import (
    CALL,
    CONTROL,
    FOR,
    IF,
    MAKE_TUPLE,
    RETURN,
    TUPLE_GET_ITEM,
    WHILE,
    WITH_REGIONS,
    ControlPrimitive,
    packed,
    results,
)
from .copying import clone, copy_node, inline, unpacked, written
from .depend import DEPEND
from .graph import FuncGraph
from .journal import Journal, Row, cost, listing, nbytes, replay, rewind, row, unwatch, watch
from .kept import ADD_KEPT, KEEP, RECALL
from .node import ERASED, CNode, Node, Parameter, ValueNode, Where
from .stacked import Stacked, stacked
from .text import dump, load
from .verify import verify

__all__ = [
    "ADD_KEPT",
    "CALL",
    "CONTROL",
    "DEPEND",
    "ERASED",
    "FOR",
    "IF",
    "KEEP",
    "MAKE_TUPLE",
    "RECALL",
    "RETURN",
    "TUPLE_GET_ITEM",
    "WHILE",
    "WITH_REGIONS",
    "CNode",
    "ControlPrimitive",
    "FuncGraph",
    "Journal",
    "Node",
    "Parameter",
    "Row",
    "Stacked",
    "ValueNode",
    "Where",
    "clone",
    "copy_node",
    "cost",
    "dump",
    "inline",
    "listing",
    "load",
    "nbytes",
    "packed",
    "replay",
    "results",
    "rewind",
    "row",
    "stacked",
    "unpacked",
    "unwatch",
    "verify",
    "watch",
    "written",
]
