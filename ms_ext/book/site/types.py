"""Which types does an op take and give, and at what cost? Asked of ``infer``, on its samples."""

import numpy as np

from ms_ext import dtype as dtypes
from ms_ext.engine import errors, infer
from ms_ext.engine.declaration import REQUIRED
from ms_ext.engine.ir import FuncGraph, cost

from .markdown import code, plain, table

ROWS = 5  # samples that a table shows at most


def samples(op):
    """The table of the op's own samples: operands, attributes, result, FLOPs, bytes."""
    rows, seen = [], set()
    for operands, given in cases(op):
        types = tuple(map(infer.abstract_of, operands))
        result, (flops, moved) = _measured(op, types, _filled(op, given))
        row = (
            ", ".join(map(_type, types)) or "none",
            _attributes(given),
            _type(result),
            f"{flops:,}",
            f"{moved:,}",
        )
        if row not in seen:
            seen.add(row)
            rows.append(row)
    heads = ("operands", "attributes", "result", "FLOPs", "bytes moved")
    return table(heads, rows[:ROWS])


def cases(op):
    """(operands, attributes) of every sample; the floats in float32, as in most programs."""
    for sample in op.samples(np.random.default_rng(0)):
        operands, given = tuple(sample), {}
        if operands and isinstance(operands[-1], dict):
            *operands, given = operands
        yield tuple(_single(each) for each in operands), given


def _single(value):
    floating = isinstance(value, np.ndarray) and value.dtype == np.float64
    return value.astype(np.float32) if floating else value


def _filled(op, given):
    return {key: given.get(key, default) for key, default in op.attributes}


def _measured(op, types, attributes):
    graph = FuncGraph("sample")
    inputs = [graph.add_parameter(kind, f"x{at}") for at, kind in enumerate(types)]
    node = graph.add(op, inputs, attributes)
    return node.abstract, cost(node)


def _type(abstract):
    return code(str(abstract))


def _attributes(given):
    return ", ".join(code(f"{key}={written(value)}") for key, value in given.items()) or ""


def kinds(op):
    """Which dtype comes out for which: the first sample with floats, cast to every dtype."""
    case = next((c for c in cases(op) if any(map(_is_floating, c[0])) and np.size(c[0][0])), None)
    if case is None:
        return ""
    heads, row, refused = [], [], {}
    for dtype in dtypes.DTYPES:
        heads.append(dtype.short)
        try:
            row.append(code(_result_dtype(op, case, dtype)))
        except errors.MsExtError as error:
            row.append("refused")
            refused.setdefault(str(error).splitlines()[0], []).append(dtype.short)
    sentences = [f"{', '.join(names)}: {plain(why)}" for why, names in refused.items()]
    shown = table(("operand", *heads), [("result", *row)])
    return "\n\n".join([shown, *sentences])


def _is_floating(value):
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def _result_dtype(op, case, dtype):
    operands, given = case
    types = tuple(
        infer.AbstractTensor(dtype, each.shape) if _is_floating(each) else infer.abstract_of(each)
        for each in operands
    )
    result = infer.infer(op, types, _filled(op, given))
    parts = result.items if isinstance(result, infer.AbstractTuple) else [result]
    return ", ".join(dict.fromkeys(part.dtype.short for part in parts))


def result_kind(op, case):
    """ "bool", "int" or "float": what comes out for one sample."""
    operands, given = case
    types = tuple(map(infer.abstract_of, operands))
    return infer.infer(op, types, _filled(op, given)).dtype.kind


def written(value):
    """A default or an attribute as a reader would write it."""
    if value is REQUIRED:
        return "(required)"
    return str(value) if isinstance(value, dtypes.DType) else repr(value)
