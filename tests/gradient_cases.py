"""Calls whose gradients are compared with MindSpore: at ties, zeros, bounds, and beyond them.

A case is a text of ``ms``, ``ops``, ``mint`` and operands by name. Operands are drawn from a coarse
grid, seeded by the text, so that equal elements and zeros are many; or they are written down.
"""

import zlib

import numpy as np

INF, NAN = float("inf"), float("nan")
GRID = np.arange(-4, 5) / 2
#: Where functions of one number have their zeros, poles, corners and ends.
POINTS = [-INF, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 5, 100, INF, NAN]
FINITE = POINTS[1:-2]
MEETING = [-2, -1, -0.5, 0, 0.5, 1, 2]  # each with each
LONG, BOOL = np.int64, np.bool_


def each_with_each(values):
    """Two operands that hold every pair of ``values``."""
    x, y = np.meshgrid(values, values)
    return {"x": x.ravel().tolist(), "y": y.ravel().tolist()}


def on_points(names):
    return {f"ops.{name}(x)": {"x": POINTS} for name in names.split()}


def on_meetings(names):
    return {f"ops.{name}(x, y)": each_with_each(MEETING) for name in names.split()}


UNARY = """abs neg sign square sqrt rsqrt reciprocal exp log log1p expm1 erf sin cos tan asin acos
atan sinh cosh tanh sigmoid relu silu hardswish floor ceil round trunc GeLU() gelu
identity stop_gradient zeros_like ones_like"""
BINARY = """add sub mul div floor_div floor_mod pow maximum minimum atan2"""
AXES = ("", ", 0", ", 1", ", -1", ", (0, 1)", ", 1, True")
REDUCTIONS = "sum mean amax amin prod var std"

SHAPES = {
    "ops.reshape(x, (3, -1))": {"x": (2, 3)},
    "ops.transpose(x, (2, 0, 1))": {"x": (2, 3, 4)},
    "x.T": {"x": (2, 3)},
    "ops.expand_dims(x, -1)": {"x": (2, 3)},
    "ops.squeeze(x)": {"x": (1, 3, 1)},
    "ops.broadcast_to(x, (2, -1, 3))": {"x": (2, 1)},
    "ops.tile(x, (2, 1, 2))": {"x": (2, 3)},
    "ops.flatten(x)": {"x": (2, 3, 2)},
    "ops.swapaxes(x, 0, 2)": {"x": (2, 3, 2)},
    "ops.pad(x, (1, 2), value=3.0)": {"x": (2, 3)},
    "ops.pad(x, (-1, 2, 1, 0))": {"x": (2, 3)},
    "ops.tril(x, 1)": {"x": (3, 3)},
    "ops.triu(x, -1)": {"x": (3, 4)},
    "ops.concat((x, y), 1)": {"x": (2, 3), "y": (2, 1)},
    "ops.stack((x, y), -1)": {"x": (2, 3), "y": (2, 3)},
    "ops.split(x, 2)": {"x": (5, 2)},
    "ops.split(x, 2)[1]": {"x": (5, 2)},
    "ops.chunk(x, 2, 1)": {"x": (2, 5)},
    "ops.unbind(x, 1)[1]": {"x": (2, 3)},
    "ops.addn((x, y, x))": {"x": (2, 3), "y": (2, 3)},
    "x[1]": {"x": (3, 2)},
    "x[..., ::-2]": {"x": (2, 5)},
    "x[None, -1, 1:]": {"x": (2, 3)},
    "x[ms.Tensor([0, 0, -1])]": {"x": (3, 2)},
    "x[x > 0]": {"x": (3, 3)},
    "ops.narrow(x, 1, 1, 2)": {"x": (2, 4)},
    "mint.select(x, 1, 1)": {"x": (2, 4)},
}

