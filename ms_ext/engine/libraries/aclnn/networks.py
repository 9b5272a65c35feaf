"""Kernels of neural networks: products, norms, gates, positions, attention."""

import numpy as np

from ....dtype import named
from .. import bodies
from ..places import Form
from .declared import KERNELS, axis_of, kernel


def _wide(form):
    return "float64" if form.dtype == "float64" else "float32"


def _one_dtype(name, *forms):
    if len({form.dtype for form in forms}) > 1:
        raise KERNELS[name].refused(
            "needs operands of one dtype", given=", ".join(map(str, forms)), hint="Cast one."
        )


@kernel
class Matmul:
    """x @ mat2; float16 and bfloat16 are summed in float32."""

    order = ("x", "mat2", "out", "cubeMathType")

    def infer(x, mat2, cubeMathType=0):
        _one_dtype("Matmul", x, mat2)
        fits = min(len(x.shape), len(mat2.shape)) >= 2 and x.shape[-1] == mat2.shape[-2]
        try:
            outer = np.broadcast_shapes(x.shape[:-2], mat2.shape[:-2]) if fits else ()
        except ValueError:
            fits = False
        if not fits:
            raise KERNELS["Matmul"].refused(
                "needs matrices that can be multiplied",
                given=f"{x}, {mat2}",
                hint="The last size of the first is the last but one of the second.",
            )
        return (Form(x.dtype, (*outer, x.shape[-2], mat2.shape[-1])),)

    def scratch(x, mat2, cubeMathType=0):
        """The second matrix, its columns one behind the other."""
        return [Form(_wide(mat2) if _is_float(mat2) else mat2.dtype, _turned(mat2.shape))]

    def body(x, mat2, cubeMathType, scratch=()):
        np.copyto(scratch[0], np.swapaxes(mat2, -1, -2))
        return x @ np.swapaxes(scratch[0], -1, -2)


def _is_float(form):
    return named(form.dtype).kind == "float"


def _turned(shape):
    return (*shape[:-2], shape[-1], shape[-2])


@kernel
class Softmax:
    """exp(x) over its sum along an axis."""

    def infer(x, dim):
        axis_of("Softmax", dim, x)
        return (Form(x.dtype, x.shape),)

    def scratch(x, dim):
        return [Form(_wide(x), x.shape)]

    def body(x, dim, scratch=()):
        powers = scratch[0]
        np.subtract(x, np.max(x, dim, keepdims=True), out=powers)
        np.exp(powers, out=powers)
        powers /= np.sum(powers, dim, keepdims=True)
        return powers


@kernel
class RmsNorm:
    """x over the root of its mean square, times gamma; ``rstdOut`` is one over that root."""

    outputs = ("yOut", "rstdOut")

    def infer(x, gamma, epsilon=1e-6):
        own = len(gamma.shape)
        if not own or x.shape[len(x.shape) - own :] != gamma.shape:
            raise KERNELS["RmsNorm"].refused(
                "needs a gamma of the last sizes of x", given=f"x: {x}, gamma: {gamma}"
            )
        ones = (*x.shape[: len(x.shape) - own], *[1] * own)
        return Form(x.dtype, x.shape), Form("float32" if x.dtype != "float64" else x.dtype, ones)

    def body(x, gamma, epsilon):
        return bodies.rms_norm(x, gamma, epsilon)


