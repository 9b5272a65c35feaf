"""On which functions is each pass shown? One that it changes, and one that it nearly would.

The functions are read by the front end like a learner's. The defaults say on what: "f32[2,3]" is a
tensor of that type. What no short function leads to is shown on a graph as text. A pass without a
near miss refuses nothing: it fires or it sees no place.
"""

from ms_ext import grad, ops

EXAMPLES: dict = {}  # name of a pass -> function, or the text of a graph
NEAR_MISSES: dict = {}
#: What runs before a pass on its example: without it there would be nothing to do.
BEFORE = {"sink": ("fold",)}


def _enter(table, name):
    def enter(function):
        table[name] = function
        return function

    return enter


def example(name):
    """The function on which the pass ``name`` is shown at work; its docstring says what goes on."""
    return _enter(EXAMPLES, name)


def near_miss(name):
    """A function that the pass ``name`` leaves alone, with a reason."""
    return _enter(NEAR_MISSES, name)


@example("add_neg_to_sub")
def centre(x="f32[2,3]"):
    """The mean is taken off by adding its negative."""
    return x + (-ops.mean(x, -1, True))


@near_miss("add_neg_to_sub")
def both(x="f32[2,3]", y="f32[2,3]"):
    """-y is wanted for itself too: Neg stays, and a Sub would save nothing."""
    negative = -y
    return x + negative, negative


@example("algebraic")
def nothing_at_all(x="f32[2,3]"):
    """Many calls that give x back, bit for bit."""
    negative = -((x * 1) - 0)
    y = -negative
    turned = ops.transpose(ops.transpose(y, (1, 0)), (1, 0))
    return ops.reshape(ops.reshape(turned, (6,)), (2, 3))


@near_miss("algebraic")
def plus_zero(x="f32[2,3]"):
    """x + 0 looks like x, but where x is -0.0 it is 0.0."""
    return x + 0


@example("cse")
def thrice(x="f32[2]"):
    """exp(x) is asked for three times, and computed once."""
    return ops.exp(x) * ops.exp(x) + ops.exp(x)


@example("dce")
def half_used(c="bool[]", x="f32[2]", y="f32[2]"):
    """Of the two values that the branches give, only one is read: the other goes, and exp too."""
    other = ops.exp(y)
    if c:
        first, second = -x, -other
    else:
        first, second = x, other
    pair = (first, second)
    return pair[0]


@example("fold")
def known(x="f32[2]"):
    """Two ones times two plus one are known now, before any x is."""
    return x * (ops.ones((2,)) * 2.0 + 1.0)


@near_miss("fold")
def large(x="f32[300,300]"):
    """The ones would be a constant of 360 kB, written into the program."""
    return x * ops.ones((300, 300))


EXAMPLES["inline"] = """ms_ext graph 1
graph f@1(%1 x: f32[2]) {
  %2 = Call@2(%1) : f32[2]
  %3 = Call@2(%2) : f32[2]
  return %3
}
graph twice@2(%4 a: f32[2]) {
  %5 = Call@3(%4) : f32[2]
  %6 = Add(%5, %5) : f32[2]
  return %6
}
graph negative@3(%7 a: f32[2]) {
  %8 = Neg(%7) : f32[2]
  return %8
}
"""


@near_miss("inline")
def countdown(n="i64[]"):
    """A function that calls itself cannot be written out: it would never end."""

    def down(n):
        return down(n - 1) if n > 0 else n

    return down(n)


@example("sink")
def scaled(c="bool[]", x="f32[2]"):
    """Both branches are handed k, which fold has made a constant: each can hold it itself."""
    k = ops.ones(()) * 2.0
    if c:
        y = x * k
    else:
        y = x + k
    return y


@example("recompute")
def slope_of_a_loop(x="f32[8]"):
    """Of each turn the way back reads three values; it can do with the one the turn began with."""

    def grown(y):
        for _ in range(100):
            y = ops.sin(ops.exp(y) * y)
        return y

    return grad(grown)(x)


@near_miss("recompute")
def slope_of_a_sum(x="f32[8]"):
    """The way back reads one number of each turn; what the turn began with is eight times that."""

    def moved(y):
        for _ in range(100):
            y = y + ops.sin(y.sum())
        return y

    return grad(moved)(x)