CHOICES = {
    "ops.where(x > 0, x, y)": {"x": (2, 3), "y": (3,)},
    "ops.where(ms.Tensor([True, False, True]), x, 2.0)": {"x": (2, 3)},
    "ops.where(ops.isnan(x), 1.0, x)": {"x": POINTS},
    "ops.where(ops.logical_and(x == y, x > 0), x, y)": {"x": (3, 4), "y": (4,)},
    "ops.maximum(x, y)  # NaN": each_with_each([NAN, 1.0]),
    "ops.minimum(x, y)  # NaN": each_with_each([NAN, 1.0]),
    "ops.masked_fill(x, m, 3.0)": {"x": (2, 3), "m": BOOL([True, False, True])},
    "ops.masked_fill(x, m, y)": {"x": (2, 3), "m": BOOL([True, False, True]), "y": ()},
    "ops.clamp(x, -1.0, 1.0)": {"x": POINTS},
    "ops.clamp(x, min=0.5)": {"x": POINTS},
    "ops.clamp(x, max=0.5)": {"x": POINTS},
    "ops.clamp(x, y, z)": {"x": (3, 4), "y": (1,), "z": [2.0]},
    "ops.clip_by_value(x, -1.0, 1.0)": {"x": POINTS},
    "ops.clip_by_value(x, y, z)": {"x": (3, 4), "y": (1,), "z": (4,)},
    "ops.clip_by_value(x, y, z).astype(ms.float32)": {"x": (3, 4), "y": (4,), "z": (3, 1)},
    "mint.clamp(x, -1.0, 1.0)": {"x": POINTS},
    "mint.clamp(x, 1.0, -1.0)": {"x": POINTS},
    "ops.max(x, 0)": {"x": (4, 3)},
    "ops.max(x, 1, True)": {"x": (3, 6)},
    "ops.min(x, 0)": {"x": (4, 3)},
    "ops.max(x)[0]": {"x": (4, 3)},
    "ops.min(x)[0]": {"x": (4, 3)},
    "x.max()": {"x": (4, 3)},
    "x.min()": {"x": (4, 3)},
    "x.max(axis=1)": {"x": (3, 5)},
    "mint.max(x)": {"x": (4, 3)},
    "mint.max(x, 1)": {"x": (3, 5)},
    "mint.min(x, 1)": {"x": (3, 5)},
    "mint.max(x, y)": {"x": (3, 5), "y": (5,)},
    "ops.ArgMaxWithValue(1)(x)": {"x": (3, 5)},
    "ops.ArgMinWithValue(1)(x)": {"x": (3, 5)},
    "ops.gather(x, i, 1)": {"x": (2, 4), "i": LONG([[0, 0], [3, 1]])},
    "ops.gather(x, i, 0)": {"x": (2, 4), "i": LONG(1)},
    "ops.gather_elements(x, 1, i)": {"x": (2, 4), "i": LONG([[0, 0], [3, 1]])},
    "ops.index_select(x, 1, i)": {"x": (2, 4), "i": LONG([0, 0, 3])},
    "mint.nn.functional.embedding(i, x)": {"x": (4, 2), "i": LONG([[0, 0], [3, 1]])},
}

