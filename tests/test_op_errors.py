"""Bad input to an op gives one clear error, the same text eagerly and while a graph is built."""

import re

import numpy as np
import pytest
from op_samples import cases, described, run
from test_ops import OPS, abstracts

from ms_ext import dtype as dtypes
from ms_ext import mint, nn, ops
from ms_ext.engine import errors, infer
from ms_ext.engine.tensor import Tensor
from ms_ext.ops.randomness import set_seed

V2, V3 = Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0])
M23, M24 = Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((2, 4), np.float32))
FLAG, IDS = Tensor([True, False]), Tensor([0, 1])

BAD = {
    "shapes that do not broadcast": lambda: V2 + V3,
    "shapes that do not broadcast, comparison": lambda: V2 < V3,
    "one operand too few": lambda: ops.add(V2),
    "one argument too many": lambda: ops.exp(V2, 1, 2),
    "an unknown keyword": lambda: ops.log_softmax(V2, axes=0),
    "not a tensor": lambda: ops.add(V2, "a"),
    "negative of Bool": lambda: -FLAG,
    "power of Bool": lambda: FLAG**FLAG,
    "bits of floats": lambda: V2 & V2,
    "axis out of range": lambda: ops.sum(V2, 3),
    "axis out of range, method": lambda: V2.mean(-2),
    "axis named twice": lambda: ops.sum(M23, (0, -2)),
    "axis not an integer": lambda: ops.sum(M23, 1.5),
    "softmax axis": lambda: ops.softmax(V2, 1),
    "largest of nothing": lambda: ops.amax(Tensor(np.zeros((0,), np.float32))),
    "argmax of nothing": lambda: ops.argmax(Tensor(np.zeros((0,), np.float32))),
    "reshape to another size": lambda: ops.reshape(M23, (4, -1)),
    "reshape with two unknowns": lambda: M23.reshape(-1, -1),
    "permutation of too few axes": lambda: ops.transpose(M23, (0,)),
    "permutation with an axis twice": lambda: M23.transpose(0, 0),
    "swapaxes axis": lambda: ops.swapaxes(M23, 0, 2),
    "expand_dims axis": lambda: V2.expand_dims(3),
    "broadcast_to a smaller shape": lambda: ops.broadcast_to(M23, (3,)),
    "broadcast_to another size": lambda: ops.broadcast_to(V2, (2, 3)),
    "tile by a negative number": lambda: ops.tile(V2, (-1,)),
    "concat of unlike shapes": lambda: ops.concat((M23, M24)),
    "concat of nothing": lambda: ops.concat(()),
    "concat of 0-d tensors": lambda: ops.concat((Tensor(1.0), Tensor(2.0))),
    "stack of unlike shapes": lambda: ops.stack((V2, V3)),
    "split into parts of 0": lambda: ops.split(V3, 0),
    "split that leaves a rest": lambda: ops.split(V3, (1, 1)),
    "matrices that do not fit": lambda: M23 @ M24,
    "matrices that fit when transposed": lambda: M23 @ M23,
    "matrix product with a number": lambda: ops.matmul(M23, Tensor(1.0)),
    "stacks that do not broadcast": lambda: ops.matmul(ops.ones((2, 3, 4)), ops.ones((3, 4, 5))),
    "MatMul of a vector": lambda: ops.MatMul(M23, V3),
    "index too large": lambda: V2[5],
    "too many indices": lambda: V2[0, 1],
    "index that is a float": lambda: V2[1.5],
    "write of a wrong shape": lambda: ops.TensorSet(M23, V2, 0),
    "gather out of range": lambda: ops.gather(V2, Tensor([5]), 0),
    "gather by floats": lambda: ops.gather(V2, V2, 0),
    "one_hot of floats": lambda: ops.one_hot(V2, 3),
    "one_hot with a negative depth": lambda: ops.one_hot(IDS, -1),
    "where without a Bool condition": lambda: ops.where(IDS, V2, V2),
    "masked_fill without a Bool mask": lambda: ops.masked_fill(V2, IDS, 0.0),
    "masked_fill with several values": lambda: ops.masked_fill(V2, FLAG, V2),
    "tril of a vector": lambda: ops.tril(V2),
    "cast to a word": lambda: ops.cast(V2, "flaot32"),
    "cast to a number": lambda: V2.astype(3),
    "zeros of a negative size": lambda: ops.zeros((-1,)),
    "zeros of a fraction": lambda: ops.zeros((1.5,)),
    "range that leads nowhere": lambda: ops.arange(0, 3, -1),
    "layer norm with a short gamma": lambda: ops.LayerNorm(M23, V2, V2),
    "gelu in an unknown form": lambda: ops.gelu(V2, "fast"),
    "clamp without bounds": lambda: ops.clamp(V2),
    "pad by an odd number": lambda: ops.pad(V2, (1,)),
    "loss with an unknown reduction": lambda: ops.mse_loss(V2, V2, "avg"),
    "an unknown function": lambda: ops.ad,
    "an unknown mint function": lambda: mint.mtmul,
    "a Cell without construct": lambda: nn.Cell()(V2),
    "a Cell that was not initialized": lambda: Forgetful(),
    "an unknown attribute of a Cell": lambda: nn.ReLU().nosuch,
    "Dense without inputs": lambda: nn.Dense(0, 3),
    "Dense with half an input": lambda: nn.Dense(2.5, 3),
    "Dense with an unknown initializer": lambda: nn.Dense(2, 3, weight_init="ownes"),
    "Dense with an unknown activation": lambda: nn.Dense(2, 3, activation="rellu"),
    "Dense on too few columns": lambda: nn.Dense(2, 3)(M23),
    "LayerNorm of an integer": lambda: nn.LayerNorm(3),
    "SequentialCell of a number": lambda: nn.SequentialCell(3),
    "CellList called": lambda: nn.CellList([nn.ReLU()])(V2),
    "CellList index": lambda: nn.CellList([nn.ReLU()])[3],
    "set_seed with a fraction": lambda: set_seed(1.5),
}


class Forgetful(nn.Cell):
    """A Cell whose author forgot super().__init__()."""

    def __init__(self):
        self.layer = nn.ReLU()


def error_of(action):
    with pytest.raises(errors.MsExtError) as caught:
        action()
    text = f"{type(caught.value).__name__}: {caught.value}"
    return re.sub(r"Known: .*", "Known: ...", text)  # the list grows with every op


def test_texts(golden):
    """Every text as a learner sees it; read the file to judge them."""
    shown = [f"# {name}\n{error_of(action)}\n" for name, action in BAD.items()]
    golden("op_errors.txt", "\n".join(shown))


@pytest.mark.parametrize("name", OPS)
def test_eager_refuses_what_infer_refuses(name):
    """A dtype that has no meaning for an op is refused at once, not computed into something."""
    op = OPS[name]
    for operands, attributes in cases(op):
        try:
            op.infer(*abstracts(operands), **attributes)
        except errors.MsExtError as refusal:
            with pytest.raises(errors.MsExtError) as caught:
                run(op, operands, attributes)
            assert str(caught.value) == str(refusal), described(op, operands, attributes)


def test_an_error_says_the_op_once():
    x = infer.AbstractTensor(dtypes.float32, (2,))
    y = infer.AbstractTensor(dtypes.float32, (3,))
    with pytest.raises(ValueError, match=r"^For 'Add', the shapes do not broadcast\.") as caught:
        ops.Add.infer(x, y)
    assert str(caught.value).count("Add") == 1
