"""What do learners give a graph instead of a node? Mistakes of every exercise that builds one."""

from .exercise import Mistake


def refused(words):
    """Recognises an answer that was refused, with these words."""
    return lambda failure: failure.code in ("invalid", "raises") and words in failure.words


MISTAKES = (
    Mistake(
        "list-as-node",
        refused("Give the nodes one by one"),
        "A list of nodes is no node.",
        "`returns` takes each node as an argument of its own, `add` one list in which every entry "
        "is a node.",
        "`graph.returns(a, b)`: in Python a star before a list gives its entries one by one.",
    ),
    Mistake(
        "name-as-node",
        refused("A name is no node"),
        "A name is no node.",
        "The lines speak of names; a graph knows only the nodes that you made.",
        "Keep a table from each name to its node, and look operands and results up in it.",
    ),
    Mistake(
        "operands-unlisted",
        refused("The operands are a list"),
        "The operands of a call are one list.",
        "`add(op, inputs)` takes all operands as its second argument, also where there is one.",
        "Compare the call in the line of the error with `graph.add(op, [x])`.",
    ),
    Mistake(
        "number-as-node",
        refused("makes one of a number"),
        "A number is no node.",
        "`add` takes nodes only; a constant is a node too.",
        "Which method of a graph makes the node of a number?",
    ),
)
