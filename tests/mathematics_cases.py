"""Calls of mathematics: our text, which is MindSpore's too, torch's, and the operands.

Operands are drawn between -2 and 2 where a shape is given, else they are as
written. torch's text is None where it has no such function.
"""

import re

import numpy as np
import torch_cases

INF, NAN = float("inf"), float("nan")
V, W, M, N = (3,), (3,), (2, 3), (3, 4)
AWKWARD = [-INF, -2.5, -1.0, -0.0, 0.0, 0.5, 1.0, 3.0, INF, NAN]
UNIT = [0.05, 0.2, 0.5, 0.75, 0.95]
ABOVE_ONE = [1.0, 1.5, 3.0, 10.0]
POSITIVE = [0.1, 0.7, 1.0, 2.5, 30.0]
REAL = [-20.5, -1.5, -0.25, 0.0, 0.3, 2.0, 20.0]
INTS, OTHERS = np.int32([[12, -18, 7], [0, 5, 9]]), np.int32([8, 6, 3])
SQUARE = [[4.0, 1.0, 0.5], [0.3, 3.0, 0.2], [0.5, 0.1, 2.0]]
OTHER_SQUARE = [[1.0, 2.0, 0.0], [0.5, -1.0, 0.3], [0.2, 0.1, 2.0]]
SYMMETRIC = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]
STACK = [[[2.0, 0.5], [0.1, 1.0]], [[1.0, -0.5], [0.3, 3.0]]]
HOLES = [[1.0, NAN, 3.0], [4.0, 5.0, NAN]]


def unary(names, values, prefix="torch"):
    return [(f"ops.{n}(x)", f"{prefix}.{n}(x)", {"x": values}) for n in names.split()]


def both(ours, operands, torchs=None):
    """One case; torch's text is ours in its words."""
    words = ours.replace("ops.", "torch.").replace("mint.", "torch.") if torchs is None else torchs
    return ours, words, operands