PRODUCTS = {
    "ops.matmul(x, y)": {"x": (2, 3), "y": (3, 4)},
    "ops.matmul(x, y) + 0 * z": {"x": (3,), "y": (3,), "z": ()},
    "ops.matmul(y, x)": {"x": (3,), "y": (2, 3)},
    "ops.matmul(x, y)  # vector by stack": {"x": (3,), "y": (2, 3, 2)},
    "ops.matmul(x, y)  # stacks": {"x": (2, 1, 2, 3), "y": (3, 3, 2)},
    "ops.bmm(x, y)": {"x": (2, 2, 3), "y": (2, 3, 1)},
    "ops.MatMul(True, True)(x, y)": {"x": (3, 2), "y": (4, 3)},
    "ops.BatchMatMul(transpose_a=True)(x, y)": {"x": (2, 3, 2), "y": (2, 3, 4)},
    "ops.cumsum(x, 1)": {"x": (2, 4)},
    "ops.CumSum(True, True)(x, 0)": {"x": (4, 2)},
    "mint.nn.functional.linear(x, y, z)": {"x": (2, 3), "y": (4, 3), "z": (4,)},
    "ops.ReduceSum(True)(x, 1)": {"x": (2, 4)},
    "ops.ReduceProd(True)(x, 1)": {"x": (3, 4)},
    "ops.ReduceMax(True)(x, 1)": {"x": (3, 4)},
    "mint.add(x, y, alpha=2)": {"x": (2, 3), "y": (3,)},
    "mint.sub(x, y, alpha=2)": {"x": (2, 3), "y": (3,)},
    "mint.prod(x, 1)": {"x": [[0, 2, 3], [0, 0, 3], [1, 2, 3]]},
    "mint.var(x, 1)": {"x": (2, 4)},
    "mint.std(x, 1)": {"x": (3, 4)},
    "ops.std(x)": {"x": [2.0, 2.0, 2.0]},
    "ops.logsumexp(x, 1)": {"x": (3, 4)},
}

NETWORKS = {
    "ops.softmax(x)": {"x": (2, 4)},
    "ops.softmax(x, 0)": {"x": (3, 2)},
    "ops.log_softmax(x)": {"x": (2, 4)},
    "ops.log_softmax(x, 0)": {"x": (3, 2)},
    "ops.gelu(x, 'tanh')": {"x": POINTS},
    "ops.layer_norm(x, (4,), y, z)": {"x": (3, 4), "y": (4,), "z": (4,)},
    "ops.LayerNorm(1, 1, 1e-5)(x, y, z)[0]": {"x": (3, 4), "y": (4,), "z": (4,)},
    "ops.mse_loss(x, y)": {"x": (3, 4), "y": (3, 4)},
    "ops.mse_loss(x, y, 'none')": {"x": (3, 4), "y": (4,)},
    "ops.nll_loss(x, i)": {"x": (3, 4), "i": np.int32([0, 3, 3])},
    "ops.nll_loss(x, i, reduction='sum')": {"x": (3, 4), "i": np.int32([0, 3, 3])},
    "ops.cross_entropy(x, i)": {"x": (3, 4), "i": np.int32([0, 3, 3])},
    "ops.cross_entropy(x, i, reduction='none')": {"x": (3, 4), "i": np.int32([0, 3, 3])},
    "ops.cross_entropy(x, i, y)": {
        "x": (3, 4), "i": np.int32([0, 3, 3]), "y": [0.5, 1.0, 2.0, 0.25],
    },
    "ops.cross_entropy(x, i, ignore_index=3)": {"x": (3, 4), "i": np.int32([0, 3, 3])},
    "ops.cross_entropy(x, i, label_smoothing=0.25)": {"x": (3, 4), "i": np.int32([0, 3, 3])},
    "ops.cross_entropy(x, y)": {"x": (2, 3), "y": [[0.25, 0.5, 0.25], [0, 1, 0]]},
}  # fmt: skip

