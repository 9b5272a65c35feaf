"""Operands and attributes of every op with a gradient, drawn: shapes, axes, indices, layouts.

``drawn(op, rng)`` gives float64 operands without ties or zeros, so that slopes exist there. Sizes
are 0 to 3, ranks 0 to 4; operands broadcast; some are integers, Bool or Python numbers.
"""

import math

import numpy as np
from op_samples import split_case

from ms_ext.engine.tensor import Tensor

DRAWS = {}  # name of an op -> f(rng) -> (*operands[, attributes])


def draw(*names):
    """Enter a function that draws for some ops."""

    def enter(f):
        DRAWS.update(dict.fromkeys(names, f))
        return f

    return enter


def drawn(op, rng):
    """(operands, attributes) of one call of ``op``, defaults filled in."""
    function = DRAWS.get(op.name)
    return split_case(op, elementwise(op, rng) if function is None else function(rng))


def laid_out(rng, array):
    """A Tensor of these elements; its memory may be transposed, reversed or have gaps."""
    layout = rng.integers(4) if array.ndim else 0
    if layout == 1:
        return Tensor(np.ascontiguousarray(array.T)).T
    if layout == 2:
        return Tensor(np.ascontiguousarray(array[::-1]))[::-1]
    if layout == 3:
        return Tensor(np.repeat(array, 2, axis=-1))[..., ::2]
    return Tensor(array)


# shapes and numbers -------------------------------------------------------------------------------


def sizes(rng, least=0, most=4, empty=True):
    """A shape; now and then one of its sizes is 0."""
    shape = rng.integers(1, 4, rng.integers(least, most + 1))
    if empty and shape.size and rng.random() < 0.15:
        shape[rng.integers(shape.size)] = 0
    return tuple(map(int, shape))


def broadcasting(rng, count, most=4):
    """Shapes that broadcast with one another: without leading axes, with ones."""
    whole = sizes(rng, most=most)
    for _ in range(count):
        kept = whole[rng.integers(len(whole) + 1) :] if rng.random() < 0.5 else whole
        yield tuple(1 if rng.random() < 0.25 else n for n in kept)


def numbers(rng, shape, low=-2.0, high=2.0):
    return np.asarray(rng.uniform(low, high, shape))


def mask(rng, shape):
    return np.asarray(rng.random(shape) < 0.5)


def coin(rng):
    return bool(rng.integers(2))


def axis_of(rng, rank):
    return int(rng.integers(-rank, rank)) if rank else 0


def axes_of(rng, rank):
    """None, (), one axis, or several."""
    kind = rng.integers(4)
    if kind == 0 or rank == 0:
        return (None, ())[rng.integers(2)]
    if kind == 1:
        return axis_of(rng, rank)
    several = rng.permutation(rank)[: rng.integers(1, rank + 1)]
    return tuple(int(a) - rank * int(rng.integers(2)) for a in several)


# element by element -------------------------------------------------------------------------------


def ranges(op):
    """The least and the largest number of each operand in the op's samples."""
    found = {}
    for sample in op.samples(np.random.default_rng(0)):
        for place, value in enumerate(split_case(op, sample)[0]):
            flat = np.ravel(value)
            if flat.size and flat.dtype.kind in "if":
                low, high = found.get(place, (np.inf, -np.inf))
                found[place] = (min(low, flat.min()), max(high, flat.max()))
    return found


def elementwise(op, rng):
    """Broadcasting operands in the range of the op's samples; one of them is floating."""
    bounds, floating = ranges(op), rng.integers(op.arity)
    operands = []
    for place, shape in enumerate(broadcasting(rng, op.arity)):
        low, high = bounds[place]
        kind = "float" if place == floating else rng.choice(["float", "float", "int", "number"])
        if kind == "number":
            operands.append(float(rng.uniform(low, high)))
        elif kind == "int":
            operands.append(rng.integers(math.ceil(low), math.floor(high) + 1, shape))
        else:
            operands.append(numbers(rng, shape, low, high))
    known = {"alpha": 3, "dtype": "float64"}
    return (*operands, {key: known[key] for key, _ in op.attributes if key in known})


