"""From a group of nodes to a Kernel: which instruction comes when, what stays in the accumulator.

Every value is written down once (operands, constants, steps). Then the steps are put in the
machine's form: one operand is what the step before left in the accumulator, the others are places
in memory. A value that is needed again later is stored to a slot, a result to its place.
"""

import numpy as np

from ...ir import ValueNode
from .instructions import CALLS, CONVERSIONS, LANES, OF

COMMUTATIVE = frozenset(
    "add mul add_int mul_int maximum_int minimum_int and or xor equal not_equal equal_int "
    "not_equal_int".split()
)
MIRRORED = {  # the same with the operands the other way round
    "less": "greater",
    "less_equal": "greater_equal",
    "greater": "less",
    "greater_equal": "less_equal",
    "less_int": "greater_int",
    "less_equal_int": "greater_equal_int",
    "greater_int": "less_int",
    "greater_equal_int": "less_equal_int",
} | {name: f"{name}_swapped" for name in ("sub", "div", "maximum", "minimum", "sub_int")}
SQUARES = {"mul": "square", "mul_int": "square_int"}


class Program:
    """The values and steps of one group; ``inputs`` are the nodes that come from outside."""

    def __init__(self, width):
        self.width = width
        self.letters, self.steps = [], []  # of every value; (instruction, values, result)
        self.arrays, self.numbers, self.constants = {}, {}, {}  # what it is -> its value
        self.of = {}  # node of the group -> its value

    def write(self, node, fusion):
        """Append the steps of ``node``."""
        of, letters, operands = self.of, self.letters, []
        for used, letter, dtype in zip(node.inputs, fusion.letters, fusion.wanted, strict=True):
            value = of.get(used)
            if value is None or letters[value] != letter:
                value = self.operand(used, letter, dtype)
            operands.append(value)
        for instruction, places, letter in fusion.steps:
            values = [operands[p] if type(p) is int else self.constant(*p) for p in places]
            self.steps.append((instruction, values, len(letters)))  # as `append`, for speed
            operands.append(len(letters))
            letters.append(letter)
        of[node] = operands[-1]

    def append(self, instruction, values, letter):
        """A step's result, as a new value."""
        self.steps.append((instruction, values, len(self.letters)))
        return self.value(letter)

    def value(self, letter):
        self.letters.append(letter)
        return len(self.letters) - 1

    def operand(self, used, letter, dtype):
        """The value of an operand that an op wants as ``dtype``."""
        found = self.of.get(used)
        if found is None:
            abstract = used.abstract
            if abstract.size == 1:
                if type(used) is ValueNode:
                    return self.constant(_element(used.value), letter)
                return self.known(self.numbers, (used, dtype), letter)
            found = self.known(self.arrays, (used, abstract.dtype), LANES[abstract.dtype][0])
        own = self.letters[found]
        return found if own == letter else self.append(CONVERSIONS[own + letter], [found], letter)

    def constant(self, value, letter):
        return self.known(self.constants, (value, type(value), letter, str(value)), letter)

    def known(self, table, key, letter):
        """The value entered under ``key``."""
        if key not in table:
            table[key] = self.value(letter)
        return table[key]

    @property
    def inputs(self):
        """The nodes that bring the kernel's operands, in its order."""
        return [node for node, _ in (*self.arrays, *self.numbers)]

    def kernel(self, make, shape, outputs):
        """The Kernel whose results are the values of the nodes ``outputs``."""
        results = [self.of[node] for node in outputs]
        operands = tuple(
            [(d.numpy, 0) for _, d in self.arrays] + [(d.numpy, 1) for _, d in self.numbers]
        )
        constants = [self.tile(value, letter) for value, _, letter, _ in self.constants]
        code = Accumulator(self, results)
        steps = code.write()
        dtypes = tuple([node.abstract.dtype.numpy for node in outputs])
        return make(self.width, shape, operands, dtypes, constants, code.slot_count, steps)

    def tile(self, value, letter):
        """A constant in the bytes of a lane."""
        if letter == "t":
            return OF["i", self.width].numpy.type(-1 if value else 0)
        with np.errstate(all="ignore"):
            return np.asarray(value).astype(OF[letter, self.width].numpy)[()]


