"""A fused kernel's program in words: what is in the accumulator ``r`` after each instruction.

The program is written down again, by the code that wrote it for the machine, so the lines are the
instructions that run.
"""

from .._listing import word
from .grouping import fusion_of
from .program import Accumulator, Program

_INFIX = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "and": "and", "or": "or", "xor": "xor",
    "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=",
    "equal": "==", "not_equal": "!=",
}  # fmt: skip
_MOVES = {
    "load": "r = {a}",
    "store": "{a} = r",
    "load_truth": "r = {a} as a mask",
    "store_truth": "{a} = r as truth",
    "select": "r = {a} where r, else {b}",
    "select_yes": "r = r where {a}, else {b}",
    "select_no": "r = {b} where {a}, else r",
    "truth_to_int": "r = int(r)",
    "truth_to_real": "r = float(r)",
    "int_to_real": "r = float(r)",
}


def instructions(group):
    """(text, ids of the nodes it is for) of every instruction of a Group."""
    program, makers = Program(fusion_of(group.nodes[0]).width), []
    for node in group.nodes:
        program.write(node, fusion_of(node))
        makers += [node.id] * (len(program.steps) - len(makers))
    code = _Noted(program, [program.of[node] for node in group.outputs])
    steps, names = code.write(), _names(program, code, group.outputs)
    return [
        (said(name, names[a], names[b], function), (makers[at],) if at >= 0 else ())
        for (name, a, b, function), at in zip(steps, code.at, strict=True)
    ]


class _Noted(Accumulator):
    """Notes for every instruction which step of the program it belongs to; -1: to none yet."""

    def __init__(self, program, results):
        super().__init__(program, results)
        self.at, self.step = [], -1

    def operate(self, instruction, values):
        self.step += 1
        super().operate(instruction, values)

    def emit(self, *instruction):
        super().emit(*instruction)
        self.at.append(self.step)


def _names(program, code, outputs):
    """What lies in each place, in words; place 0 is nobody's."""
    arrays = [word(node) for node, _ in program.arrays]
    results = [f"result %{node.id}" for node in outputs]
    numbers = [word(node) for node, _ in program.numbers]
    constants = [str(value) for value, *_ in program.constants]
    slots = [f"slot {number + 1}" for number in range(code.slot_count)]
    return ["", *arrays, *results, *numbers, *constants, *slots]


def said(name, first, second, function):
    """One instruction in words.

    >>> said("mul", "%1 x", "", ""), said("sub_int_swapped", "%1 x", "", "")
    ('r = r * %1 x', 'r = %1 x - r')
    >>> said("call", "", "", "exp"), said("select_no", "%2", "0", "")
    ('r = exp(r)', 'r = 0 where %2, else r')
    """
    if name in _MOVES:
        return _MOVES[name].format(a=first, b=second)
    kind = name.replace("_int", "")
    plain = kind.removesuffix("_swapped")
    operands = (first, "r") if kind != plain else ("r", first)
    if plain == "call":
        return f"r = {function}({', '.join(filter(None, operands))})"
    if plain in _INFIX:
        return f"r = {operands[0]} {_INFIX[plain]} {operands[1]}"
    if plain in ("maximum", "minimum"):
        return f"r = {plain}({', '.join(operands)})"
    return f"r = {plain.replace('_', ' ')}(r)"
