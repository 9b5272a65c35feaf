"""Record what MindSpore answers on the first sample of every op, and its gradients.

    python tests/record_mindspore.py        # with a Python that has MindSpore 2.10 and NumPy

Writes tests/golden/ops_mindspore.json, which test_ops_mindspore.py compares with.
"""

import inspect
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
GOLDEN = HERE / "golden" / "ops_mindspore.json"

#: Ops that MindSpore has under no name or with other operands, or that draw random numbers.
ABSENT = {
    "SumTo",
    "GetItemGrad",
    "GatherGrad",
    "GatherDGrad",
    "StandardNormal",
    "UniformReal",
    "PadV3",
    "ItemAt",
    "ItemAtGrad",
    "TensorSetAt",
    "TensorSetAtGrad",
    "LinearScan",
    "StandardGamma",
    "StandardPoisson",
    "MatrixCofactor",
    "PseudoInverse",
    "AllFinite",
    "Conv3DBackpropInput",
    "CrossEntropyLossGrad",
    "AvgPoolGrad",
    "AvgPool3DGrad",
    "MaxPoolGrad",
    "MaxPoolGradGrad",
    "MaxPool3DGrad",
    "MaxPool3DGradGrad",
}


#: Ops of whose further results MindSpore takes no gradient.
FIRST_ALONE = {"BatchNorm", "LayerNorm"}


def plain_sample(op, seed=0):
    """The first sample of an op: operands as float32, attributes as given."""
    import numpy as np

    sample = tuple(next(iter(op.samples(np.random.default_rng(seed)))))
    attributes = sample[-1] if sample and isinstance(sample[-1], dict) else {}
    operands = sample[:-1] if attributes else sample
    return [narrowed(x) for x in operands], attributes


def narrowed(x):
    """An operand in the dtype that learners use most."""
    import numpy as np

    if isinstance(x, np.ndarray) and x.dtype.kind == "f":
        return np.ascontiguousarray(x, np.float32)
    return np.ascontiguousarray(x) if isinstance(x, np.ndarray) else x


def main():
    """Ask MindSpore, write the answers."""
    sys.path[:0] = [str(HERE.parent), str(HERE)]
    os.environ["MS_EXT_CORE"] = "reference"
    import mindspore

    import ms_ext.ops  # noqa: F401  (declares the ops)
    from ms_ext.engine import primitive

    mindspore.runtime.launch_blocking()
    found = {"mindspore": mindspore.__version__, "ops": {}}
    for name, op in primitive.OPS.items():
        if name not in ABSENT and op.module.startswith("ms_ext.ops."):
            found["ops"][name] = answer(mindspore, op)
    rows = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in found["ops"].items()]
    head = f'{{"mindspore": {json.dumps(found["mindspore"])}, "ops": {{'
    GOLDEN.write_text("\n".join([head, ",\n".join(rows), "}}", ""]))
    refused = [name for name, row in found["ops"].items() if "refused" in row]
    print(f"{len(found['ops'])} ops, of which MindSpore refused {refused}")