@draw("Select")
def _select(rng):
    condition, x, y = broadcasting(rng, 3)
    return mask(rng, condition), numbers(rng, x), numbers(rng, y)


@draw("MaskedFill")
def _masked_fill(rng):
    x, where = broadcasting(rng, 2)
    value = numbers(rng, ()) if rng.random() < 0.7 else 1.5
    return numbers(rng, x), mask(rng, where), value


@draw("AddN")
def _addn(rng):
    return tuple(numbers(rng, shape) for shape in broadcasting(rng, rng.integers(1, 4)))


# along axes ---------------------------------------------------------------------------------------


@draw("ReduceMean")
def _mean(rng):
    return _reduction(rng, empty=False)  # the mean of nothing is NaN


@draw("SumExt", "ReduceSum", "ProdExt", "ReduceProd")
def _reduction(rng, empty=True):
    shape = sizes(rng, empty=empty)
    attributes = {"axis": axes_of(rng, len(shape)), "keep_dims": coin(rng)}
    return numbers(rng, shape), attributes


@draw("ReduceMax", "ReduceMin")
def _extreme(rng):
    shape = sizes(rng, empty=False)
    return numbers(rng, shape), {"axis": axes_of(rng, len(shape)), "keep_dims": coin(rng)}


@draw("ArgMaxWithValue", "ArgMinWithValue")
def _extreme_with_place(rng):
    shape = sizes(rng, empty=False)
    return numbers(rng, shape), {"axis": axis_of(rng, len(shape)), "keep_dims": coin(rng)}


@draw("Softmax", "LogSoftmax")
def _along(rng):
    shape = sizes(rng, least=1)
    return numbers(rng, shape), {"axis": axis_of(rng, len(shape))}


@draw("CumSum")
def _running(rng):
    shape = sizes(rng, least=1)
    how = {"exclusive": coin(rng), "reverse": coin(rng)}
    return numbers(rng, shape), {"axis": axis_of(rng, len(shape)), **how}


@draw("LayerNorm")
def _layer_norm(rng):
    lead = sizes(rng, most=2)
    shape, rows = (*lead, 2, 3), 0 if math.prod(lead) else len(lead)
    begin, parameters = rng.integers(rows, len(shape)), rng.integers(len(shape))
    pair = [numbers(rng, shape[parameters:], 0.5, 2) for _ in range(2)]
    how = {"begin_norm_axis": int(begin), "begin_params_axis": int(parameters) - len(shape)}
    return numbers(rng, shape), *pair, {**how, "epsilon": 1e-3}


@draw("Tril", "Triu")
def _triangle(rng):
    return numbers(rng, sizes(rng, least=2)), {"diagonal": int(rng.integers(-3, 4))}


@draw("MatMulExt")
def _product(rng):
    rows, inner, columns = sizes(rng, least=3, most=3)
    batch, other = broadcasting(rng, 2, most=2)
    x = (inner,) if rng.random() < 0.25 else (*batch, rows, inner)
    y = (inner,) if rng.random() < 0.25 else (*other, inner, columns)
    return numbers(rng, x), numbers(rng, y)


@draw("MatMul")
def _of_matrices(rng, batch=(), other=()):
    rows, inner, columns = sizes(rng, least=3, most=3)
    a, b = coin(rng), coin(rng)
    x = (*batch, inner, rows) if a else (*batch, rows, inner)
    y = (*other, columns, inner) if b else (*other, inner, columns)
    return numbers(rng, x), numbers(rng, y), {"transpose_a": a, "transpose_b": b}


@draw("BatchMatMul")
def _of_stacks(rng):
    return _of_matrices(rng, *broadcasting(rng, 2, most=2))
