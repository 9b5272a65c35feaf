"""05.mul_bprop: the gradients of x * y, as a bprop."""

from ms_ext.grading import recognise
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import gradients


def forward(x, y):
    return x * y


def matrices(draw, m, n):
    """x and y of one shape"""
    x, y = draw(m, n), draw(m, n)
    return x, y, x * y, draw(m, n)


def vectors(draw, n):
    """x and y with one axis"""
    x, y = draw(n), draw(n)
    return x, y, x * y, draw(n)


def zeros(draw, m, n):
    """x and y, each with a zero"""
    x, y = draw(m + 1, n), draw(m + 1, n)
    x[0, 0] = y[-1, -1] = 0
    return x, y, x * y, draw(m + 1, n)


def _returns_nothing(failure):
    return failure.code == "gradient-count" and failure.got is None


mistakes = (
    Mistake(
        "returns-nothing", _returns_nothing,
        "Your bprop returns nothing.",
        "Without a `return`, a Python function gives `None`.",
        "End it with `return` and one gradient per input.",
    ),
    Mistake(
        "numpy-in-a-graph", recognise.needs_numbers,
        "Your bprop works op by op, but it cannot become part of a graph.",
        "In a compiled function it is called with symbols in place of tensors: they have a shape "
        "and a dtype but no numbers yet. For NumPy or an `if` it is left to Python in every "
        "run, where no pass sees into it; for `ms.grad` not even that helps.",
        "Say the same with tensors' own arithmetic, or with `ops`.",
    ),
    Mistake(
        "gradient-none", recognise.on("gradient-none"),
        "A gradient is None.",
        "`None` says that nothing flows back to this input. But the product moves when it moves.",
        "How fast? Derive the formula by this input.",
    ),
    Mistake(
        "swapped", recognise.gradient_is(lambda x, y, out, dout: (dout * x, dout * y)),
        "A gradient holds the wrong input.",
        "It is `dout` times the very input whose gradient it should be. How fast `x * y` rises "
        "with `x` does not depend on `x`.",
        "Think of `y` as the number 3: how fast does `3 * x` rise with `x`?",
    ),
    Mistake(
        "forgot-dout", recognise.gradient_is(lambda x, y, out, dout: (y, x)),
        "`dout` is missing.",
        "You return how fast `out` rises with the input. But the loss does not rise as fast as "
        "`out`: element by element, it rises `dout` times as fast.",
        "The chain rule: what happens to two slopes, one behind the other?",
    ),
    Mistake(
        "used-out", recognise.gradient_is(lambda x, y, out, dout: (dout * out, dout * out)),
        "A gradient is `dout * out`.",
        "`out` is the whole product `x * y`. Its slope along one input is something smaller.",
        "Derive `x * y` by `x` on paper, with `y` as a constant. Or was `dout` changed before it "
        "was used again?",
    ),
    Mistake(
        "missing-factor", recognise.gradient_is(lambda x, y, out, dout: (dout, dout)),
        "A gradient is `dout` alone.",
        "That would be right if `out` rose exactly as fast as the input, as in `x + y`.",
        "Derive `x * y` by `x` on paper, with `y` as a constant.",
    ),
    Mistake(
        "divided-by-an-input", recognise.not_finite,
        "A gradient is not a number where an input is 0.",
        "`out` divided by one input is the other one, except where that input is 0: nobody can "
        "tell there what it was multiplied by.",
        "Which input did you take from `out`? It is there under its own name.",
    ),
    Mistake(
        "sign", recognise.both(recognise.on("gradient-values"), recognise.negated),
        "A gradient has the wrong sign.",
        "All its numbers are right but for the sign: where the loss rises you say that it falls.",
        "Does `x * y` rise or fall with `x` where `y` is positive?",
    ),
)  # fmt: skip

hints = (
    "The formula first. Write down how fast `x * y` rises with `x`, then with `y`. What is left to "
    "do with `dout`?",
    "Each gradient is `dout`, element by element, times the derivative of `out` by that input. "
    "Return both in one tuple, in the order of the inputs.",
    "A sibling, out = x - y:\n\n"
    "the derivative by x is 1, by y it is -1\n\n"
    "def sub_bprop(x, y, out, dout):\n    return dout, -dout",
)

