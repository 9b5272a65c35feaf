"""Every op's rule in both modes: what the tape gives is what the graph of the gradient gives.

``test_tensor_twin.py`` runs this file on the other core too, so that both tapes are compared.
"""

import numpy as np
import pytest
from op_samples import described, run, split_case

import ms_ext as ms
from ms_ext import Tensor, ops
from ms_ext import dtype as dtypes
from ms_ext.engine import backends, infer, primitive, tape
from ms_ext.engine.autodiff import differentiable, vjp
from ms_ext.engine.errors import MsExtError
from ms_ext.engine.ir import TUPLE_GET_ITEM, FuncGraph

OPS = {n: op for n, op in primitive.OPS.items() if op.module.startswith("ms_ext.ops.") and op.bprop}
BACKENDS = list(backends.REGISTRY.names())

#: Rules with a function whose kernel and NumPy's differ in the last bits. All else is the same.
ROUNDED = set(
    "Exp Erf Sigmoid SiLU GeLU GeluExt Softmax LogSoftmax Pow Sin Cos Tan Sinh Cosh Tanh Expm1 "
    "Asin ACos Rsqrt Log Log1p Atan Atan2 BinaryCrossEntropy Erfc Erfinv LogAddExp "
    "LogCumsumExp LogSumExp Mish Sinc SoftMarginLoss BCEWithLogitsLoss Softplus".split()
)
ULP = 16


def graph_of(op, operands, attributes):
    """A graph of one call: arrays are its parameters, numbers its constants."""
    graph, inputs = FuncGraph(op.name), []
    for operand in operands:
        if isinstance(operand, np.ndarray):
            inputs.append(graph.add_parameter(infer.abstract_of(operand)))
        else:
            inputs.append(graph.constant(operand))
    node = graph.add(op, inputs, attributes or None)
    results = [node]
    if isinstance(node.abstract, infer.AbstractTuple):
        places = range(len(node.abstract.items))
        results = [graph.add(TUPLE_GET_ITEM, (node,), {"index": i}) for i in places]
    graph.returns(*results)
    return graph


def by_tape(op, operands, attributes, douts):
    """One gradient per operand that is an array or a tensor."""
    places = [i for i, x in enumerate(operands) if hasattr(x, "dtype")]

    def f(*tensors):
        given = list(operands)
        for i, tensor in zip(places, tensors, strict=True):
            given[i] = tensor
        return run(op, given, attributes)

    tensors = [as_tensor(operands[i]) for i in places]
    return tape.differentiate(f, tensors, tuple(range(len(places))), sens=douts)[1]


def as_tensor(x):
    return x if isinstance(x, Tensor) else Tensor(x)


def in_kinds(op):
    """Samples of an op: as they are, with ties and zeros, and the first in every dtype."""
    for place, sample in enumerate(op.samples(np.random.default_rng(0))):
        operands, attributes = split_case(op, sample)
        yield operands, attributes
        yield tuple(np.asarray(np.round(x)) if is_floating(x) else x for x in operands), attributes
        if place == 0 and any(map(is_floating, operands)):
            for dtype in dtypes.DTYPES:
                cast = [x.astype(dtype.numpy) if is_floating(x) else x for x in operands]
                yield tuple(cast), attributes


def is_floating(x):
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


def asked(op):
    """(operands, attributes, graph, douts) of the samples that the op takes."""
    rng = np.random.default_rng(3)
    for operands, attributes in in_kinds(op):
        try:
            graph = graph_of(op, operands, attributes)
        except MsExtError:
            continue
        kinds = [node.abstract for node in graph.outputs]
        douts = [rng.integers(-2, 3, k.shape).astype(k.dtype.numpy) for k in kinds]
        yield operands, attributes, graph, douts