TWO = {"x": (2, 3), "y": (3,)}
ELEMENTS = [
    *unary("acosh arccosh", ABOVE_ONE), *unary("asinh arcsinh sinc exp2", REAL),
    *unary("atanh arctanh", [-0.9, -0.3, 0.0, 0.5]),
    *unary("log2 log10 lgamma digamma", POSITIVE), *unary("erfc rad2deg deg2rad frac sgn", REAL),
    *unary("i0", REAL[1:6]),
    *unary("erfinv", [-0.95, -0.5, 0.1, 0.3, 0.9]), *unary("logit", UNIT),
    *unary("isposinf isneginf isreal positive nan_to_num", AWKWARD),
    ("ops.signbit(x)", None, {"x": AWKWARD}),
    both("ops.inv(x)", {"x": POSITIVE}, "torch.reciprocal(x)"),
    both("ops.logit(x, 0.1)", {"x": UNIT}, "torch.logit(x, 0.1)"),
    both("ops.mvlgamma(x, 2)", {"x": [1.5, 2.5, 4.0]}),
    both("ops.polygamma(2, x)", {"x": POSITIVE}),
    both("ops.zeta(x, y)", {"x": [1.5, 2.0, 3.0], "y": [0.5, 1.0, 7.0]},
         "torch.special.zeta(x.detach(), y.detach())"),
    both("ops.bessel_i0e(x)", {"x": REAL}, "torch.special.i0e(x)"),
    both("ops.bessel_i1(x)", {"x": REAL[1:6]}, "torch.special.i1(x)"),
    both("ops.bessel_i1e(x)", {"x": REAL}, "torch.special.i1e(x)"),
    both("ops.bessel_j0(x)", {"x": REAL}, "torch.special.bessel_j0(x.detach())"),
    both("ops.bessel_j1(x)", {"x": REAL}, "torch.special.bessel_j1(x.detach())"),
    *(both(f"ops.{n}(x, y)", TWO) for n in "logaddexp logaddexp2 hypot copysign fmax fmin "
      "fmod isclose".split()),
    both("ops.float_power(x, 2)", {"x": (2, 3)}),
    both("ops.float_power(2.0, x)", {"x": (2, 3)}),
    both("ops.xlogy(x, y)", {"x": [0.0, 1.0, 2.0], "y": [0.0, 0.5, 3.0]}),
    ("ops.xdivy(x, y)", None, {"x": [0.0, 1.0, 2.0], "y": [0.0, 0.5, 3.0]}),
    both("ops.ldexp(x, y)", TWO), both("ops.ldexp(x, i)", {"x": (2, 3), "i": OTHERS}),
    ("ops.nextafter(x, y)", None, {"x": [1.0, 0.0], "y": [2.0, -1.0]}),
    both("ops.heaviside(x, y)", {"x": [-1.0, 0.0, 2.0], "y": [0.5, 0.5, 0.5]},
         "torch.heaviside(x.detach(), y.detach())"),
    ("ops.approximate_equal(x, y, 0.5)", None, {"x": [1.0, 2.0], "y": [1.1, 3.0]}),
    both("ops.nan_to_num(x, 0.5, 7.0, -7.0)", {"x": AWKWARD}),
    both("ops.isclose(x, x, equal_nan=True)", {"x": AWKWARD}),
    both("ops.lerp(x, y, 0.3)", {"x": V, "y": W}),
    both("ops.lerp(x, y, z)", {"x": V, "y": W, "z": V}),
    both("ops.addcmul(x, y, z, 0.5)", {"x": M, "y": V, "z": M},
         "torch.addcmul(x, y, z, value=0.5)"),
    both("mint.addcmul(x, y, z, value=0.5)", {"x": M, "y": V, "z": M}),
    both("ops.addcdiv(x, y, z, 0.5)", {"x": M, "y": V, "z": [0.5, 1.0, 2.0]},
         "torch.addcdiv(x, y, z, value=0.5)"),
    both("mint.addcdiv(x, y, z, value=0.5)", {"x": M, "y": V, "z": [0.5, 1.0, 2.0]}),
    *(both(f"mint.{n}(x)", {"x": v}) for n, v in (
        ("acos", UNIT), ("asin", UNIT), ("atan", REAL), ("acosh", [1.5, 3.0]), ("asinh", REAL),
        ("exp2", REAL), ("log2", POSITIVE), ("log10", POSITIVE), ("frac", REAL),
        ("isneginf", AWKWARD), ("sinc", REAL), ("erfc", REAL), ("special.erfc", REAL),
        ("special.exp2", REAL), ("special.sinc", REAL))),
    both("mint.atan2(x, y)", TWO), both("mint.arctan2(x, y)", TWO),
    both("mint.logaddexp(x, y)", TWO), both("mint.logaddexp2(x, y)", TWO),
    both("mint.fmod(x, 1.5)", {"x": REAL}), both("mint.xlogy(x, y)", {"x": V, "y": POSITIVE[:3]}),
    both("mint.float_power(x, 2)", {"x": V}), both("mint.lerp(x, y, 0.3)", {"x": V, "y": W}),
    both("mint.nan_to_num(x)", {"x": AWKWARD}), both("mint.isclose(x, y)", TWO),
    # whole numbers and division -----------------------------------------------------------------
    both("ops.gcd(i, j)", {"i": INTS, "j": OTHERS}),
    both("ops.lcm(i, j)", {"i": INTS, "j": OTHERS}),
    both("ops.invert(i)", {"i": INTS}, "torch.bitwise_not(i)"),
    both("mint.bitwise_not(i)", {"i": INTS}),
    both("ops.bitwise_left_shift(i, j)", {"i": INTS, "j": OTHERS}),
    both("ops.bitwise_right_shift(i, j)", {"i": INTS, "j": OTHERS}),
    both("ops.fmod(i, j)", {"i": INTS, "j": OTHERS}), both("ops.fmod(i, 2.5)", {"i": INTS}),
    both("ops.truncate_mod(i, j)", {"i": INTS, "j": OTHERS}, "torch.fmod(i, j)"),
    both("ops.truncate_div(i, j)", {"i": INTS, "j": OTHERS},
         "torch.div(i, j, rounding_mode='trunc')"),
    *(both(f"{m}.div({a}, {b}, rounding_mode='{r}')", {"x": M, "y": V, "i": INTS, "j": OTHERS})
      for m in ("ops", "mint") for r in ("floor", "trunc") for a, b in (("x", "y"), ("i", "j"))),
    both("ops.div(i, j)", {"i": INTS, "j": OTHERS}),
    both("ops.inv(i)", {"i": np.int32([2, -3, 1, -1])}, "torch.trunc(1 / i).int()"),
]  # fmt: skip

