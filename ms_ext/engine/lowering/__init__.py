"""A graph in MindSpore's words: subgraphs, Switch and Partial; as text, as a drawing.

It is made from the structured graph when somebody wants to see or export it, and never read back.
"""

from .closure import Call, Constant, Parameter, Program, Subgraph, functions
from .dot import dot
from .lower import lower
from .text import mindspore_text

__all__ = [
    "Call", "Constant", "Parameter", "Program", "Subgraph", "dot", "functions", "lower",
    "mindspore_text",
]  # fmt: skip
