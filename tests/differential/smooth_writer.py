"""Random programs that have a gradient at nearly every point, for ``program_writer``.

Besides what plain programs have: tests of floats, recursion, functions that are chosen or made,
tuples, lists, early returns, and writes of calculated values, also to arguments.
"""

import numpy as np
from program_profiles import SMOOTH
from program_writer import STEP, Writer

#: What is returned, by kind: the first is what counts where ``has_aux`` is drawn.
RESULTS = ("X", "F", "R", "XF", "FR", "X(FR)", "(FX)R", "FXI", "XI")
#: The first result, of the sums of all floats.
MIXED = {
    "X": "{X} + ops.sin({F}).sum() + ({R}).mean() * ({X})",
    "F": "ops.sin({F}) + ({R}) * ({X}) + {F}",
    "R": "{R} + ops.tanh({F}).sum(0) + ops.sin({X})",
}
#: kind -> (what is written to, with what operator, the kind of what is written)
PLACES = {
    "F": (
        ("[0, 1]", "=", "X"), ("[0]", "=", "R"), ("[:, 1]", "*=", "X"), ("[d % 2]", "=", "R"),
        ("", "+=", "F"), ("", "*=", "R"), ("[1:]", "-=", "F[1:]"), ("[p]", "=", "0.25"),
        ("[:, ::2]", "+=", "X"), ("", "-=", "X"),
    ),
    "R": (
        ("[2]", "=", "X"), ("[1:]", "=", "R[:2]"), ("", "+=", "R"), ("", "*=", "X"),
        ("[d % 3]", "+=", "X"), ("[::-2]", "=", "R[1:]"),
    ),
    "X": (("", "+=", "X"), ("", "*=", "X")),
}  # fmt: skip