HOW = ", beta=0.5, alpha=2"
PRODUCTS = [
    *(both(f"{m}.mm(x, y)", {"x": M, "y": N}) for m in ("ops", "mint")),
    *(both(f"{m}.mv(x, y)", {"x": M, "y": V}) for m in ("ops", "mint")),
    both("mint.dot(x, y)", {"x": V, "y": W}), both("mint.vdot(x, y)", {"x": V, "y": W}),
    both("ops.vecdot(x, y)", {"x": M, "y": M}, "torch.linalg.vecdot(x, y)"),
    both("ops.dot(x, y)", {"x": (2, 2, 3), "y": (4, 3, 2)}, "torch.tensordot(x, y, ((2,), (1,)))"),
    both("ops.inner(x, y)", {"x": (2, 2, 3), "y": (4, 3)}),
    both("ops.outer(x, y)", {"x": V, "y": (2,)}), both("mint.outer(x, y)", {"x": V, "y": (2,)}),
    both("ops.ger(x, y)", {"x": V, "y": (2,)}),
    both("ops.tensor_dot(x, y, 2)", {"x": (2, 3, 4), "y": (3, 4, 2)}, "torch.tensordot(x, y, 2)"),
    both("ops.tensor_dot(x, y, ((2, 0), (0, 1)))", {"x": (2, 3, 4), "y": (4, 2)},
         "torch.tensordot(x, y, ((2, 0), (0, 1)))"),
    both("ops.kron(x, y)", {"x": M, "y": (2, 2)}),
    both("ops.kron(x, y)  # ranks", {"x": V, "y": M}),
    both("ops.cross(x, y)", {"x": M, "y": M}),
    both("ops.cross(x, y, 0)", {"x": (3, 2), "y": (3, 1)}),
    both("mint.cross(x, y, 1)", {"x": M, "y": M}),
    ("ops.batch_dot(x, y)", "torch.bmm(x, y)", {"x": (2, 3, 4), "y": (2, 4, 2)}),
    ("ops.batch_dot(x, y, (1, 2))", "torch.einsum('bij,bki->bjk', x, y)",
     {"x": (2, 3, 4), "y": (2, 5, 3)}),
    *(both(f"{m}.addmm(x, y, z{HOW})", {"x": (4,), "y": M, "z": N}) for m in ("ops", "mint")),
    *(both(f"{m}.addmv(x, y, z{HOW})", {"x": (2,), "y": M, "z": V}) for m in ("ops", "mint")),
    both(f"ops.addr(x, y, z{HOW})", {"x": M, "y": (2,), "z": V}),
    *(both(f"{m}.addbmm(x, y, z{HOW})", {"x": (2, 4), "y": (2, 2, 3), "z": (2, 3, 4)})
      for m in ("ops", "mint")),
    *(both(f"{m}.baddbmm(x, y, z{HOW})", {"x": (2, 2, 4), "y": (2, 2, 3), "z": (2, 3, 4)})
      for m in ("ops", "mint")),
    *(both(f"{m}.einsum('{e}', {', '.join('xyz'[: len(s)])})", dict(zip("xyz", s, strict=False)))
      for m in ("ops", "mint") for e, s in (
        ("ij,jk->ik", (M, N)), ("ii", ((3, 3),)), ("ii->i", ((3, 3),)),
        ("...ij,...jk->...ik", ((2, 2, 3), N)),
        ("bij,bjk,bkl->bil", ((2, 2, 3), (2, 3, 2), (2, 2, 2))),
        ("i,j", (V, (2,))), ("ij->", (M,)), ("bhqd,bhkd->bhqk", ((1, 2, 3, 4), (1, 2, 2, 4))),
        ("iij,j->i", ((2, 2, 3), V)))),
]  # fmt: skip

