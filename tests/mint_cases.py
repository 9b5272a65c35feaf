"""The most used names of mint, each in a call that torch understands too: the text is the same.

``mint`` stands for torch there, ``F`` for torch.nn.functional. Operands are named; a name that the
text does not have is not given. Where torch writes a call differently, its text stands behind "|".
"""

import re

import numpy as np

OPERANDS = {
    "x": np.float32([[0.5, -1.25, 2.0], [0.75, 0.1, -0.3]]),
    "y": np.float32([[1.5, 0.25, -2.0], [0.5, 3.0, 0.3]]),
    "p": np.float32([[0.2, 0.5, 0.9], [0.4, 0.1, 0.7]]),
    "v": np.float32([0.5, -1.0, 2.0]),
    "w": np.float32([2.0, 0.25, -0.5]),
    "s": np.float32([[2.0, 0.5], [0.25, 1.5]]),
    "b": np.arange(12, dtype=np.float32).reshape(2, 2, 3) / 5 - 1,
    "c": np.arange(12, dtype=np.float32).reshape(2, 3, 2) / 7 - 0.5,
    "m": np.arange(32, dtype=np.float32).reshape(1, 2, 4, 4) % 7 / 3 - 1,
    "k": np.arange(24, dtype=np.float32).reshape(3, 2, 2, 2) % 5 / 4 - 0.5,
    "r": np.arange(12, dtype=np.float32).reshape(1, 2, 6) % 5 / 4 - 0.5,
    "q": np.arange(12, dtype=np.float32).reshape(2, 2, 3) % 5 / 4 - 0.5,
    "t": np.float32([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]),
    "g": np.float32([[1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]]),
    "n": np.float32([1.0, np.nan, -np.inf, np.inf]),
    "i": np.int64([[3, -2, 7], [4, 0, 5]]),
    "j": np.int64([2, 3, 4]),
    "o": np.int64([1, 0]),
    "a": np.int64([[1, 0], [2, 2]]),
    "e": np.bool_([[True, False, True], [False, False, True]]),
}