SIZES = {  # size 0, no axes
    "ops.sum(x)": {"x": (0, 3)},
    "ops.sum(x, 1)  # empty": {"x": (0, 3)},
    "ops.mean(x)  # empty": {"x": (0, 3)},
    "ops.prod(x)  # empty": {"x": (0, 3)},
    "x * y": {"x": (0, 3), "y": (3,)},
    "x / y": {"x": (0, 3), "y": (1, 1)},
    "ops.matmul(x, y)  # empty": {"x": (0, 3), "y": (3, 2)},
    "ops.matmul(x, y)  # nothing between": {"x": (2, 0), "y": (0, 3)},
    "ops.softmax(x)  # empty": {"x": (0, 3)},
    "ops.concat((x, y))  # empty": {"x": (0, 3), "y": (2, 3)},
    "x[1:1]": {"x": (3, 2)},
    "ops.amax(x)  # a number": {"x": ()},
    "ops.softmax(x)  # one": {"x": (1,)},
    "x ** 2": {"x": POINTS},
    "x ** 0": {"x": POINTS},
    "x ** 0.5": {"x": POINTS},
    "x ** -1": {"x": POINTS},
    "2 ** x": {"x": POINTS},
    "0 ** x": {"x": POINTS},
    "1 / x": {"x": POINTS},
    "x % 2": {"x": FINITE},
    "3 % x": {"x": FINITE},
    "x // 2": {"x": FINITE},
    "ops.maximum(x, 1)": {"x": POINTS},
    "ops.minimum(x, 1)": {"x": POINTS},
    "i * x": {"x": (3,), "i": LONG([1, 2, 3])},
    "x * m": {"x": (3,), "m": BOOL([True, False, True])},
    "ops.pow(x, i)": {"x": (3,), "i": LONG([0, 2, -1])},
    "ops.cast(x, ms.int32) * y": {"x": (3,), "y": (3,)},
    "ops.cast(x, ms.float16)": {"x": (3,)},
    "x.half() * y": {"x": (3,), "y": (3,)},
    "x.float() * 1.0": {"x": (3,)},
    "x * 1 + x.astype(ms.float32)": {"x": (3,)},
}


def _reductions():
    for name in REDUCTIONS.split():
        for axis in AXES:
            if not (name in ("var", "std") and axis.endswith("True")):
                yield f"ops.{name}(x{axis})", {"x": (3, 4)}


CASES = on_points(UNARY) | on_meetings(BINARY) | dict(_reductions())
for _more in (SHAPES, CHOICES, PRODUCTS, NETWORKS, SIZES):
    CASES |= _more


def operands_of(text):
    """name -> array, of one of the cases."""
    return drawn(text, CASES[text])


def drawn(text, operands):
    """name -> array: drawn where a shape is given, integers and Bool as they are."""
    rng = np.random.default_rng(zlib.crc32(text.encode()))
    made = {}
    for name, given in operands.items():
        if isinstance(given, tuple):
            given = rng.choice(GRID, given)
        if isinstance(given, list) or np.asarray(given).dtype.kind == "f":
            given = np.array(given, np.float32)
        made[name] = np.asarray(given)
    return made


def weighed(results, tensor):
    """The floating results, each element times a number of its own."""
    results = results if isinstance(results, tuple | list) else (results,)
    return tuple([_times(r, tensor) for r in results if "loat" in str(r.dtype)])


def _times(result, tensor):
    size = int(np.prod(result.shape))
    weights = np.reshape((np.arange(size) * 7 % 5 - 1.75) / 2, result.shape)
    return result * tensor(weights.astype(np.float32)).astype(result.dtype)


def function_of(text, ms, names):
    """The case as a function of its operands, in the order of ``names``."""
    code = compile(text, text, "eval")
    given = {"ms": ms, "ops": ms.ops, "mint": ms.mint}

    def run(*operands):
        results = eval(code, given, dict(zip(names, operands, strict=True)))
        return weighed(results, ms.Tensor)

    return run


def gradients(text, ms, dtype="float32", compiled=None):
    """The gradients of one case at all its operands, as ``ms`` finds them.

    ``compiled(f)``, where it is given, is called for them instead of ``f``.
    """
    operands = operands_of(text)
    run = function_of(text, ms, list(operands))
    tensors = [tensor_of(array, ms, dtype) for array in operands.values()]
    take = ms.grad(run, tuple(range(len(tensors))))
    found = (compiled(take) if compiled else take)(*tensors)
    return found if isinstance(found, tuple) else (found,)


def tensor_of(array, ms, dtype):
    """An operand: a floating one as ``dtype``."""
    tensor = ms.Tensor(array)
    return tensor.astype(getattr(ms, dtype)) if array.dtype.kind == "f" else tensor
