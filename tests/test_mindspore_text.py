"""A graph in MindSpore's words: single lines as MindSpore 2.10 wrote them, and whole texts."""

import linecache
import re
from pathlib import Path

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, mutable, nn, ops
from ms_ext.book import source
from ms_ext.engine.autodiff import vjp
from ms_ext.engine.jit import parse
from ms_ext.engine.lowering.wording import constant

MATRIX = Tensor(np.ones((2, 3), np.float32))
VECTOR = Tensor([1.0])
WHOLE = Tensor([[0, 1, 2], [0, 0, 0]], ms.int64)


def written(function, *values):
    """The text of a function's graph as it is read, without numbers of nodes and folders."""
    graph = parse(function, values).graph
    return plain(ms.graph.mindspore_text(graph))


def plain(text):
    """Nodes and graphs are numbered as they appear, lines from the first one that is named; a file
    has no folder."""
    numbers, here = {}, re.escape(f"{Path(__file__).parent}/")
    first = min([int(line) for line in re.findall(rf"{here}\S+:(\d+)", text)], default=0)
    text = re.sub(rf"{here}(\S+):(\d+)", lambda m: f"{m[1]}:{int(m[2]) - first + 1}", text)
    return re.sub(
        r"(CNode_| : @)(\d+)", lambda m: m[1] + numbers.setdefault(m[0], str(len(numbers))), text
    )


def straight(x, i, n):
    first = ops.reshape(x, (3, 2)), x.sum((0, 1), keepdims=True)
    second = ops.transpose(x, (1, 0)), ops.cumsum(x, 0), x**0.5
    third = ops.bitwise_and(i, i), ops.isnan(x), ops.gather_d(x, 1, i)
    return first, second, third, ops.softmax(x), n * 2 - 0.5, ops.concat((x, x), 0)


#: As real MindSpore writes them, without the name in brackets and its ``cnode_attrs``.
STRAIGHT = """
%para1_x: <Tensor[Float32], (2, 3)> : [2, 3]
%para2_i: <Tensor[Int64], (2, 3)> : [2, 3]
%para3_n: <Float32, NoShape> : []
PrimFunc_Reshape(%para1_x, (I64(3), I64(2)))
PrimFunc_SumExt(%para1_x, (I64(0), I64(1)), Bool(1), None)
      : (<Tensor[Float32], (2, 3)>, <Tuple[Int64*2], TupleShape(NoShape, NoShape)>, \
<Bool, NoShape>, <None, NoShape>) -> (<Tensor[Float32], (1, 1)>)
PrimFunc_Transpose(%para1_x, (I64(1), I64(0)))
      : (<Tensor[Float32], (2, 3)>, <Tuple[Int64*2], TupleShape(NoShape, NoShape)>) -> \
(<Tensor[Float32], (3, 2)>)
 = BitwiseAnd(%para2_i, %para2_i)
 = IsNan(%para1_x)
PrimFunc_ScalarMul(%para3_n, I64(2))
      : (<Float32, NoShape>, <Int64, NoShape>) -> (<Float32, NoShape>)
, F32(0.5))
PrimFunc_Concat(
PrimFunc_Softmax(
  Return(%
"""


@pytest.mark.parametrize("line", STRAIGHT.strip("\n").split("\n"))
def test_lines_are_mindspores(line):
    assert line in written(straight, MATRIX, WHOLE, mutable(2.0))


def told(x):
    if x.sum() > 3:
        print("big")
        raise ValueError("no")
    return x + 3.5


def test_effects_are_mindspores():
    text = written(told, VECTOR)
    for line in (
        " = PrimFunc_SumExt(%para1_x, None, Bool(0), None)",
        "  : (<Func, NoShape>, <IOMonad, NoShape>, <Tensor[Float32], (1)>) -> (<Func, NoShape>)",
        "primitive_attrs: {side_effect_propagate: I64(1)}",
        "primitive_attrs: {side_effect_io: Bool(1)}",
        " = Switch(%1, %2, %3)",
        "      : (<Tensor[Bool], ()>, <Func, NoShape>, <Func, NoShape>) -> (<Func, NoShape>)",
        " = %4[@FuncUnion(@2_✓told, @3_✗told)]()",
        "      : () -> (<Tensor[Float32], (1)>)",
        "      : (<IOMonad, NoShape>, <Tensor[Int32], (1)>) -> (<IOMonad, NoShape>)",
    ):
        assert line in text, line


class Counting(nn.Cell):
    """Writes a Parameter, and prints."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(2.0), name="w")

    def construct(self, x):
        """What was counted, times x."""
        self.w = self.w + x
        print(x)
        return self.w * x


def loop(x):
    z = x
    while z < 10:
        z = z * 2
    y = z + 1 if z > 12 else z - 1
    return y


def counted(x):
    total = x
    for i in range(40):
        total = total + i * x
    return total


def fibonacci(x):
    return x if x < 2 else fibonacci(x - 1) + fibonacci(x - 2)


def asked(x):
    return x.asnumpy()


CASES = {"loop": loop, "counted": counted, "fibonacci": fibonacci, "asked": asked}


@pytest.mark.parametrize("name", CASES)
def test_programs(name, golden):
    golden(f"mindspore_text/{name}.ir", written(CASES[name], Tensor(1.0)))


def test_nodes_are_counted_as_mindspore_counts_them():
    text = written(lambda x, y: ops.add(x, ops.neg(y)), VECTOR, VECTOR)
    assert "nodes: 8\nTotal number of cnodes: 3\n" in text


def test_a_cell(golden):
    golden("mindspore_text/cell.ir", written(Counting(), Tensor(1.0)))


def test_a_gradient(golden):
    graph = vjp(parse(loop, [Tensor(1.0)]).graph)
    golden("mindspore_text/gradient.ir", plain(ms.graph.mindspore_text(graph)))


def test_a_drawing(golden):
    graph = parse(loop, [Tensor(1.0)]).graph
    golden("mindspore_text/loop.dot", plain(ms.graph.dot(graph)))


def test_a_scope_is_in_the_full_name():
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Counting()

        def construct(self, x):
            return self.inner(x) * 2

    assert "(Default/inner/Mul-op0)" in written(Outer(), Tensor(1.0))


def test_the_books_page_shows_what_is_written():
    page = (source.BOOK / "appendix" / "saved_graphs.md").read_text(encoding="utf-8")
    program, shown = [part.split("```")[0] for part in re.split(r"```\w*\n", page)[1::2]]
    name = "<settle.py>"
    linecache.cache[name] = (len(program), None, program.splitlines(True), name)
    space = {}
    exec(compile(program, name, "exec"), space)
    found = ms.graph.mindspore_text(ms.jit(space["settle"]).graph(Tensor(9.0)))
    found = re.sub(r"CNode_\d+", "CNode", found.replace(name, "settle.py"))
    assert re.sub(r"CNode_\d+", "CNode", shown) in found


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.float32(12), "Tensor(shape=[], dtype=Float32, value=12)"),
        (np.bool_(True), "Tensor(shape=[], dtype=Bool, value=True)"),
        (np.arange(3), "Tensor(shape=[3], dtype=Int64, value=[0 1 2])"),
        (
            np.float32([1, -2.5]),
            "Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00 -2.50000000e+00])",
        ),
        (np.zeros((4, 5), np.float16), "Tensor(shape=[4, 5], dtype=Float16, value=[...])"),
        (2.5, "F32(2.5)"),
        ("word", '"word"'),
        ((1, (True, None)), "(I64(1), (Bool(1), None))"),
        (ms.float32, "Float32"),
    ],
)
def test_constants(value, text):
    assert constant(value) == text