CALLS = """
abs(x) ceil(x) floor(x) trunc(x) round(x) neg(x) negative(x) sign(x) square(x) exp(x) expm1(x)
exp2(x) sin(x) cos(x) tan(p) asin(p) acos(p) atan(x) sinh(x) cosh(x) tanh(x) asinh(x) atanh(p)
arcsin(p) arccos(p) arctan(x) arcsinh(x) arctanh(p) sqrt(p) rsqrt(p) reciprocal(x) log(p) log2(p)
log10(p) log1p(p) erf(x) erfc(x) erfinv(p) sigmoid(x) sinc(x) frac(x) acosh(p+1) arccosh(p+1)
isnan(n) isinf(n) isfinite(n) isneginf(n) nan_to_num(n) logical_not(e)
add(x,y) add(x,y,alpha=2) sub(x,y) sub(x,y,alpha=0.5) mul(x,y) div(x,y) divide(x,y) pow(p,y)
div(i,j,rounding_mode='floor') floor_divide(i,j) remainder(x,y) fmod(x,y) maximum(x,v) minimum(x,v)
atan2(x,y) arctan2(x,y) logaddexp(x,y) logaddexp2(x,y) xlogy(x,p) float_power(p,2) lerp(x,y,0.25)
addcmul(x,y,p,value=0.5) addcdiv(x,y,p,value=0.5) gcd(i,j) isclose(x,x) allclose(x,x)
eq(x,v) ne(x,v) not_equal(x,v) lt(x,v) less(x,v) le(x,v) less_equal(x,v) gt(x,v) greater(x,v)
ge(x,v) greater_equal(x,v) logical_and(e,x) logical_or(e,x) logical_xor(e,x)
bitwise_and(i,j) bitwise_or(i,j) bitwise_xor(i,j) bitwise_not(i) clamp(x,-0.5,0.6) clip(x,min=0.2)
where(e,x,y) masked_select(x,e) sum(x) sum(x,1) sum(x,dim=0,keepdim=True) sum(i) sum(e) mean(x)
mean(x,1,True) prod(x) prod(x,1) max(x) max(x,1) min(x) min(x,0) amax(x,1) amin(x,(0,1)) argmax(x)
argmax(x,1) argmin(x) argmin(x,0,True) all(e) all(e,1) any(e) any(e,0) std(x) std(x,1) var(x)
var(x,1,correction=0) std_mean(x,1) var_mean(x) median(v) logsumexp(x,1) norm(x) norm(x,1)
nansum(n[:2]) count_nonzero(x) count_nonzero(x,0) cumsum(x,1) cumprod(x,1) cummax(x,1) cummin(x,1)
sort(x,dim=1) sort(x,descending=True) argsort(x,1) topk(x,2) unique_consecutive(o) bincount(j)
histc(x,4,-2,2) searchsorted(v[:2]+1,p) diff(x) kthvalue(v,2)
matmul(x,s[0:0].new_zeros(0)) matmul(x,v) mm(x,y.T) bmm(b,c) mv(x,v) dot(v,w) vdot(v,w) outer(v,w)
addmm(s,s,s) addmv(v[:2],x,w) addbmm(s,b,c) baddbmm(s,b,c) einsum('ij,kj->ik',x,y) cross(v,w)
cdist(x,y) inverse(s) trace(s) tril(x) triu(x,1) diag(v) diag(s) triangular_solve(x,s)
linalg.inv(s) linalg.norm(x) linalg.vector_norm(x,3) linalg.matrix_norm(x) linalg.qr(y)
special.erfc(x) special.expm1(x) special.exp2(x) special.sinc(x) special.log1p(p) special.round(x)
special.log_softmax(x,1)
reshape(x,(3,2)) flatten(b,1) ravel(x) permute(b,(2,0,1)) transpose(x,0,1) swapaxes(b,0,2) t(x)
squeeze(x[:1]) squeeze(x[:1],0) unsqueeze(x,1) broadcast_to(v,(2,3)) tile(v,(2,2)) flip(x,(1,))
roll(x,1,0) cat((x,y)) cat((x,y),1) concat((x,y),dim=1) stack((x,y),1) split(x,1) chunk(x,2)
chunk(x,2,1) unbind(x,1) select(x,1,0) narrow(x,1,1,2) index_select(x,1,o) gather(x,1,a)
scatter(x,1,a,y[:,:2]) scatter_add(x,1,a,y[:,:2]) index_add(x,0,o,y) take(x,j) nonzero(x)
repeat_interleave(x,2) repeat_interleave(x,2,1) meshgrid(v,w,indexing='ij') hstack((x,y))
dstack((x,y)) masked_fill(x,e,0.5) clone(x)
zeros((2,3)) ones((2,3)) full((2,),1.5) eye(2,3) arange(5) arange(1,3,0.5) linspace(0,1,5)
zeros_like(x) ones_like(x) full_like(x,2.0) softmax(x,1)
F.relu(x) F.gelu(x) F.gelu(x,approximate='tanh') F.silu(x) F.sigmoid(x) F.tanh(x) F.softmax(x,1)
F.log_softmax(x,1) F.leaky_relu(x) F.leaky_relu(x,0.2) F.elu(x) F.elu(x,0.5) F.selu(x) F.relu6(x)
F.hardtanh(x) F.hardswish(x) F.hardsigmoid(x) F.hardshrink(x) F.softshrink(x) F.softplus(x)
F.mish(x) F.logsigmoid(x) F.glu(m,1) F.prelu(x,v[:1]) F.threshold(x,0.2,-1.0)
F.linear(x,y) F.linear(x,y,v[:2]) F.embedding(a,y.T) F.one_hot(a,4) F.normalize(x)
F.layer_norm(x,(3,)) F.layer_norm(x,(3,),v,w) F.group_norm(m,2) F.batch_norm(m,v[:2],p[0,:2])
F.dropout(x,0.5,False) F.pad(x,(1,2)) F.pad(m,(1,1,1,1),mode='reflect') F.pad(m,(1,0),value=2.0)
F.conv1d(r,q) F.conv2d(m,k) F.conv2d(m,k,padding=1,stride=2) F.conv_transpose2d(m,k.transpose)
F.max_pool2d(m,2) F.avg_pool2d(m,2) F.avg_pool1d(r,2) F.adaptive_avg_pool2d(m,2)
F.adaptive_avg_pool1d(r,3) F.interpolate(m,scale_factor=2.0) F.interpolate(m,(3,5),mode='bilinear')
F.unfold(m,2) F.pixel_shuffle(c.reshape(1,4,3,1),2) F.mse_loss(x,y) F.l1_loss(x,y)
F.smooth_l1_loss(x,y) F.cross_entropy(x,o) F.nll_loss(x,o) F.kl_div(x,p) F.binary_cross_entropy(p,t)
F.binary_cross_entropy_with_logits(x,t) F.soft_margin_loss(x,g)
F.cosine_embedding_loss(x,y,o*2-1) F.mse_loss(x,y,reduction='sum')
"""


