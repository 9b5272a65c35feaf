"""Random functions of the Hybrid DSL, as text: loops, choices, buffers and exact arithmetic.

Only what NumPy and C calculate to the last bit is used, so that results can be compared exactly.
"""

import linecache
import random

import numpy as np

from ms_ext.engine.custom.hybrid.intrinsics import RUN
from ms_ext.ops import kernel

DTYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "bool")
FLOAT_WORDS = ("sqrt", "abs", "floor", "ceil", "trunc", "round", "sign")


class Writer:
    """Writes one function ``f(a, b, s)``: a and b of two axes, s a number of Python's."""

    def __init__(self, seed, deep=True):
        self.deep = deep
        self.random = random.Random(seed)
        self.dtypes = [self.random.choice(DTYPES) for _ in range(2)]
        self.lines, self.counters, self.floats, self.buffers = [], [], [], []
        self.names = iter(f"v{n}" for n in range(1000))

    def text(self):
        """The whole function."""
        pick = self.random.choice
        out = pick(("a.dtype", "b.dtype", "'float32'", "'float64'", "'int32'"))
        self.out = {"a.dtype": self.dtypes[0], "b.dtype": self.dtypes[1]}.get(out, out.strip("'"))
        self.say(0, "def f(a, b, s):")
        self.say(1, f"c = output_tensor((a.shape[0], b.shape[1]), {out})")
        self.say(
            1, f"t = allocate((b.shape[0],), {pick(('a.dtype', chr(39) + 'float64' + chr(39)))})"
        )
        self.say(1, f"x = {pick(('0', '1.5', 'float32(2)', 's'))}")
        self.floats.append("x")
        self.block(1, 3 if self.deep else 2)
        self.say(1, "return c")
        return "\n".join(self.lines) + "\n"

    def say(self, depth, text):
        self.lines.append("    " * depth + text)

    def block(self, depth, most):
        for _ in range(self.random.randint(1, most)):
            self.statement(depth)
        self.say(depth, f"c[{self.place('c')}] = {self.stored(3)}")

    def statement(self, depth):
        kind = self.random.randrange(7) if depth < 3 + self.deep else self.random.randrange(3)
        if kind == 0:
            self.say(depth, f"c[{self.place('c')}] = {self.stored(3)}")
        elif kind == 1:
            self.say(depth, f"x = x * 0.5 + float64({self.number(2)})")
        elif kind == 2:
            self.say(depth, f"t[{self.index('t', 0)}] = {self.bounded(self.number(2))}")
        elif kind in (3, 4):
            self.loop(depth)
        elif kind == 5:
            self.say(depth, f"if {self.truth()}:")
            self.block(depth + 1, 1)
            self.say(depth, "else:")
            self.block(depth + 1, 1)
        else:
            name, other = next(self.names), next(self.names)
            self.say(depth, f"for {name}, {other} in grid(c.shape):")
            self.inside(depth, [name, other])

    def loop(self, depth):
        name = next(self.names)
        size = self.random.choice(("a.shape[0]", "a.shape[1]", "b.shape[0]", "len(b)", "3"))
        word = self.random.choice(("range", "serial", "vectorize", "parallel", "reduce"))
        bounds = self.random.choice(
            (
                size,
                f"0, {size}",
                f"1, {size}",
                f"{size} - 1, -1, -1",
                f"0, {size}, 2",
                f"-1, {size}",
            )
        )
        self.say(depth, f"for {name} in {word}({bounds}):")
        self.inside(depth, [name])

    def inside(self, depth, names):
        self.counters += names
        self.block(depth + 1, 2)
        del self.counters[-len(names) :]

    # expressions

    def index(self, tensor, axis):
        size = f"{tensor}.shape[{axis}]"
        if self.counters and self.random.random() < 0.9:
            inner = self.random.choice(self.counters)
            if self.random.random() < 0.3:
                inner = f"({inner} * {self.random.randint(1, 3)} - {self.random.randint(0, 3)})"
            return self.random.choice((f"{inner} % {size}", f"{inner} % {size} - {size}"))
        return self.random.choice(("0", "-1", f"{size} // 2", f"{size} - 1"))

    def place(self, tensor):
        return f"{self.index(tensor, 0)}, {self.index(tensor, 1)}"

    def leaf(self):
        some = [
            f"a[{self.place('a')}]",
            f"b[{self.place('b')}]",
            "x",
            "s",
            f"t[{self.index('t', 0)}]",
        ]
        some += [str(self.random.randint(-3, 5)), str(self.random.randint(-8, 8) / 4)]
        some += self.counters[-1:]
        return self.random.choice(some)

    def number(self, depth):
        """An expression whose value is a float of some kind, or close to one."""
        if depth == 0:
            return self.leaf()
        one, other = self.number(depth - 1), self.number(depth - 1)
        kind = self.random.randrange(10)
        if kind < 4:
            return f"({one} {self.random.choice('+*')} {other})"
        if kind == 4:
            return f"float64({one}) {self.random.choice(('/', '//', '%', '-'))} float32({other})"
        if kind == 5:
            return f"{self.random.choice(FLOAT_WORDS)}(float32({one}))"
        if kind == 6:
            return f"{self.random.choice(('max', 'min'))}(float64({one}), float64({other}))"
        if kind == 7:
            return f"(float64({one}) if {self.truth()} else float32({other}))"
        if kind == 8:
            return f"{self.random.choice(('float16', 'float32', 'float64'))}({one})"
        return f"ceil_div({self.whole()}, {self.random.randint(1, 3)})"

    def whole(self):
        """A small whole number."""
        inner = self.random.choice([*self.counters, "len(a)", "b.shape[1]", "3"])
        sign = self.random.choice(("+", "-", "*", "//", "%", "&", "|", "^"))
        return f"({inner} {sign} {self.random.randint(1, 5)})"

    def truth(self):
        one = self.random.choice((self.leaf(), self.whole()))
        sign = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        first = f"{one} {sign} {self.leaf()}"
        second = f"isnan(x) == False {self.random.choice(('and', 'or'))} not {self.whole()} > 2"
        return self.random.choice((first, f"{first} and {second}", f"0 <= {self.whole()} < 4"))

    def bounded(self, text):
        return f"max(-90.0, min(90.0, float64({text})))"

    def stored(self, depth):
        """What is stored to c: a whole number where that is what it holds."""
        if self.out in ("bool", "int8", "int32", "int64"):
            inner = self.whole()
            return self.random.choice((inner, f"int8({inner}) * int8(3)", f"int32({inner}) // 2"))
        return self.number(depth)


def function(seed, deep=True):
    """(the function, its text, its inputs) of a seed; ``deep``: with loops in loops in loops."""
    writer = Writer(seed, deep)
    text = writer.text()
    file = f"<hybrid {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space = dict(RUN)
    exec(compile(text, file, "exec"), space)
    numbers = np.random.default_rng(seed)
    m, k, n = numbers.integers(1, 5, 3)
    shapes = ((m, k), (k, n))
    inputs = [
        (numbers.integers(-9, 9, shape) / (4 if "float" in dtype else 1)).astype(dtype)
        for shape, dtype in zip(shapes, writer.dtypes, strict=True)
    ]
    return kernel(space["f"]), text, [*inputs, writer.random.choice((2, 0.5, -3))]