def answer(mindspore, op):
    """MindSpore's results and gradients for one op."""
    operands, attributes = plain_sample(op)
    given = [mindspore.Tensor(x) if hasattr(x, "dtype") else x for x in operands]
    call = caller(mindspore, op, attributes)
    try:
        results = [described(r) for r in flat(call(*given))]
    except Exception as error:  # noqa: BLE001 - whatever it says is the answer
        return {"refused": f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"}
    return {"results": results, "gradients": gradients(mindspore, op, call, given)}


def gradients(mindspore, op, call, given):
    """The gradients of all floating operands, results weighed by ones; None if there are none."""
    places = [i for i, x in enumerate(given) if hasattr(x, "dtype") and "Float" in str(x.dtype)]
    if op.bprop is None or not places:
        return None
    try:
        found = mindspore.grad(lambda *xs: counted(op, call(*xs)), tuple(places))(*given)
    except Exception as error:  # noqa: BLE001
        return {"refused": f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"}
    return [described(g) for g in flat(found)]


def counted(op, results):
    """What a gradient is taken of: of LayerNorm's mean and the like MindSpore takes none."""
    return results[0] if op.name in FIRST_ALONE else results


def caller(mindspore, op, attributes):
    """How MindSpore is asked for an op: the function of the same name, else the primitive."""
    ops, values = mindspore.ops, [dtype_of(mindspore, v) for v in attributes.values()]
    special = SPECIAL.get(op.name)
    if special is not None:
        return lambda *xs: special(mindspore, *xs, **attributes)
    plain = next((n for n in op.names if "." not in n and hasattr(ops, n)), None)
    if plain is None and not hasattr(ops, op.name) and op.names:
        return lambda *xs: mint_function(mindspore, op)(*xs, *values)
    if plain is None:
        return lambda *xs: primitive_of(op)(mindspore, *xs, **attributes)
    if op.arity is None:
        return lambda *xs: getattr(ops, plain)(xs, *values)
    return lambda *xs: getattr(ops, plain)(*xs, *values)


def primitive_of(op):
    """The primitive of the same name: made with the attributes it is made with, called with them.

    Those of gradients and of what mint is made of are in other modules.
    """

    def call(ms, *xs, **attributes):
        from mindspore.ops import auto_generate
        from mindspore.ops.operations import _grad_ops

        homes = [home for home in (ms.ops, auto_generate, _grad_ops) if hasattr(home, op.name)]
        kind = getattr(homes[0], op.name)
        making = {k: v for k, v in attributes.items() if k in inspect.signature(kind).parameters}
        rest = [value for name, value in attributes.items() if name not in making]
        return kind(**making)(*xs, *rest)

    return call


def mint_function(mindspore, op):
    """``mint.add`` of an op that has only that name."""
    name = next(n for n in op.names if n.startswith("mint."))
    return getattr(mindspore.mint, name.removeprefix("mint."))


def dtype_of(mindspore, value):
    """Our dtypes as MindSpore's."""
    name = getattr(value, "public", value if value in ("float16", "float32") else None)
    return getattr(mindspore, name) if isinstance(name, str) else value


def written(mindspore, x, value, index):
    """``x[index] = value`` on a copy."""
    x = mindspore.ops.add(x, 0)
    x[index] = value
    return x


def added_product(name):
    """``mint.addcmul`` and ``mint.addcdiv``, whose factor has a name."""
    return lambda ms, x, y, z, value: getattr(ms.mint, name)(x, y, z, value=value)


def columns_joined(ms, x, output_size, ksizes):
    """``Col2Im``, whose size is a tensor."""
    return ms.ops.Col2Im(kernel_size=ksizes)(x, ms.Tensor(output_size, ms.int32))


def largest_in_3d(ms, x, output_size):
    """``AdaptiveMaxPool3D``, whose size is a tensor."""
    return ms.ops.AdaptiveMaxPool3D()(x, ms.Tensor(output_size, ms.int32))


def cross_entropy(ms, x, target, **options):
    """``ops.cross_entropy``: mint's has no kernel on a CPU."""
    return ms.ops.cross_entropy(x, target, **options)


SPECIAL = {
    "Col2Im": columns_joined,
    "AdaptiveMaxPool3D": largest_in_3d,
    "CrossEntropyLoss": cross_entropy,
    "SortExt": lambda ms, x: ms.mint.sort(x),
    "TopkExt": lambda ms, x, k: ms.mint.topk(x, k),
    "CumsumExt": lambda ms, x, dim: ms.mint.cumsum(x, dim),
    "Meshgrid": lambda ms, *xs: ms.ops.meshgrid(*xs),
    "Histogram": lambda ms, x, bins: ms.ops.histc(x, bins),
    "DivMod": lambda ms, x, y, rounding_mode: ms.ops.div(x, y, rounding_mode=rounding_mode),
    "Polygamma": lambda ms, x, n: ms.ops.polygamma(ms.Tensor(n), x),
    "AddcmulExt": added_product("addcmul"),
    "AddcdivExt": added_product("addcdiv"),
    "LpNormV2": lambda ms, x: ms.ops.norm(x),
    "LinalgVectorNorm": lambda ms, x: ms.mint.linalg.vector_norm(x),
    "LinalgQr": lambda ms, x: ms.mint.linalg.qr(x),
    "LayerNormExt": lambda ms, x, g, b, epsilon: ms.ops.layer_norm(x, g.shape, g, b, epsilon),
    "GetItem": lambda ms, x, index: x[index],
    "TensorSet": written,
    "GeLU": lambda ms, x: ms.ops.GeLU()(x),
    "GeluExt": lambda ms, x: ms.ops.gelu(x),
    "BatchMatMul": lambda ms, x, y: ms.ops.BatchMatMul()(x, y),
    "ArgMaxWithValue": lambda ms, x, axis: ms.ops.ArgMaxWithValue(axis)(x),
    "ArgMinWithValue": lambda ms, x, axis: ms.ops.ArgMinWithValue(axis)(x),
    "GatherD": lambda ms, x, index, dim: ms.ops.gather_elements(x, dim, index),
    "LayerNorm": lambda ms, x, g, b, epsilon: ms.ops.LayerNorm(1, 1, epsilon)(x, g, b),
    "Cast": lambda ms, x, dtype: ms.ops.cast(x, ms.float32),
    "Identity": lambda ms, x: ms.ops.Identity()(x),
    "Unstack": lambda ms, x: ms.ops.unbind(x),
    "FillScalar": lambda ms, size, fill_value: ms.ops.full(size, fill_value),
}


def flat(result):
    """The results as a list."""
    return list(result) if isinstance(result, tuple | list) else [result]


def described(tensor):
    """A tensor as plain data."""
    return {
        "dtype": str(tensor.dtype),
        "shape": list(tensor.shape),
        "values": tensor.asnumpy().ravel().tolist(),
    }


if __name__ == "__main__":
    main()