ALONE = [
    ("inverse", None), ("det", None), ("slogdet", None), ("logdet", None), ("matrix_exp", None),
    ("matrix_determinant", "torch.det(x)"), ("log_matrix_determinant", "torch.slogdet(x)"),
]  # fmt: skip
MATRICES = [
    *(both(f"ops.{n}(x)", {"x": SQUARE}, t) for n, t in ALONE),
    *(both(f"ops.{n}(x)  # stack", {"x": STACK}, t or f"torch.{n}(x)") for n, t in ALONE),
    both("ops.adjoint(x)", {"x": (2, 2, 3)}),
    both("ops.lu_solve(x, y, i)", {"x": (3, 2), "y": SQUARE, "i": np.int32([2, 3, 3])}),
    both("ops.lu_unpack(y, i)", {"y": SQUARE, "i": np.int32([2, 3, 3])}),
    both("ops.lu_unpack(y, i)  # wide", {"y": (2, 3), "i": np.int32([2, 2])},
         "torch.lu_unpack(y, i)"),
    both("mint.inverse(x)", {"x": SQUARE}), both("mint.linalg.inv(x)", {"x": SQUARE}),
    both("ops.det(x)  # singular", {"x": [[1.0, 1.0], [1.0, 1.0]]}),
    both("ops.matrix_solve(x, y)", {"x": SQUARE, "y": (3, 2)}, "torch.linalg.solve(x, y)"),
    both("ops.matrix_solve(x, y, True)", {"x": STACK, "y": (2, 2, 3)},
         "torch.linalg.solve(x.mT, y)"),
    *(both(f"ops.cholesky(x, {u})", {"x": SYMMETRIC}) for u in (False, True)),
    both("ops.cholesky_solve(y, ops.cholesky(x))", {"x": SYMMETRIC, "y": (3, 2)}),
    both("ops.cholesky_inverse(ops.cholesky(x))", {"x": SYMMETRIC}),
    both("mint.triangular_solve(y, x)", {"x": SQUARE, "y": (3, 2)}),
    both("mint.triangular_solve(y, x, False, True, True)", {"x": SQUARE, "y": (3, 2)}),
    both("ops.qr(x)", {"x": (3, 2)}), both("ops.qr(x)  # wide", {"x": (2, 3)}),
    both("ops.qr(x, 'complete')", {"x": SQUARE}, "torch.linalg.qr(x, 'complete')"),
    both("mint.linalg.qr(x)", {"x": (3, 2)}),
    both("ops.svd(x)[0]", {"x": (3, 2)}, "torch.linalg.svdvals(x)"),
    both("ops.svd(x, compute_uv=False)", {"x": (2, 3)}, "torch.linalg.svdvals(x)"),
    both("ops.pinv(x)", {"x": (3, 2)}, "torch.linalg.pinv(x)"),
    both("ops.pinv(x)  # of rank 1", {"x": [[1.0, 2.0], [2.0, 4.0]]}, "torch.linalg.pinv(x)"),
    both("ops.lstsq(x, y)", {"x": (3, 2), "y": (3, 2)}, "torch.linalg.lstsq(x, y)[0]"),
    *(both(f"ops.matrix_power(x, {n})", {"x": OTHER_SQUARE}) for n in (0, 1, 3, 6, -2)),
    *((f"ops.{n}", None, {"x": N, "v": V, "s": (3, 3), "d": (2, 3)}) for n in (
        "matrix_diag(v)", "matrix_diag(v, 1)",
        "matrix_diag(d, ms.Tensor([-1, 0], ms.int32), 4, 3)",
        "matrix_diag(d, ms.Tensor([0, 1], ms.int32), 3, 3, 7.0, 'LEFT_RIGHT')",
        "matrix_diag_part(x, ms.Tensor(1, ms.int32), ms.Tensor(0.0, ms.float32))",
        "matrix_diag_part(x, ms.Tensor([-1, 1], ms.int32), ms.Tensor(9.0, ms.float32))",
        "matrix_diag_part(x, ms.Tensor([-2, 2], ms.int32), ms.Tensor(9.0, ms.float32), "
        "'LEFT_LEFT')",
        "matrix_set_diag(s, v)", "matrix_set_diag(s, d, ms.Tensor([-1, 0], ms.int32))")),
]  # fmt: skip