@kernel
class SwiGlu:
    """The first half along an axis through swish, times the second half."""

    def infer(x, dim=-1):
        axis = axis_of("SwiGlu", dim, x)
        if x.shape[axis] % 2:
            raise KERNELS["SwiGlu"].refused("halves an axis", given=f"axis {axis} of {x}")
        halved = [size // 2 if i == axis else size for i, size in enumerate(x.shape)]
        return (Form(x.dtype, tuple(halved)),)

    def body(x, dim):
        return bodies.swiglu(x, dim)


@kernel
class RotaryPositionEmbedding:
    """x * cos + turned(x) * sin; mode 0 turns the halves of the last axis, 1 neighbours."""

    def infer(x, cos, sin, mode=0):
        if x.shape[-1] % 2 or mode not in (0, 1):
            raise KERNELS["RotaryPositionEmbedding"].refused(
                "turns pairs, in mode 0 or 1", given=f"x: {x}, mode {mode}"
            )
        return (Form(x.dtype, x.shape),)

    def body(x, cos, sin, mode):
        return bodies.rotary(x, cos, sin, mode == 1)


@kernel
class ApplyRotaryPosEmb:
    """Rotary position embedding of query and key, which it writes back into them."""

    outputs = ("queryOut", "keyOut")
    order = ("query", "key", "cos", "sin", "layout", "queryOut", "keyOut")

    def infer(query, key, cos, sin, layout=1):
        return query, key

    def body(query, key, cos, sin, layout):
        return bodies.rotary(query, cos, sin), bodies.rotary(key, cos, sin)


_LAYOUTS = ("BNSD", "BSH", "BSND", "SBH")


@kernel
class FlashAttentionScore:
    """softmax(query @ key.T * scaleValue) @ value in heads, without the matrix of scores."""

    outputs = ("softmaxMax", "softmaxSum", "attentionOut")
    order = (
        "query", "key", "value", "attenMask", "scaleValue", "headNum", "inputLayout", "sparseMode",
        "softmaxMax", "softmaxSum", "attentionOut",
    )  # fmt: skip

    def infer(query, key, value, attenMask, scaleValue, headNum, inputLayout, sparseMode=0):
        _one_dtype("FlashAttentionScore", query, key, value)
        if inputLayout not in _LAYOUTS or sparseMode not in (0, 2):
            raise KERNELS["FlashAttentionScore"].refused(
                f"knows the layouts {', '.join(_LAYOUTS)} and the sparse modes 0 and 2",
                given=f"inputLayout {inputLayout!r}, sparseMode {sparseMode!r}",
                hint="sparseMode 2 hides what comes later; 0 hides what attenMask says.",
            )
        batch, length = _sizes(query, inputLayout)
        # eight times, as the real kernel gives them: its vectors have eight lanes
        seen = Form("float32" if query.dtype != "float64" else "float64",
                    (batch, headNum, length, 8))  # fmt: skip
        return seen, seen, Form(query.dtype, query.shape)

    def scratch(query, key, value, attenMask, scaleValue, headNum, inputLayout, sparseMode=0):
        """A block of scores."""
        batch, length = _sizes(query, inputLayout)
        return [Form(_wide(query), (batch, headNum, length, 128))]

    def body(
        query, key, value, attenMask, scaleValue, headNum, inputLayout, sparseMode, scratch=()
    ):
        q, k, v = [_in_heads(x, headNum, inputLayout) for x in (query, key, value)]
        hidden = None if attenMask is None else attenMask.astype(bool)
        if sparseMode == 2:
            hidden = bodies.causal(q.shape[-2], k.shape[-2])
        found, best, total = bodies.attention(q, k, v, hidden, scaleValue, scores=scratch[0])
        return (
            np.repeat(best, 8, -1),
            np.repeat(total, 8, -1),
            _out_of_heads(found, query.shape, inputLayout),
        )


def _sizes(form, layout):
    """Batch and length of a query."""
    places = {"BNSD": (0, 2), "BSH": (0, 1), "BSND": (0, 1), "SBH": (1, 0)}[layout]
    return tuple([form.shape[place] for place in places])


def _in_heads(x, heads, layout):
    """[batch, heads, length, features of a head]."""
    if layout == "BNSD":
        return x
    if layout == "SBH":
        x = np.swapaxes(x, 0, 1)
    return np.moveaxis(x.reshape(*x.shape[:2], heads, -1), 2, 1)


def _out_of_heads(found, shape, layout):
    if layout == "BNSD":
        return found
    found = np.moveaxis(found, 1, 2)
    if layout == "SBH":
        found = np.swapaxes(found.reshape(*found.shape[:2], -1), 0, 1)
    return found.reshape(shape)