_RIGHT = "return dout * y, dout * x"

mutants = (
    Mutant("swapped", _RIGHT, "return dout * x, dout * y"),
    Mutant("returns-nothing", _RIGHT, "gradients = dout * y, dout * x"),
    Mutant("numpy-in-a-graph", _RIGHT, "return np.multiply(dout, y), np.multiply(dout, x)"),
    Mutant("numpy-in-a-graph", _RIGHT, "return Tensor(dout.asnumpy() * y.asnumpy()), dout * x"),
    Mutant("numpy-in-a-graph", _RIGHT, "return Tensor(np.array(dout) * np.array(y)), dout * x"),
    Mutant("numpy-in-a-graph", _RIGHT,
           "if dout.sum() == 0:\n        return dout, dout\n    " + _RIGHT),
    Mutant("numpy-in-a-graph", _RIGHT,
           "def loss(x, y):\n        return (x * y * dout).sum()\n\n    "
           "return ms.grad(loss, (0, 1))(x, y)"),
    Mutant("divided-by-an-input", _RIGHT, "return dout * out / x, dout * out / y"),
    Mutant("divided-by-an-input", _RIGHT, "return dout * y, dout * (out / y)"),
    Mutant("swapped", _RIGHT, "return dout * y, dout * y"),
    Mutant("forgot-dout", _RIGHT, "return y, x"),
    Mutant("used-out", _RIGHT, "return dout * out, dout * out"),
    Mutant("missing-factor", _RIGHT, "return dout, dout"),
    Mutant("sign", _RIGHT, "return dout * y, -dout * x"),
    Mutant("gradient-count", _RIGHT, "return dout * y"),
    Mutant("gradient-count", _RIGHT, "return dout * y, dout * x, dout"),
    Mutant("gradient-none", _RIGHT, "return dout * y, None"),
    Mutant("gradient-shape", _RIGHT, "return ops.sum(dout * y, 0), ops.sum(dout * x, 0)"),
    Mutant("gradient-dtype", _RIGHT, "return (dout * y).astype(ms.float32), dout * x"),
)  # fmt: skip

variants = {
    "other names, one by one": """
def mul_bprop(a, b, product, upstream):
    da = upstream * b
    db = a * upstream
    return (da, db)
""",
    "ops": """
from ms_ext import ops

def mul_bprop(x, y, out, dout):
    return ops.mul(dout, y), ops.mul(dout, x)
""",
    "a helper function": """
def pulled(dout, slope):
    return dout * slope

def mul_bprop(x, y, out, dout):
    return tuple(pulled(dout, slope) for slope in (y, x))
""",
    "a loop that prints and appends": """
def mul_bprop(x, y, out, dout):
    print("dout", dout)
    gradients = []
    for other in (y, x):
        gradients.append(dout * other)
    return gradients
""",
    "an object that is called": """
class Product:
    def __call__(self, x, y, out, dout):
        from ms_ext import mint

        try:
            return mint.mul(dout, y), mint.mul(dout, x)
        finally:
            self.last = out

mul_bprop = Product()
""",
    "a list, and any names": """
def mul_bprop(*received):
    x, y, _, dout = received
    return [y * dout, x * dout]
""",
}

exercise = Exercise(
    target="mul_bprop",
    contract="Return the gradients of x * y, one per input, in order. Use tensors' arithmetic or "
    "ops.",
    checks=(
        Check(
            "gradients", "one gradient per input, measured", 1, "call",
            drawn(vectors, matrices, zeros, dtypes="f32 f64 f16"), gradients.of(forward),
            inputs="x y out dout",
        ),
        Check(
            "compiled", "the same as part of a graph", 1, "graph",
            drawn(matrices, dtypes="f32 f64 f16"), gradients.of(forward),
            inputs="x y out dout", needs=("gradients",),
        ),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