def listed():
    """The calls, each with ``mint.`` or ``F.`` in front."""
    dropped = ("matmul(x,s[0:0].new_zeros(0))", "F.conv_transpose2d(m,k.transpose)")
    for text in CALLS.split():
        if text not in dropped:
            yield text if text.startswith("F.") else f"mint.{text}"


CASES = list(listed())


def operands_of(text):
    """The operands that a text names."""
    plain = re.sub(r"'[^']*'", "", text)
    return {
        name: x for name, x in OPERANDS.items() if re.search(rf"(?<![\w.]){name}\b(?!=)", plain)
    }


def name_of(text):
    """ "mint.nn.functional.relu" of "F.relu(x)"."""
    return text.partition("(")[0].replace("F.", "mint.nn.functional.")


#: What MindSpore calls the primitive behind a name of mint, where ops has another for it.
PRIMITIVES = {
    "mint.add(x,y)": "AddExt", "mint.sub(x,y)": "SubExt", "mint.sum(x)": "SumExt",
    "mint.mean(x)": "MeanExt", "mint.prod(x)": "ProdExt", "mint.argmax(x)": "ArgMaxExt",
    "mint.argmin(x)": "ArgMinExt", "mint.matmul(x,v)": "MatMulExt", "mint.mm(x,y.T)": "Mm",
    "mint.mv(x,v)": "Mv", "mint.dot(v,w)": "Dot", "mint.vdot(v,w)": "Vdot",
    "mint.outer(v,w)": "Outer", "mint.bmm(b,c)": "BatchMatMulExt", "mint.addmm(s,s,s)": "Addmm",
    "mint.addmv(v[:2],x,w)": "Addmv", "mint.addbmm(s,b,c)": "Addbmm",
    "mint.baddbmm(s,b,c)": "Baddbmm", "mint.acos(p)": "AcosExt", "mint.asin(p)": "AsinExt",
    "mint.atan(x)": "AtanExt", "mint.atan2(x,y)": "Atan2Ext", "mint.acosh(p+1)": "AcoshExt",
    "mint.asinh(x)": "AsinhExt", "mint.exp2(x)": "Exp2", "mint.log2(p)": "Log2",
    "mint.log10(p)": "Log10", "mint.frac(x)": "Frac", "mint.isneginf(n)": "IsNegInf",
    "mint.bitwise_not(i)": "BitwiseNot", "mint.addcmul(x,y,p,value=0.5)": "AddcmulExt",
    "mint.addcdiv(x,y,p,value=0.5)": "AddcdivExt", "mint.div(i,j,rounding_mode='floor')": "DivMod",
    "mint.std(x)": "Std", "mint.var(x)": "Var", "mint.std_mean(x,1)": "StdMean",
    "mint.var_mean(x)": "VarMean", "mint.logsumexp(x,1)": "LogSumExp", "mint.norm(x)": "LpNormV2",
    "mint.linalg.vector_norm(x,3)": "LinalgVectorNorm", "mint.inverse(s)": "MatrixInverseExt",
    "mint.linalg.inv(s)": "MatrixInverseExt", "mint.linalg.qr(y)": "LinalgQr",
    "mint.triangular_solve(x,s)": "TriangularSolve", "mint.trace(s)": "TraceExt",
    "mint.tril(x)": "TrilExt", "mint.unbind(x,1)": "UnstackExtView",
    "mint.transpose(x,0,1)": "TransposeExtView", "mint.swapaxes(b,0,2)": "TransposeExtView",
    "mint.select(x,1,0)": "SelectExtView", "mint.narrow(x,1,1,2)": "NarrowView",
    "mint.zeros_like(x)": "ZerosLikeExt", "mint.ones_like(x)": "OnesLikeExt",
    "mint.cumsum(x,1)": "CumsumExt", "mint.sort(x,dim=1)": "SortExt", "mint.topk(x,2)": "TopkExt",
    "F.layer_norm(x,(3,))": "LayerNormExt", "F.log_softmax(x,1)": "LogSoftmaxExt",
    "F.leaky_relu(x)": "LeakyReLUExt", "F.elu(x)": "EluExt",
}  # fmt: skip