NORMS = [
    both("ops.norm(x)", {"x": M}, "torch.linalg.norm(x)"),
    *(both(f"ops.norm(x, {p})", {"x": M}, f"torch.linalg.norm(x, {p})")
      for p in ("1", "-1", "2", "-2", "'fro'", "'nuc'", "float('inf')", "-float('inf')")),
    *(both(f"ops.norm(x, {p})  # vector", {"x": V}, f"torch.linalg.norm(x, {p})")
      for p in ("0", "1", "2", "3", "-1", "0.5", "float('inf')", "-float('inf')")),
    both("ops.norm(x, 2, (0, 2), True)", {"x": (2, 3, 2)}, "torch.linalg.norm(x, 2, (0, 2), True)"),
    both("ops.norm(x, 1, (2, 0))", {"x": (2, 3, 2)}, "torch.linalg.norm(x, 1, (2, 0))"),
    both("ops.norm(x, 3, -1)", {"x": M}, "torch.linalg.norm(x, 3, -1)"),
    both("ops.norm(x, dtype=ms.float64)", {"x": M}, "torch.linalg.norm(x)"),
    ("ops.norm(i)", "torch.linalg.norm(i.double())", {"i": INTS}),
    both("ops.vector_norm(x, 3, 1)", {"x": M}, "torch.linalg.vector_norm(x, 3, 1)"),
    both("ops.matrix_norm(x, 'nuc')", {"x": (2, 3, 2)}, "torch.linalg.matrix_norm(x, 'nuc')"),
    *(both(f"mint.norm(x{p})", {"x": M})
      for p in ("", ", 1", ", 3, 1", ", float('inf'), 0, True", ", 'nuc'")),
    *(both(f"mint.linalg.{n}", {"x": M})
      for n in ("norm(x)", "norm(x, 1)", "norm(x, 2, 1)", "vector_norm(x, 3)",
                "vector_norm(x, 1, 0, True)", "matrix_norm(x)", "matrix_norm(x, 1)",
                "matrix_norm(x, -float('inf'))", "matrix_norm(x, 2)")),
    both("ops.norm(x)  # of zeros", {"x": [0.0, 0.0]}, "torch.linalg.norm(x)"),
    *(both(f"ops.dist(x, y, {p})", {"x": M, "y": V}) for p in (1, 2, 3)),
    *(both(f"{m}.cdist(x, y{p})", {"x": (2, 3), "y": (4, 3)})
      for m in ("ops", "mint") for p in ("", ", 1.0", ", 3.0", ", float('inf')")),
    both("ops.cdist(x, y)  # stacks", {"x": (2, 2, 3), "y": (2, 4, 3)}, "torch.cdist(x, y)"),
    both("ops.pdist(x)", {"x": (4, 3)}, "torch.pdist(x)"),
    both("ops.renorm(x, 2, 0, 1.0)", {"x": M}), both("ops.renorm(x, 1, -1, 0.5)", {"x": M}),
    both("mint.nn.functional.normalize(x)", {"x": M}, "F.normalize(x)"),
    both("mint.nn.functional.normalize(x, 1.0, 0)", {"x": M}, "F.normalize(x, 1.0, 0)"),
    both("ops.cosine_similarity(x, y)", {"x": M, "y": M}, "F.cosine_similarity(x, y)"),
]  # fmt: skip