def _element(value):
    return value.reshape(())[()] if isinstance(value, np.ndarray) else value


class Accumulator:
    """Puts a program's steps in the machine's form: (instruction, place, place, function)."""

    def __init__(self, program, results):
        self.program, self.code = program, []
        first = 1 + len(program.arrays)
        self.results = {}
        for offset, value in enumerate(results):
            self.results.setdefault(value, []).append(first + offset)
        others = [*program.numbers.values(), *program.constants.values()]
        self.places = {v: first + len(results) + i for i, v in enumerate(others)}
        self.array_places = {v: 1 + i for i, v in enumerate(program.arrays.values())}
        self.places |= {v: p for v, p in self.array_places.items() if program.letters[v] != "t"}
        self.first_slot = first + len(results) + len(others)
        self.slot_count, self.free, self.slots = 0, [], {}
        self.held = None  # the value in the accumulator

    def write(self):
        """All steps, in order."""
        steps = self.program.steps
        self.left = {}
        for _, values, _ in steps:
            for value in values:
                self.left[value] = self.left.get(value, 0) + 1
        self.bring_truths()
        for index, (instruction, values, result) in enumerate(steps):
            self.operate(instruction, values)
            for value in values:
                self.used(value)
            self.held = result
            self.keep(result, steps[index + 1][1] if index + 1 < len(steps) else ())
        return self.code

    def bring_truths(self):
        """Bools in memory are bytes: they are widened to masks first of all."""
        for value, place in self.array_places.items():
            if value not in self.places:
                self.emit("load_truth", place)
                self.store(value)

    def operate(self, instruction, values):
        """One step, with as little loading as the accumulator allows."""
        at = values.index(self.held) if self.held in values else None
        if at is None:
            at = 0
            self.emit("load", self.places[values[0]])
        if instruction == "select":
            rest = [self.places[v] for i, v in enumerate(values) if i != at]
            self.emit(("select", "select_yes", "select_no")[at], *rest)
        elif len(values) == 1:
            self.one(instruction)
        elif values[0] == values[1] and instruction in SQUARES:
            self.emit(SQUARES[instruction])
        else:
            self.two(instruction, at, self.places[values[1 - at]])

    def one(self, instruction):
        if instruction in CALLS:
            self.emit("call", 0, 0, instruction)
        else:
            self.emit(instruction)

    def two(self, instruction, at, place):
        """``at``: whether the accumulator is the first operand (0) or the second."""
        if instruction in CALLS:
            self.emit("call_swapped" if at else "call", place, 0, instruction)
        else:
            mirrored = at and instruction not in COMMUTATIVE
            self.emit(MIRRORED[instruction] if mirrored else instruction, place)

    def used(self, value):
        self.left[value] -= 1
        if self.left[value] == 0 and value in self.slots:
            self.free.append(self.slots.pop(value))

    def keep(self, value, following):
        """Write a result where it belongs, and to a slot if it is needed beyond the next step."""
        truth = self.program.letters[value] == "t"
        for place in self.results.get(value, ()):
            self.emit("store_truth" if truth else "store", place)
            if not truth:
                self.places[value] = place
        more = self.left.get(value, 0) - (1 if value in following else 0)
        if more > 0 and value not in self.places:
            self.store(value)

    def store(self, value):
        """Keep the accumulator in a slot."""
        if not self.free:
            self.free.append(self.first_slot + self.slot_count)
            self.slot_count += 1
        self.slots[value] = self.places[value] = self.free.pop()
        self.emit("store", self.places[value])

    def emit(self, instruction, a=0, b=0, function=""):
        self.code.append((instruction, a, b, function))