class SmoothWriter(Writer):
    """Writes ``program(a, b, s, c, d, p, k, m)``, which reads the Parameters w and u."""

    profile = SMOOTH

    def __init__(self, seed, size=9):
        rng = np.random.default_rng([seed, 1])
        self.results = RESULTS[rng.integers(len(RESULTS))]
        self.has_aux = len(self.results) > 1 and bool(rng.random() < 0.4)
        self.own = []  # what may be written to, in this block or one around it
        super().__init__(seed, size)

    def result(self, names):
        """The structure of results; the first is of all that was calculated."""
        sums = {kind: self.sum(names, kind) for kind in "FRXI"}
        kinds = [kind for kind in self.results if kind not in "()"]
        return structure(self.results, [MIXED[kinds[0]].format(**sums), *map(sums.get, kinds[1:])])

    def sum(self, names, kind):
        """All variables of a kind, added."""
        return " + ".join([n for n, k in names.items() if k == kind])

    # expressions ------------------------------------------------------------------------------

    def condition(self, names):
        """A test: also of a float."""
        if self.chance(0.6):
            return super().condition(names)
        return (
            f"({self.value(names, 'X', 1)}) {self.one('<>')} {self.rng.integers(-3, 4) / 4 + 0.1}"
        )

    def target(self, names, kind, depth):
        """Inside a block mostly what is known outside too: so it counts."""
        given = {**self.profile.arguments, **self.profile.weights, "x": kind, "y": kind}
        same = [n for n, k in names.items() if k == kind and n not in given]
        likely = 0.75 if depth > 1 else 0.4
        return self.one(same) if same and self.chance(likely) else self.new()

    def assigned(self, kind, text, loop):
        """A new value; in a loop it stays small."""
        if loop and kind in "FRX":
            return f"{self.one(['ops.tanh', 'ops.sin', '0.5 * '])}({text}) + 0.125"
        return f"{text} + 0.125" if kind in "FRX" else super().assigned(kind, text, loop)

    # statements -------------------------------------------------------------------------------

    def block(self, names, depth, loop):
        before = len(self.own)
        super().block(names, depth, loop)
        del self.own[before:]

    def count(self, names, depth, loop):
        """As in plain programs, but the turn is a number; or the rows of a tensor."""
        inside, name = dict(names), self.new()
        if self.chance(0.2):
            inside[name] = "R"
            self.line(depth, f"for {name} in {self.value(names, 'F', 1)}:")
        else:
            inside[name] = "N"
            self.line(depth, f"for {name} in range({self.one(self.profile.loops)}):")
        self.turn(inside, depth + 1)

    def turn(self, names, depth):
        """A loop's body: it may be left before it does anything, or in the middle."""
        if self.chance(0.25):
            self.leave(names, depth, loop=True)
        self.block(names, depth, loop=True)
        if self.chance(0.35):
            self.leave(names, depth, loop=True)
        self.assign(names, depth, loop=True)

    def leave(self, names, depth, loop):
        """``if ...: break``, or ``continue``, or ``return ...``, in a loop."""
        if not loop:
            return self.assign(names, depth, loop)
        way = self.one(["break", "break", "continue", f"return {self.result(names)}"])
        self.line(depth, f"if {self.condition(names)}:")
        self.line(depth + 1, way)

    def repeat(self, names, depth, loop):
        """As in plain programs, or while a float is small too; its last value counts."""
        counter = self.new()
        self.line(depth, f"{counter} = d * 0")
        test = f"{counter} < {self.rng.integers(1, 6)}"
        if self.chance(0.4):
            test = f"{test} and {self.value(names, 'X', 1)} < 1.3"
        self.line(depth, f"while {test}:")
        self.line(depth + 1, f"{counter} = {counter} + 1")
        self.turn(dict(names), depth + 1)
        names[counter] = "S"

    def write(self, names, depth, loop):
        """Write to a variable of its own: one that is there, or one made here."""
        there = [n for n in self.own if n in names] + ["a", "b"] * self.chance(0.1)
        if there and self.chance(0.6):
            name = self.one(there)
        else:
            name, kind = self.new(), self.one([*PLACES])
            self.line(depth, f"{name} = {self.assigned(kind, self.value(names, kind, 1), loop)}")
            names[name] = kind
            self.own.append(name)
        place, operator, what = self.one(PLACES[names[name]])
        value = self.value(names, what[0], 1) if what[0] in self.profile.kinds else what
        value = f"({value}){what[1:]}" if what[0] in self.profile.kinds else value
        small = "ops.tanh" if operator == "*=" or loop else ""
        self.line(depth, f"{name}{place} {operator} {small}({value})")

    def define(self, names, depth, loop):
        """As in plain programs, or a function that makes a function."""
        if self.chance(0.6):
            return super().define(names, depth, loop)
        make, kind, other = f"f{self.new()}", *self.one(["FX", "RF", "FF"])
        self.line(depth, f"def {make}(y):")
        self.line(depth + 1, "def inner(x):")
        body = self.value({**names, "x": kind, "y": other}, kind)
        self.line(depth + 2, f"return ops.tanh({body}) * x")
        self.line(depth + 1, "return inner")
        arguments = self.value(names, other, 1), self.value(names, kind, 1)
        result = self.target(names, kind, depth)
        self.line(depth, f"{result} = {make}({arguments[0]})({arguments[1]})")
        names[result] = kind

    def choose(self, names, depth, loop):
        """One of two functions, chosen by a test."""
        one, two, kind = self.new(), self.new(), self.one("FRX")
        for name in (one, two):
            self.line(depth, f"def f{name}(x):")
            self.line(depth + 1, f"return {self.value({**names, 'x': kind}, kind)}")
        self.line(depth, f"f{one}{two} = f{one} if {self.condition(names)} else f{two}")
        result, text = self.target(names, kind, depth), f"f{one}{two}({self.value(names, kind, 1)})"
        self.line(depth, f"{result} = {self.assigned(kind, text, loop)}")
        names[result] = kind

    def recur(self, names, depth, loop):
        """A function that calls itself, once or twice, as deep as a tensor says."""
        name, kind = f"r{self.new()}", self.one("FRX")
        given = [*self.profile.arguments]
        inner = {**self.profile.arguments, **self.profile.weights, "k": "N", "m": "N", "x": kind}
        call = f"{name}({{}}, n - {{}}, {', '.join(given)}, k, m)"
        lines = [f"def {name}(x, n, {', '.join(given)}, k, m):", STEP + "if n <= 0:"]
        lines.append(2 * STEP + f"return {self.value(inner, kind, 1)}")
        if self.chance(0.4):
            lines.append(STEP + f"if {self.condition(inner)}:")
            lines.append(2 * STEP + f"return {self.value(inner, kind, 1)}")
        lines.append(STEP + f"z = {call.format(f'ops.sin({self.value(inner, kind, 1)})', 1)}")
        if self.chance(0.3):
            lines.append(STEP + f"z = z * {call.format('x * 0.5', 2)}")
        body = self.value({**inner, "z": kind}, kind, 1)
        lines.append(STEP + f"return ops.tanh({body}) * z + x")
        if self.chance(0.7):
            self.above += lines
        else:
            self.lines += [STEP * depth + line for line in lines]
        turns = f"ops.abs({self.value(names, 'S', 1)}) % {self.rng.integers(2, 6)}"
        text = f"{name}({self.value(names, kind, 1)}, {turns}, {', '.join(given)}, k, m)"
        result = self.target(names, kind, depth)
        self.line(depth, f"{result} = {self.assigned(kind, text, loop)}")
        names[result] = kind

    def pair(self, names, depth, loop):
        """A tuple from one of two branches, taken apart."""
        both, kinds = self.new(), self.one(["FR", "XF", "RI", "FF"])
        self.line(depth, f"if {self.condition(names)}:")
        self._tuple(names, kinds, both, depth + 1)
        self.line(depth, "else:")
        self._tuple(names, kinds, both, depth + 1)
        parts = [self.target(names, kind, depth) for kind in kinds]
        self.line(depth, f"{parts[0]}, {parts[1]} = {both}")
        names.update(zip(parts, kinds, strict=True))

    def _tuple(self, names, kinds, name, depth):
        one, two = (self.assigned(kind, self.value(names, kind), False) for kind in kinds)
        self.line(depth, f"{name} = ({one}, {two})")

    def collect(self, names, depth, loop):
        """A list that grows by one value each turn."""
        items, turn, kind = self.new(), self.new(), self.one("FRX")
        self.line(depth, f"{items} = []")
        self.line(depth, f"for {turn} in range(3):")
        value = self.value({**names, turn: "N"}, kind)
        self.line(depth + 1, f"{items}.append(ops.tanh({value}) * ({turn} + 1))")
        how = self.one(["{0}[0] * {0}[-1] + {0}[1]", "ops.stack({0}).sum(0)", "sum({0}) * 0.5"])
        result = self.target(names, kind, depth)
        self.line(depth, f"{result} = {how.format(items)}")
        names[result] = kind

    def early(self, names, depth, loop):
        """``if ...: return ...``"""
        self.line(depth, f"if {self.condition(names)}:")
        self.line(depth + 1, f"return {self.result(names)}")


def structure(results, texts):
    """Texts as results are built: ``X(FR)`` is one text, then a tuple of two.

    >>> structure("X(FR)", ["a", "b", "c"])
    'a, (b, c)'
    """
    left = iter(texts)
    written = [{"(": "(", ")": "), "}.get(sign) or f"{next(left)}, " for sign in results]
    return "".join(written).replace(", )", ")").removesuffix(", ")
