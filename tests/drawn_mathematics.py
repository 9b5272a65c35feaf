"""Draws for the ops of mathematics: special functions, norms, decompositions, and their kin."""

import numpy as np
from drawn_operands import DRAWS, axes_of, axis_of, broadcasting, coin, draw, numbers, sizes


@draw("Polygamma")
def _polygamma(rng):
    return numbers(rng, sizes(rng, most=2), 0.5, 4), {"n": int(rng.integers(4))}


@draw("DivMod")
def _rounded_division(rng):
    shape = sizes(rng, most=2)
    mode = (None, "floor", "trunc")[rng.integers(3)]
    return numbers(rng, shape, -9, 9), numbers(rng, shape, 1, 3), {"rounding_mode": mode}


@draw("Mm")
def _two_matrices(rng):
    rows, inner, columns = sizes(rng, least=3, most=3)
    return numbers(rng, (rows, inner)), numbers(rng, (inner, columns))


@draw("Mv")
def _matrix_and_vector(rng):
    rows, inner = sizes(rng, least=2, most=2)
    return numbers(rng, (rows, inner)), numbers(rng, (inner,))


@draw("Dot", "Vdot")
def _two_vectors(rng):
    shape = sizes(rng, least=1, most=1)
    return numbers(rng, shape), numbers(rng, shape)


@draw("Outer")
def _vectors(rng):
    return numbers(rng, sizes(rng, least=1, most=1)), numbers(rng, sizes(rng, least=1, most=1))


def _weights(rng):
    return {"beta": float(rng.uniform(0.5, 2)), "alpha": float(rng.uniform(0.5, 2))}


@draw("Addmm")
def _addmm(rng):
    y, z = _two_matrices(rng)
    return numbers(rng, (z.shape[1],)), y, z, _weights(rng)


@draw("Addmv")
def _addmv(rng):
    y, z = _matrix_and_vector(rng)
    return numbers(rng, (y.shape[0],)), y, z, _weights(rng)


@draw("Addbmm", "Baddbmm")
def _addbmm(rng):
    rows, inner, columns = sizes(rng, least=3, most=3)
    y, z = numbers(rng, (2, rows, inner)), numbers(rng, (2, inner, columns))
    return numbers(rng, (rows, columns)), y, z, _weights(rng)


@draw("AddcmulExt", "AddcdivExt")
def _mixed(rng):
    x, y, z = broadcasting(rng, 3)
    pair = numbers(rng, x), numbers(rng, y)
    return *pair, numbers(rng, z, 0.5, 2), {"value": float(rng.uniform(0.5, 2))}


def _square(rng):
    shape = sizes(rng, least=1, most=2, empty=False)
    return numbers(rng, (*shape, shape[-1]), -1, 1) + 2 * np.eye(shape[-1])


@draw("MatrixInverse", "MatrixInverseExt", "MatrixDeterminant", "MatrixCofactor")
def _one_square(rng):
    return (_square(rng),)


@draw("LogMatrixDeterminant", "MatrixExp")
def _another_square(rng):
    return (_square(rng),)


@draw("MatrixSolve")
def _equations(rng):
    x = _square(rng)
    return x, numbers(rng, (*x.shape[:-1], 2)), {"adjoint": coin(rng)}


@draw("TriangularSolve")
def _triangular_equations(rng):
    x, how = _square(rng), ("upper", "transpose", "unitriangular")
    return numbers(rng, (*x.shape[:-1], 2)), x, {key: coin(rng) for key in how}


@draw("Cholesky")
def _symmetric(rng):
    x = _square(rng)
    return x @ np.swapaxes(x, -1, -2), {"upper": coin(rng)}


@draw("Qr", "LinalgQr")
def _of_full_rank(rng):
    m, n = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    return numbers(rng, (m, n), -0.4, 0.4) + 2 * np.eye(m, n), {"mode": "reduced"}


@draw("Svd", "PseudoInverse")
def _with_values_apart(rng):
    m, n = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    x = numbers(rng, (m, n), -0.2, 0.2)
    x[np.arange(min(m, n)), np.arange(min(m, n))] += np.arange(1, min(m, n) + 1)
    return (x,)


@draw("LpNormV2", "LinalgVectorNorm")
def _length(rng):
    shape = sizes(rng, empty=False)
    p = (2.0, 1.0, 3.0, 1.5, -2.0, np.inf, -np.inf)[rng.integers(7)]
    how = {"axis": axes_of(rng, len(shape)), "keep_dims": coin(rng)}
    return numbers(rng, shape, 0.3, 2) * rng.choice([-1.0, 1.0], shape), {"p": p, **how}


@draw("MeanExt")
def _mean(rng):
    shape = sizes(rng, empty=False)
    return numbers(rng, shape), {"axis": axes_of(rng, len(shape)), "keep_dims": coin(rng)}


@draw("Var", "Std", "VarMean", "StdMean")
def _spread(rng):
    shape = (*sizes(rng, most=2, empty=False), 4)
    how = {"axis": -1, "correction": int(rng.integers(3)), "keep_dims": coin(rng)}
    return numbers(rng, shape), how


@draw("LogSumExp")
def _log_sum(rng):
    shape = sizes(rng, least=1, empty=False)
    return numbers(rng, shape), {"axis": axis_of(rng, len(shape)), "keep_dims": coin(rng)}


@draw("BatchMatMulExt")
def _stacks(rng):
    return DRAWS["BatchMatMul"](rng)


@draw("TrilExt")
def _triangle(rng):
    return DRAWS["Tril"](rng)


@draw("LayerNormExt")
def _layer_norm(rng):
    return DRAWS["LayerNorm"](rng)


@draw("LogSoftmaxExt")
def _log_softmax(rng):
    return DRAWS["LogSoftmax"](rng)


@draw("UnstackExtView")
def _slices(rng):
    shape = sizes(rng, least=1, empty=False)
    return numbers(rng, shape), {"axis": axis_of(rng, len(shape))}


@draw("TransposeExtView")
def _two_axes(rng):
    shape = sizes(rng)
    dim0, dim1 = axis_of(rng, len(shape)), axis_of(rng, len(shape))
    return numbers(rng, shape), {"dim0": dim0, "dim1": dim1}


@draw("SelectExtView")
def _one_slice(rng):
    shape = sizes(rng, least=1, empty=False)
    dim = axis_of(rng, len(shape))
    return numbers(rng, shape), {"dim": dim, "index": int(rng.integers(shape[dim]))}


@draw("NarrowView")
def _narrowed(rng):
    shape = sizes(rng, least=1, empty=False)
    dim = axis_of(rng, len(shape))
    start = int(rng.integers(shape[dim]))
    length = int(rng.integers(shape[dim] - start + 1))
    return numbers(rng, shape), {"dim": dim, "start": start, "length": length}


@draw("TraceExt")
def _trace(rng):
    return (numbers(rng, sizes(rng, least=2, most=2)),)