@pytest.mark.parametrize("name", OPS)
def test_both_modes_give_the_same_gradient(name):
    """On every backend, bit by bit; every gradient has its operand's shape and dtype."""
    op, ulp = OPS[name], ULP if name in ROUNDED else 0
    for operands, attributes, graph, douts in asked(op):
        what = described(op, operands, attributes)
        arrays = [x for x in operands if isinstance(x, np.ndarray)]
        eager = by_tape(op, operands, attributes, [Tensor(d) for d in douts])
        for tensor, array in zip(eager, arrays, strict=True):
            assert (tensor.shape, tensor.dtype.numpy) == (array.shape, array.dtype), what
        counted = [differentiable(p.abstract) for p in graph.parameters]
        pairs = zip(douts, graph.outputs, strict=True)
        given = [*arrays, *(d for d, node in pairs if differentiable(node.abstract))]
        back = vjp(graph)
        for backend in BACKENDS:
            found = iter(backends.build(backend, back)(*given))
            for tensor, has in zip(eager, counted, strict=True):
                want = tensor.asnumpy()
                same(np.asarray(next(found)) if has else np.zeros_like(want), want, ulp, what)


@pytest.mark.parametrize("name", OPS)
def test_both_modes_give_the_same_second_derivative(name):
    """Of the gradients as a function of operands and douts: by graphs of graphs, and by tapes."""
    op, rng = OPS[name], np.random.default_rng(4)
    for sample in list(op.samples(np.random.default_rng(0)))[:2]:
        operands, attributes = split_case(op, sample)
        graph = graph_of(op, operands, attributes)
        back = vjp(graph)
        arrays = [x for x in operands if isinstance(x, np.ndarray)]
        douts = [random_like(p.abstract, rng) for p in back.parameters[len(arrays) :]]
        weights = [random_like(node.abstract, rng) for node in back.outputs]
        found = backends.build("reference", vjp(back))(*arrays, *douts, *weights)
        moving = [differentiable(p.abstract) for p in graph.parameters]
        wanted = by_two_tapes(op, operands, attributes, douts, weights, moving)
        kept = [*moving, *(True for _ in douts)]
        wanted = [tensor for tensor, keep in zip(wanted, kept, strict=True) if keep]
        for have, want in zip(found, wanted, strict=True):
            same(np.asarray(have), want.asnumpy(), ULP, described(op, operands, attributes))


def random_like(abstract, rng):
    return np.asarray(rng.uniform(0.5, 2.5, abstract.shape)).astype(abstract.dtype.numpy)


def by_two_tapes(op, operands, attributes, douts, weights, moving):
    """The gradients of the weighed gradients: at every operand that is an array, and every dout."""
    places = [i for i, x in enumerate(operands) if isinstance(x, np.ndarray)]

    def slopes(*tensors):
        given = list(operands)
        for i, tensor in zip(places, tensors[: len(places)], strict=True):
            given[i] = tensor
        found = by_tape(op, given, attributes, list(tensors[len(places) :]))
        return tuple([g for g, moves in zip(found, moving, strict=True) if moves])

    inputs = [*map(Tensor, (operands[i] for i in places)), *map(Tensor, douts)]
    positions = tuple(range(len(inputs)))
    return tape.differentiate(slopes, inputs, positions, sens=[Tensor(w) for w in weights])[1]


def same(have, want, ulp, what):
    assert (have.shape, have.dtype) == (want.shape, want.dtype), what
    if not ulp or have.dtype.kind not in "fV":
        np.testing.assert_array_equal(have, want, err_msg=what)
        return
    near = ulp * {2: 2.0**-8, 4: 2.0**-23, 8: 2.0**-52}[have.dtype.itemsize]
    have, want = have.astype(np.float64), want.astype(np.float64)
    largest = np.max(np.abs(want[np.isfinite(want)]), initial=0)
    np.testing.assert_allclose(have, want, near, near * largest, err_msg=what)


# Bool, integers and numbers -----------------------------------------------------------------------

X, M, N = Tensor([0.5, 2.5, -3.0]), Tensor([True, False, True]), Tensor([1, 2, 3])


def bool_times(x):
    return x.astype(ms.bool_) * x


def whole_times(x):
    return x.astype(ms.int32) * x


def masked(x, m):
    return x * m


def differing(m, n):
    return m - n


def as_float(m):
    return ops.cast(m, ms.float32) * 2.5


def erf_of(m):
    return ops.erf(m)


def compared(x):
    return x > 0


