"""Calls of mathematics that MindSpore refuses, and the operands that they are made of."""

import numpy as np

BAD_OPERANDS = {
    "x": np.float32([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "v": np.float32([1.0, 2.0]),
    "i": np.int32([1, 2]), "s": np.float32([[1.0, 2.0], [3.0, 4.0]]),
    "z": np.float32([[1.0, 1.0], [1.0, 1.0]]), "u": np.float32(2.0),
}  # fmt: skip
REFUSED = (
    """
ops.det(x)|ops.det(v)|ops.inverse(x)|ops.inverse(v)|ops.slogdet(x)|ops.cholesky(x)|ops.cholesky(v)
ops.cholesky(-s)|ops.matrix_solve(z,s)|ops.matrix_solve(x,s)|ops.matrix_solve(s,x.T)|ops.qr(v)
ops.qr(s,'r')|ops.svd(v)|ops.pinv(v)|ops.pinv(ops.ones((2,2),ms.int32))|ops.matrix_exp(x)
ops.matrix_power(x,2)|ops.matrix_power(s,1.5)|ops.lerp(i,i,0.5)|ops.addmm(v,v,v)|ops.mm(v,v)
ops.mm(x,x)|ops.mv(v,v)|ops.mv(x,v)|ops.dot(v,v)|ops.tensor_dot(s,s,5)
ops.tensor_dot(s,s,((0,1),(1,)))|ops.tensor_dot(s,x.T,1)|ops.cross(v,v)|ops.ger(s,v)|ops.outer(s,s)
ops.norm(s,5)|ops.norm(s,'abc')|ops.cdist(x,s)|ops.cdist(v,v)|ops.cdist(s,s,-1.0)|ops.dist(s,2.0)
ops.gcd(v,v)|ops.lcm(v,v)|ops.invert(v)|ops.bitwise_left_shift(v,v)|ops.logaddexp(v,ops.ones(3))
ops.hypot(v,ops.ones(3))|ops.mvlgamma(v,0)|ops.renorm(s,-1,0,1.0)|ops.diff(u)
ops.matrix_set_diag(s,ops.ones(3))|ops.batch_dot(v,v)|ops.batch_dot(s,x.T)|ops.std_mean(s,5)
ops.cov(ops.ones((2,2,2)))|ops.nansum(s,7)|ops.div(s,s,rounding_mode='up')|ops.einsum('ij,jk',s)
ops.approximate_equal(s,v)|mint.outer(s,v)|mint.cdist(s,x)|mint.norm(s,'abc')|ops.erfinv('a')
ops.logit(s,'a')|ops.polygamma(-1,v)|ops.xlogy(s,ops.ones(3))|ops.vector_norm(s,'fro')
ops.matrix_norm(s,3)|ops.matrix_norm(v)|ops.trapz(u)|ops.diff(s,axis=4)|ops.float_power(2.0,3.0)
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
