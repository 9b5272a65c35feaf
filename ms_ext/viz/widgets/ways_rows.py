"""What ``viz.ways`` knows: the questions that lead to a func_type, and what each way does."""

import json
from pathlib import Path
from typing import NamedTuple

from ...engine.custom.ways import WAYS

COSTS = Path(__file__).resolve().parents[1] / "ways_cost.json"
QUESTION = "What do you have?"
#: Kind of code -> (what exactly, func_type): the tree, in reading order.
TREE = (
    ("Python", (
        ("a function of NumPy arrays", "pyfunc"),
        ("loops over elements, decorated by @kernel", "hybrid"),
        ("ops of this framework and nothing else", ""),
    )),
    ("C or C++", (
        ("a compiled library, or a source file beside the program", "aot"),
        ("the source as a text in the program", "jit"),
    )),
    ("a formula", (("one line for each element", "tbe"),)),
    ("a saved graph", (("a .mindir file", "mindir"),)),
)  # fmt: skip
#: What stands where no way is needed.
NO_WAY = "no Custom: a function of ops has its gradients and passes see into it"
#: func_type -> (who finds the code, what a call runs).
DOES = {
    "pyfunc": ("Python: it is an object", "Python, on copies as NumPy arrays"),
    "aot": ("the loader: a file, and a symbol in it", "machine code, on the tensors' own memory"),
    "jit": ("nobody: the text is here", "machine code, on the tensors' own memory"),
    "hybrid": ("Python: its source is read", "compiled loops; NumPy where no compiler is"),
    "tbe": ("nobody: the formula is here", "the ops of the formula, fused"),
    "mindir": ("a file of a graph", "the ops of the graph, optimised with yours"),
}
#: What is known by name only.
REFUSED = "akg, aicpu and julia are names only: they need what no ordinary machine has, and refuse"


class Row(NamedTuple):
    """One way: who finds the code, when it is compiled, what a call runs, when to use it."""

    func_type: str
    found: str
    compiled: str
    runs: str
    use: str


def rows():
    """A Row for each way there is, in the order of the tree.

    >>> rows()[0].func_type
    'pyfunc'
    """
    order = [leaf for _, leaves in TREE for _, leaf in leaves if leaf]
    return [_row(name, WAYS.get(name)) for name in order if name in WAYS]


def _row(name, way):
    found, runs = DOES[name]
    return Row(name, found, way.compiles, runs, way.when)


def costs():
    """What a call was measured to cost: {"when", "machine", "rows": {func_type: {"call_us"}}}.

    Empty where nobody has measured.
    """
    if not COSTS.exists():
        return {}
    return json.loads(COSTS.read_text(encoding="utf-8"))
