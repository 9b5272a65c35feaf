"""Random programs as Python text: typed variables, nested control flow, closures, writing.

Conditions are of whole numbers only, so that two ways to calculate a float cannot take two ways
through a program. Only variables that have no second name are written to: there MindSpore's two
modes agree.
"""

import numpy as np

#: kind -> shape; F and R are Float32, I Int32, S a whole number without axes, B a Bool
KINDS = {"F": (2, 3), "R": (3,), "I": (2, 3), "S": (), "B": (2, 3)}
ARGUMENTS = {"a": "F", "b": "R", "c": "I", "d": "S"}
NUMBERS = ("k", "m")  # Python numbers among the arguments
UNARY = {
    "F": ("-{}", "ops.abs({})", "ops.tanh({})", "ops.floor({})", "ops.relu({})", "{}.exp()"),
    "R": ("-{}", "ops.abs({})", "ops.sin({})", "ops.square({})"),
    "I": ("-{}", "ops.abs({})", "ops.square({})"),
    "S": ("-{}", "ops.abs({})"),
    "B": ("ops.logical_not({})",),
}
BINARY = {
    "F": ("{} + {}", "{} - {}", "{} * {}", "ops.maximum({}, {})", "ops.minimum({}, {})"),
    "R": ("{} + {}", "{} - {}", "{} * {}", "ops.maximum({}, {})"),
    "I": ("{} + {}", "{} - {}", "{} * {}", "ops.minimum({}, {})"),
    "S": ("{} + {}", "{} - {}"),
    "B": ("ops.logical_and({}, {})", "ops.logical_or({}, {})"),
}
#: kind -> ways to get it from others: (text, kinds of what is put in)
FROM = {
    "F": (
        ("{} + {}", "FR"), ("{} * {}", "FR"), ("ops.where({}, {}, {})", "BFF"),
        ("{}.astype(ms.float32) * 0.5", "I"), ("{}[:, ::-1]", "F"), ("{} * 0.5", "F"),
    ),
    "R": (("{}[0]", "F"), ("{}.sum(0)", "F"), ("{}[::-1]", "R"), ("{} / 2", "R")),
    "I": (
        ("ops.where({}, {}, {})", "BII"), ("{} * 2 + 1", "I"), ("{} + {}", "IS"),
        ("({} > 0).astype(ms.int32)", "F"), ("{} // 3", "I"),
    ),
    "S": (
        ("{}.sum().astype(ms.int32)", "I"), ("{}[1, 2]", "I"), ("{}.max()", "I"), ("{} % 7", "S"),
    ),
    "B": (("{} > {}", "II"), ("{} <= 1", "I"), ("{} != {}", "II")),
}  # fmt: skip
STEP = "    "


class Writer:
    """Writes one program: ``text`` defines ``program(a, b, c, d, k, m)``."""

    def __init__(self, seed, size=12):
        self.rng = np.random.default_rng(seed)
        self.lines, self.fresh, self.budget = [], 0, size
        names = {**ARGUMENTS, **dict.fromkeys(NUMBERS, "N")}
        self.block(names, 1, loop=None)
        kept = [n for n, kind in names.items() if kind in KINDS]
        self.line(1, f"return {', '.join(kept)}")
        header = f"def program({', '.join([*ARGUMENTS, *NUMBERS])}):"
        self.text = "\n".join([header, *self.lines]) + "\n"

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
            return self.put(self.one(UNARY[kind]), names, kind, depth)
        if way < 0.65:
            return self.put(self.one(BINARY[kind]), names, kind * 2, depth)
        return self.made(names, kind, depth)

    def made(self, names, kind, depth):
        """An expression of a kind, from other kinds."""
        if depth == 0:
            return {"B": "c > 0", "I": "c", "S": "d", "F": "a", "R": "b"}[kind]
        text, kinds = self.one(FROM[kind])
        return self.put(text, names, kinds, depth)

    def put(self, text, names, kinds, depth):
        """A template with an expression of each kind put in."""
        return text.format(*[f"({self.value(names, kind, depth - 1)})" for kind in kinds])

    def condition(self, names):
        """A test: of whole numbers in a tensor, or of Python numbers."""
        if self.chance(0.3):
            return f"{self.one(NUMBERS)} {self.one(['<', '>', '=='])} {self.rng.integers(-2, 4)}"
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
        if depth > 3 or way < 0.45:
            self.assign(names, depth)
        elif way < 0.6:
            self.branch(names, depth, loop)
        elif way < 0.72:
            self.count(names, depth)
        elif way < 0.8:
            self.repeat(names, depth)
        elif way < 0.88:
            self.write(names, depth)
        elif way < 0.94:
            self.define(names, depth)
        elif loop:
            self.line(depth, f"if {self.condition(names)}:")
            self.line(depth + 1, self.one(["break", "continue"]))
        else:
            self.assign(names, depth)

    def assign(self, names, depth):
        """``v = ...``: a new name, or a known one again."""
        kind = self.one("FFRIISB")
        text = self.value(names, kind)
        same = [n for n, k in names.items() if k == kind and n not in ARGUMENTS]
        name = self.one(same) if same and self.chance(0.5) else self.new()
        self.line(depth, f"{name} = {text} + 0" if kind in "FRI" else f"{name} = {text}")
        names[name] = kind

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

    def count(self, names, depth):
        """``for i in range(n): ...``: written out, or a loop of the graph."""
        turns = self.one(["3", "2", "20", "k"])
        self.line(depth, f"for i in range({turns}):")
        self.arm(dict(names), depth, loop=True)

    def repeat(self, names, depth):
        """``while ...``: at most some turns, counted in a tensor."""
        counter = self.new()
        self.line(depth, f"{counter} = d * 0")
        self.line(depth, f"while {counter} < {self.rng.integers(1, 6)}:")
        self.line(depth + 1, f"{counter} = {counter} + 1")
        self.block(dict(names), depth + 1, loop=True)
        names[counter] = "S"

    def write(self, names, depth):
        """Write to a variable of its own, made here, so that it has no second name."""
        kind = self.one("FRI")
        name = self.new()
        self.line(depth, f"{name} = ({self.value(names, kind, 1)}) + 0")
        names[name] = kind
        part = {"F": "[0, 1]", "R": "[2]", "I": "[1]"}[kind]
        if self.chance(0.5):
            number = self.rng.integers(-3, 4)
            self.line(depth, f"{name}{part} = {number}")
        else:
            self.line(depth, f"{name} {self.one(['+=', '-=', '*='])} {self.rng.integers(1, 4)}")

    def define(self, names, depth):
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
    values = [made[kind]() for kind in ARGUMENTS.values()]
    return [*values, int(rng.integers(0, 4)), int(rng.integers(-2, 4))]
