"""Random programs as Python text: typed variables, nested control flow, closures, writing.

What they are made of is a ``Profile``. Only variables that have no second name are written to:
there MindSpore's two modes agree.
"""

import numpy as np
from program_profiles import PLAIN

STEP = "    "


class Writer:
    """Writes one program: ``text`` defines ``program`` of the profile's arguments and numbers."""

    profile = PLAIN

    def __init__(self, seed, size=12):
        self.rng = np.random.default_rng(seed)
        self.above, self.lines, self.fresh, self.budget = [], [], 0, size
        arguments, numbers = self.profile.arguments, self.profile.numbers
        names = {**arguments, **self.profile.weights, **dict.fromkeys(numbers, "N")}
        self.block(names, 1, loop=None)
        self.line(1, f"return {self.result(names)}")
        header = f"def program({', '.join([*arguments, *numbers])}):"
        self.text = "\n".join([*self.above, header, *self.lines]) + "\n"

    def result(self, names):
        """What is returned in the end: all that is known."""
        return ", ".join([n for n, kind in names.items() if kind in self.profile.kinds])

    # choosing ---------------------------------------------------------------------------------

    def one(self, items):
        """One of some things."""
        return items[int(self.rng.integers(len(items)))]

    def chance(self, likely):
        """True with this probability."""
        return self.rng.random() < likely

    def line(self, depth, text):
        """Write a line."""
        self.lines.append(STEP * depth + text)

    def new(self):
        """A name that nobody has."""
        self.fresh += 1
        return f"v{self.fresh}"

    # expressions ------------------------------------------------------------------------------

    def value(self, names, kind, depth=2):
        """An expression of a kind."""
        known = [n for n, k in names.items() if k == kind]
        if depth == 0 or self.chance(0.2):
            return self.one(known) if known else self.made(names, kind, 0)
        way = self.rng.random()
        if way < 0.3:
            return self.put(self.one(self.profile.unary[kind]), names, kind, depth)
        if way < 0.65:
            return self.put(self.one(self.profile.binary[kind]), names, kind * 2, depth)
        return self.made(names, kind, depth)

    def made(self, names, kind, depth):
        """An expression of a kind, from other kinds."""
        if depth == 0:
            return self.profile.leaves[kind]
        text, kinds = self.one(self.profile.made[kind])
        return self.put(text, names, kinds, depth)

    def put(self, text, names, kinds, depth):
        """A template with an expression of each kind put in."""
        return text.format(*[f"({self.value(names, kind, depth - 1)})" for kind in kinds])

    def numbers(self, names):
        """The names of Python numbers."""
        return [n for n, kind in names.items() if kind == "N"]

    def condition(self, names):
        """A test: of whole numbers in a tensor, or of Python numbers."""
        if self.chance(0.3):
            name, compared = self.one(self.numbers(names)), self.one(["<", ">", "=="])
            return f"{name} {compared} {self.rng.integers(-2, 4)}"
        return f"({self.value(names, 'S', 1)}) {self.one(['<', '>', '<=', '!='])} " + str(
            self.rng.integers(-4, 5)
        )

    # statements -------------------------------------------------------------------------------

    def block(self, names, depth, loop):
        """Some statements; ``names`` grows by what is certain to be there afterwards."""
        for _ in range(int(self.rng.integers(1, 4)) if depth > 1 else 99):
            if self.budget <= 0:
                break
            self.budget -= 1
            self.statement(names, depth, loop)

    def statement(self, names, depth, loop):
        """One statement."""
        way = self.rng.random()
        if depth > 3:
            return self.assign(names, depth, loop)
        writes = next(writes for likely, writes in self.profile.statements if way < likely)
        getattr(self, writes)(names, depth, loop)

    def leave(self, names, depth, loop):
        """``if ...: break``, in a loop."""
        if not loop:
            return self.assign(names, depth, loop)
        self.line(depth, f"if {self.condition(names)}:")
        self.line(depth + 1, self.one(["break", "continue"]))

    def assign(self, names, depth, loop):
        """``v = ...``: a new name, or a known one again."""
        kind = self.one(self.profile.assigned)
        text = self.value(names, kind)
        name = self.target(names, kind, depth)
        self.line(depth, f"{name} = {self.assigned(kind, text, loop)}")
        names[name] = kind

    def target(self, names, kind, depth):
        """A new name, or one of this kind that is known."""
        given = {**self.profile.arguments, **self.profile.weights}
        same = [n for n, k in names.items() if k == kind and n not in given]
        return self.one(same) if same and self.chance(0.5) else self.new()

    def assigned(self, kind, text, loop):
        """What is assigned: never another variable itself."""
        return f"{text} + 0" if kind in "FRI" else text

    def branch(self, names, depth, loop):
        """``if ...: ... else: ...``"""
        self.line(depth, f"if {self.condition(names)}:")
        one, two = dict(names), dict(names)
        self.arm(one, depth, loop)
        self.line(depth, "else:")
        self.arm(two, depth, loop)
        names.update({n: k for n, k in one.items() if two.get(n) == k})

    def arm(self, names, depth, loop):
        before = len(self.lines)
        self.block(names, depth + 1, loop)
        if len(self.lines) == before:
            self.line(depth + 1, "pass")

    def count(self, names, depth, loop):
        """``for i in range(n): ...``: written out, or a loop of the graph."""
        turns = self.one(self.profile.loops)
        self.line(depth, f"for i in range({turns}):")
        self.arm(dict(names), depth, loop=True)

    def repeat(self, names, depth, loop):
        """``while ...``: at most some turns, counted in a tensor."""
        counter = self.new()
        self.line(depth, f"{counter} = d * 0")
        self.line(depth, f"while {counter} < {self.rng.integers(1, 6)}:")
        self.line(depth + 1, f"{counter} = {counter} + 1")
        self.block(dict(names), depth + 1, loop=True)
        names[counter] = "S"

    def write(self, names, depth, loop):
        """Write to a variable of its own, made here, so that it has no second name."""
        kind = self.one([*self.profile.written])
        name = self.new()
        self.line(depth, f"{name} = ({self.value(names, kind, 1)}) + 0")
        names[name] = kind
        part = self.profile.written[kind]
        if self.chance(0.5):
            number = self.rng.integers(-3, 4)
            self.line(depth, f"{name}{part} = {number}")
        else:
            self.line(depth, f"{name} {self.one(['+=', '-=', '*='])} {self.rng.integers(1, 4)}")

    def define(self, names, depth, loop):
        """A function inside, which sees the names around it, and a call of it."""
        name, kind, result = f"f{self.new()}", self.one("FRI"), self.new()
        body = self.value({**names, "x": kind}, kind)
        if self.chance(0.3):
            self.line(depth, f"{name} = lambda x: {body}")
        else:
            self.line(depth, f"def {name}(x, by=2):")
            self.line(depth + 1, f"if by > {self.rng.integers(0, 4)}:")
            self.line(depth + 2, f"return {body}")
            self.line(depth + 1, f"return x * by + ({self.value({**names, 'x': kind}, kind, 1)})")
        self.line(depth, f"{result} = {name}({self.value(names, kind, 1)}) + 0")
        names[result] = kind


def arguments(seed, rows=2):
    """Values for a program's arguments, as NumPy arrays and numbers."""
    rng = np.random.default_rng(seed + 1)
    made = {
        "F": lambda: rng.integers(-4, 5, (rows, 3)).astype(np.float32) / 2,
        "R": lambda: rng.integers(-4, 5, (3,)).astype(np.float32) / 2,
        "I": lambda: rng.integers(-4, 5, (rows, 3)).astype(np.int32),
        "S": lambda: np.int32(rng.integers(-3, 4)),
    }
    values = [made[kind]() for kind in PLAIN.arguments.values()]
    return [*values, int(rng.integers(0, 4)), int(rng.integers(-2, 4))]
