"""Branches, loops, stacks, calls and recursion: the right answer on every backend."""

import numpy as np
import pytest
from backend_graphs import Writer

from ms_ext import dtype as dtypes
from ms_ext.engine import backends
from ms_ext.engine.infer import AbstractTensor, abstract_of
from ms_ext.engine.ir import CALL, FOR, IF, MAKE_TUPLE, WHILE, verify

BACKENDS = backends.REGISTRY.names()
F32, I64, INT = AbstractTensor(dtypes.float32), AbstractTensor(dtypes.int64), abstract_of(0)


def branch():
    """x * 2 where x > 0, else -x."""
    then, other, f = Writer("then", x=F32), Writer("else", x=F32), Writer(x=F32)
    sides = then.returns(then("Mul", then.x, 2.0)), other.returns(other("Neg", other.x))
    return f.returns(f(IF, f("Greater", f.x, 0.0), f.x, graphs=sides))


def joined():
    """An int in one arm, a float in the other: a float after both."""
    then, other, f = Writer("then", x=INT), Writer("else", x=INT), Writer(x=INT)
    sides = then.returns(then("Add", then.x, 1)), other.returns(0.5)
    found = f(IF, f("Greater", f.x, 0), f.x, graphs=sides)
    return f.returns(found, f("Mul", found, 2.0))


def tripling():
    """Multiply by three below the limit; count the turns, stack the values, scan them twice."""
    names = {"s": F32, "n": INT, "limit": F32}
    test, body, f = Writer("test", **names), Writer("body", **names), Writer(s=F32, limit=F32)
    test.returns(test("Less", test.s, test.limit))
    body.returns(body("Mul", body.s, 3.0), body("Add", body.n, 1), body.s)
    loop = f(WHILE, f.s, 0, f.limit, graphs=(test.graph, body.graph), carried=2)
    back = Writer("back", i=INT, total=F32, kept=F32)
    back.returns(
        back("Add", back("Mul", back.total, 2.0), back.kept), back("Add", back.kept, back.i)
    )
    start, turns = f("Sub", f.s, f.s), f.item(loop, 1)
    attrs = {"carried": 1, "scanned": 1, "reverse": True}
    gone = f(FOR, turns, start, f.item(loop, 2), graphs=(back.graph,), **attrs)
    forth = Writer("forth", i=INT, total=F32, kept=F32)
    forth.returns(forth("Add", forth("Mul", forth.total, forth.i), forth.kept))
    again = f(
        FOR,
        turns,
        start,
        f.item(gone, 1),
        graphs=(forth.graph,),
        carried=1,
        scanned=1,
        reverse=False,
    )
    return f.returns(f.item(loop, 0), turns, f.item(gone, 0), again)


def tripled(s, limit):
    kept = []
    while s < limit:
        kept.append(s)
        s = s * 3
    total = forth = 0.0
    for value in reversed(kept):
        total = total * 2 + value
    for i, value in enumerate(kept):
        forth = forth * i + (value + i)
    return s, len(kept), total, forth


def counted():
    """The sum of i * x for i < n, n a tensor."""
    body, f = Writer("body", i=I64, s=F32, x=F32), Writer(n=I64, x=F32)
    body.returns(body("Add", body.s, body("Mul", body.i, body.x)))
    loop = f(
        FOR, f.n, f("Mul", f.x, 0.0), f.x, graphs=(body.graph,), carried=1, scanned=0, reverse=False
    )
    return f.returns(loop)


def summed():
    """n + (n - 1) + ... + 1 by recursion."""
    f = Writer("summed", n=I64)
    more, stop = Writer("more", n=I64), Writer("stop", n=I64)
    call = more.graph.add(CALL, (more("Sub", more.n, 1),), None, (f.graph,))
    call.abstract = I64
    more.graph.returns(more("Add", more.n, call))  # not whole before what it calls is
    sides = more.graph, stop.returns(stop.n)
    return f.returns(f(IF, f("Greater", f.n, 0), f.n, graphs=sides))