STATISTICS = [
    *(both(f"ops.{n}(x, {a})", {"x": (2, 3, 2)}, f"torch.{n}(x, {t}, correction=0)")
      for n in ("std_mean", "var_mean") for a, t in (("1", "1"), ("(0, 2)", "(0, 2)"))),
    *(both(f"mint.{n}(x{a})", {"x": (2, 3, 2)}) for n in ("std", "var", "std_mean", "var_mean")
      for a in ("", ", 1", ", (0, 2), correction=0, keepdim=True")),
    *(both(f"mint.mean(x{a})", {"x": (2, 3)}) for a in ("", ", 1", ", 0, True")),
    both("mint.mean(x, dtype=ms.float64)", {"x": (2, 3)}, "torch.mean(x)"),
    *(both(f"mint.logsumexp(x, {a})", {"x": (2, 3)}) for a in ("1", "(0, 1)", "0, True")),
    both("mint.logsumexp(x, 0)  # of nothing likely", {"x": [-INF, -INF]}, "torch.logsumexp(x, 0)"),
    both("ops.nansum(x)", {"x": HOLES}), both("ops.nansum(x, 1, True)", {"x": HOLES}),
    both("mint.nansum(x, 0)", {"x": HOLES}), both("ops.nanmean(x, 1)", {"x": HOLES}),
    ("ops.nansum(i)", "torch.nansum(i).int()", {"i": INTS}),
    *(both(f"ops.quantile(x, {a})", {"x": (4, 3)})
      for a in ("0.3", "0.5, 0", "0.7, 1, True", "1.0, -1")),
    ("ops.quantile(x, ms.Tensor([0.2, 0.5, 1.0], x.dtype), 1)",
     "torch.quantile(x, torch.tensor([0.2, 0.5, 1.0]).to(x), 1)", {"x": (4, 3)}),
    both("ops.quantile(x, 0.5, 1)  # with NaN", {"x": HOLES}, "torch.quantile(x, 0.5, 1)"),
    *(both(f"ops.nanquantile(x, {a})", {"x": HOLES}) for a in ("0.3", "0.5, 1", "0.7, 0, True")),
    both("ops.cov(x)", {"x": (2, 4)}), both("ops.cov(x)  # vector", {"x": V}, "torch.cov(x)"),
    both("ops.cov(x, correction=0)", {"x": (2, 4)}),
    ("ops.cov(x, fweights=i)", "torch.cov(x, fweights=i)", {"x": (2, 3), "i": np.int64([1, 2, 3])}),
    ("ops.cov(x, aweights=w)", "torch.cov(x, aweights=w)",
     {"x": (2, 3), "w": [0.5, 1.0, 2.0]}),
    both("ops.diff(x)", {"x": (2, 4)}), both("ops.diff(x, axis=0)", {"x": (3, 2)},
                                             "torch.diff(x, dim=0)"),
    both("ops.diff(x, prepend=y)", {"x": (2, 3), "y": (2, 1)}),
    both("mint.diff(x, 2, 0)", {"x": (4, 2)}), both("mint.diff(b)", {"b": np.bool_([1, 0, 0])}),
    both("ops.trapz(x)", {"x": (2, 4)}), both("ops.trapz(x, y)", {"x": (2, 4), "y": (2, 4)}),
    both("ops.trapz(x, dx=0.5, dim=0)", {"x": (3, 2)}),
]  # fmt: skip

SMALL = [
    both("ops.einsum('ij,jk->ik', x, y)  # empty", {"x": (0, 3), "y": (3, 2)},
         "torch.einsum('ij,jk->ik', x, y)"),
    both("ops.einsum('ij,jk->ik', x, y)  # of none", {"x": (2, 0), "y": (0, 2)},
         "torch.einsum('ij,jk->ik', x, y)"),
    *(both(f"ops.{n}(x)  # {list(v)}", {"x": v}, f"torch.{n}(x)")
      for n in ("asinh", "erfc", "lgamma", "sinc", "log2") for v in ((0, 3), (1,), ())),
    both("ops.mm(x, y)  # empty", {"x": (0, 3), "y": (3, 2)}, "torch.mm(x, y)"),
    both("ops.norm(x)  # one", {"x": (1,)}, "torch.linalg.norm(x)"),
    both("ops.inverse(x)  # one", {"x": [[2.0]]}, "torch.inverse(x)"),
    both("ops.kron(x, y)  # one", {"x": (1,), "y": (1, 1)}, "torch.kron(x, y)"),
    both("mint.var(x, 0, correction=0)  # one", {"x": (1,)}, "torch.var(x, 0, correction=0)"),
    both("ops.cdist(x, y)  # empty", {"x": (0, 3), "y": (2, 3)}, "torch.cdist(x, y)"),
    both("ops.diff(x)  # one", {"x": (1,)}, "torch.diff(x)"),
]  # fmt: skip

FAMILIES = {
    "elements": ELEMENTS, "products": PRODUCTS, "matrices": MATRICES, "norms": NORMS,
    "statistics": STATISTICS, "small": SMALL,
}  # fmt: skip
CASES = [case for family in FAMILIES.values() for case in family]


def operands_of(case):
    """name -> array in the order of the names that the text has; only those it has."""
    made = torch_cases.operands_of(case)
    return {name: made[name] for name in made if used(name, case[0])}


def used(name, text):
    """Whether a text has the name as a word."""
    return re.search(rf"(?<![.\w]){name}(?![\w(=])", text.partition("#")[0]) is not None