def scaled(i, x):
    return i * x


def halved(i):
    return i / 2


#: name -> (function, operands, gradients). MindSpore 2.10 lets a gradient through to Bool, cut to
#: True: 2 for `bool_times`, [True, True, True] for the mask; `differing` it refuses in an error of
#: Neg. A Bool has no slope here. Through a float that was cut to an integer the gradient goes, cut
#: too, as in MindSpore. `halved` is Float32 [0.5, ...] there, although the operand is Int64.
KINDS = {
    "Bool made of a float": (bool_times, (X,), [[1, 1, 1]]),
    "integer made of a float": (whole_times, (X,), [[0, 4, -6]]),
    "a mask": (masked, (X, M), [[1, 0, 1], [False] * 3]),
    "two masks": (differing, (M, M), [[False] * 3, [False] * 3]),
    "a mask as numbers": (as_float, (M,), [[False] * 3]),
    "a function of a mask": (erf_of, (M,), [[False] * 3]),
    "a comparison": (compared, (X,), [[0, 0, 0]]),
    "an integer and a float": (scaled, (N, X), [[0, 2, -3], [1, 2, 3]]),
    "an integer alone": (halved, (N,), [[0, 0, 0]]),
}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("mode", ["eager", *BACKENDS])
def test_operands_that_are_not_floating(name, mode):
    f, operands, expected = KINDS[name]
    gradient = ms.grad(f, tuple(range(len(operands))))
    found = (gradient if mode == "eager" else ms.jit(gradient, backend=mode))(*operands)
    found = found if isinstance(found, tuple) else (found,)
    for tensor, operand, want in zip(found, operands, expected, strict=True):
        assert (tensor.dtype, tensor.shape) == (operand.dtype, operand.shape)
        assert tensor.tolist() == want


OF_TWO = [n for n in OPS if OPS[n].elementwise and OPS[n].arity == 2] + ["AddExt", "SubExt"]
BESIDE = {"Bool": M, "integers": N, "int8": N.astype(ms.int8), "uint8": N.astype(ms.uint8)}


@pytest.mark.parametrize("kind", BESIDE)
@pytest.mark.parametrize("name", OF_TWO)
def test_whole_numbers_beside_a_float(name, kind):
    """The float's gradient is that beside a float of the same number; the other's has its dtype."""
    op, other = OPS[name], BESIDE[kind]
    attributes = dict(op.attributes)
    for operands in ((X, other), (other, X)):
        place = 0 if operands[0] is X else 1
        found = by_tape(op, operands, attributes, None)
        floats = [t.astype(ms.float32) for t in operands]
        wanted = by_tape(op, floats, attributes, None)[place].asnumpy()
        np.testing.assert_allclose(found[place].asnumpy(), wanted, 1e-6)
        assert [g.dtype for g in found] == [t.dtype for t in operands]
        assert kind != "Bool" or found[1 - place].tolist() == [False] * 3
        back = vjp(graph_of(op, [t.asnumpy() for t in operands], attributes))
        arrays = [*(t.asnumpy() for t in operands), np.ones(3, np.float32)]
        compiled = backends.build("reference", back)(*arrays)
        for have, want in zip(compiled, [g for g in found if g.dtype is not ms.bool_], strict=True):
            np.testing.assert_allclose(np.asarray(have), want.asnumpy(), 1e-6)


@pytest.mark.parametrize("name", OF_TWO[:-2])
def test_numbers_beside_a_tensor(name):
    """A Python number on either side: the tensor's gradient is that beside a tensor of it."""
    op, x = OPS[name], np.float64([0.5, 1.25, 2.0])
    for number in (2, 0.75):
        for order in (1, -1):
            operands, tensors = (x, number)[::order], (x, np.float64(number))[::order]
            place = 0 if order == 1 else 1
            (beside,) = by_tape(op, operands, {}, None)
            assert beside.dtype is ms.float64 and beside.shape == (3,)
            both = by_tape(op, tuple(np.asarray(t) for t in tensors), {}, None)
            np.testing.assert_array_equal(beside.asnumpy(), both[place].asnumpy())