def calling():
    """A called graph with two results, and a tuple given back."""
    inner, f = Writer("inner", a=F32, b=F32), Writer(a=F32, b=F32)
    inner.returns(inner("Sub", inner.a, inner.b), inner("Mul", inner.a, inner.b))
    one, two = f(CALL, f.a, f.b, graphs=(inner.graph,)), f(CALL, f.b, f.a, graphs=(inner.graph,))
    parts = f.item(one, 0), f.item(two, 0), f.item(one, 1)
    return f.returns(f(MAKE_TUPLE, *parts), f("Add", parts[0], parts[2]))


def nested():
    """A While inside a For: for each i < n, halve while above 1, then add i."""
    names = {"s": F32}
    test, halve = Writer("test", **names), Writer("halve", **names)
    graphs = test.returns(test("Greater", test.s, 1.0)), halve.returns(halve("Mul", halve.s, 0.5))
    body, f = Writer("body", i=INT, s=F32), Writer(n=INT, s=F32)
    body.returns(body("Add", body(WHILE, body.s, graphs=graphs, carried=1), body.i))
    loop = f(FOR, f.n, f.s, graphs=(body.graph,), carried=1, scanned=0, reverse=False)
    return f.returns(loop)


def nest(n, s):
    for i in range(n):
        while s > 1:
            s *= 0.5
        s += i
    return (s,)


PROGRAMS = [
    (branch, (np.float32(3),), (6.0,)),
    (branch, (np.float32(-3),), (3.0,)),
    (joined, (4,), (5.0, 10.0)),
    (joined, (-4,), (0.5, 1.0)),
    (tripling, (np.float32(1), np.float32(100)), tripled(1.0, 100.0)),
    (tripling, (np.float32(1), np.float32(0)), tripled(1.0, 0.0)),
    (counted, (np.int64(5), np.float32(0.5)), (5.0,)),
    (counted, (np.int64(0), np.float32(0.5)), (0.0,)),
    (summed, (np.int64(10),), (55,)),
    (calling, (np.float32(3), np.float32(2)), ((1.0, -1.0, 6.0), 7.0)),
    (nested, (4, np.float32(9)), nest(4, 9.0)),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("program, inputs, expected", PROGRAMS)
def test_control_flow(program, inputs, expected, backend):
    graph = verify(program())
    run = backends.build(backend, graph)
    results = run(*[x if isinstance(x, int) else np.asarray(x) for x in inputs])
    assert len(results) == len(expected)
    for have, want, node in zip(results, expected, graph.outputs, strict=True):
        if isinstance(want, tuple):
            assert tuple(map(float, have)) == want
            continue
        assert have == pytest.approx(want)
        if node.abstract.weak:
            assert type(have) is type(want)
        else:
            assert (have.shape, have.dtype) == (node.abstract.shape, node.abstract.dtype.numpy)


@pytest.mark.parametrize("backend", BACKENDS)
def test_ten_thousand_calls_deep(backend):
    run = backends.build(backend, summed())
    assert run(np.asarray(10_000))[0] == 10_000 * 10_001 // 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_five_hundred_branches_inside_each_other(backend):
    w = Writer("innermost", x=F32)
    graph = w.returns(w("Neg", w.x))
    for _ in range(500):
        other, outer = Writer("other", x=F32), Writer("outer", x=F32)
        sides = graph, other.returns(other.x)
        inner = outer(IF, outer("Greater", outer.x, 0.0), outer.x, graphs=sides)
        graph = outer.graph
        graph.returns(inner)  # verified once, at the end
    verify(graph)
    assert backends.build(backend, graph)(np.asarray(np.float32(2)))[0] == -2


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_loop_that_never_turns_gives_its_start_in_memory_of_its_own(backend):
    x = np.asarray(np.float32(1))
    result = backends.build(backend, tripling())(x, np.asarray(np.float32(0)))[0]
    assert result == 1 and not np.shares_memory(result, x)
