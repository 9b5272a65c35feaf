"""What is asked of the operators in extension_sources, of this engine and of MindSpore 2.10.

Each line is a Python expression; every one is asked with tensors of its own.
"""

import numpy as np

#: Of surface.cpp, as `s`.
SURFACE = """
s.add3.__doc__
s.add3_caller.__doc__
s.add3(x,y,x)
s.add3(z=x,x=x,y=y)
s.add3(x,y)
s.add3(x,y,np.ones((2,2)))
s.add3(x,None,x)
s.add3_caller(x,y)
s.add3_caller(x,y,3)
s.add3_caller(x,y,z=x)
s.add3_caller(x,y,x)
s.add3_caller(x,y,None)
s.two(x)
s.two_caller(x)
s.named_two(x)
s.three_of_two(x)
s.scale(x)
s.scale(x, 3)
s.scale(x, 3, (4,))
s.scale(x, factor=1, bias=y)
s.scale_caller(x, 3, [4], None)
s.scale_caller(x, 'a', [4], None)
s.scale_caller(x, 3, [4], y)
s.scale(x, 'a')
s.sum([x,y,x])
s.sum((x,y))
s.sum(x)
s.meta(x)
s.meta(x[:,1:])
s.meta(x.T)
s.meta(ms.Tensor(3.0, ms.float32))
s.meta(ms.Tensor(np.ones((2, 3), np.int64)))
s.meta(ms.Tensor([1.0], ms.bfloat16))
s.meta(None)
s.is_defined(None)
s.from_undefined(0)
s.from_undefined(1)
s.from_undefined(2)
s.from_undefined(3)
s.from_undefined(4)
s.from_undefined(5)
s.from_undefined(6)
s.type_ids()
s.seen(x)
s.seen(x, False)
s.seen(x[:,1:])
s.seen(x[:,1:], False)
s.accessed(x)
s.accessed(x.T)
s.accessed(of([1, 2]))
s.wrong_rank(of([1, 2]))
s.at(x, 1, 0)
s.at(x.T, 1, 0)
s.at(x, 2, 0)
s.at(x, 0, 5)
s.at(x, -1, 0)
s.made(0, 34)
s.made(1, 42)
s.made(1, 45)
s.made(2, 34)
s.made(3, 35)
s.made(3, 37)
s.made(3, 43)
s.made(2, 30)
s.made(4, 42)
s.made(5, 43)
s.made(6)
s.made(7)
s.made(8)
s.made(9)
s.method(of([1.9, -1.9]), 'cast', [34])
s.method(x, 'reshape', [-1])
s.method(x, 'reshape', [3])
s.method(x, 'reshape', [-1, 3])
s.method(x.T, 'reshape', [-1])
s.method(x.T, 'contiguous')
s.method(x, 'flatten')
s.method(T3, 'flatten', [1,-1])
s.method(T3, 'flatten', [2,1])
s.method(T3, 'flatten', [0,5])
s.method(FIVE, 'chunk', [2,0,0])
s.method(FIVE, 'chunk', [2,0,1])
s.method(FIVE, 'chunk', [4,0,2])
s.method(FIVE, 'chunk', [4,0,3])
s.method(FIVE, 'chunk', [0,0,0])
s.method(FIVE, 'chunk', [2,3,0])
s.method(x, 'chunk', [2,-1,1])
s.method(x, 'index_select', [0], i32([1, 1, 0]))
s.method(x, 'index_select', [0], i32([7]))
s.method(x, 'repeat', [2,1])
s.method(x, 'repeat_interleave', [2])
s.method(x, 'repeat_interleave', [2,0])
s.method(x, 'repeat_interleave', [0,0], i32([2, 1]))
s.method(x, 'repeat_interleave', [0,0,3], i32([2, 1]))
s.method(x, 'repeat_interleave', [0,0,4], i32([2, 1]))
s.method(x, 'AssignTensor', [], y)
s.method(x, 'nothing', [1, 2])
s.method_here(x, 'reshape', [-1])
s.method_here(of([1.9, -1.9]), 'cast', [34])
s.method_here(x.T, 'contiguous')
s.method_here(x, 'repeat_interleave', [0,0], i32([2, 1]))
s.add3_here(x, y, x)
s.base_tensor(x)
s.base_tensor(x.T)
s.base_tensor(3)
s.is_null(None)
s.back_and_forth(x)
s.v2(x)
s.v2(x, y)
s.v2(x.T)
s.add3(x.T, x*0, x*0)
s.not_shared(x)
s.returns_undefined(x)
[s.swap(p, q), p, q]
[s.swap(m[0], m[1]), m]
"""

#: What `raise_in` throws, by number, in each of three places.
THROWN = range(21)
PLACES = ("python", "frontend", "launch")

#: Of gradients.cpp, as `g`.
GRADIENTS = """
g.mul(x,y)
g.cube(x)
g.exp(of([0, 1]))
grad(lambda x,y: (3*g.mul(x,y)).sum(), (0,1))(x,y)
grad(lambda x,y: (3*g.mul(x,y)).sum(), 0)(x,y)
ms.value_and_grad(lambda x: g.mul(x, w).sum(), None, [w])(x)
grad(lambda x: g.plain(x).sum())(x)
grad(lambda x,y: g.staged(x,y).sum(), (0,1))(x,y)
grad(lambda x: g.cube(x).sum())(x)
grad(lambda x: g.exp(x).sum())(of([0, 1]))
grad(lambda x: g.same(x).sum()*2)(x)
grad(grad(lambda x: g.smooth_mul(x,x).sum()))(x)
grad(lambda x: grad(lambda x: g.smooth_mul(g.smooth_mul(x,x),x).sum())(x).sum())(x)
grad(lambda x: grad(lambda x: g.exp(x).sum())(x).sum())(of([0, 1]))
grad(lambda x: grad(lambda x: grad(lambda x: g.exp(x).sum())(x).sum())(x).sum())(of([0, 1]))
grad(lambda x: grad(lambda x: g.cube(x).sum())(x).sum())(x)
grad(lambda x: grad(lambda x: g.mul(x,x).sum())(x).sum())(x)
g.both(x, 0, y)
grad(lambda x, y: g.both(x, 0, y)[0].sum(), (0, 1))(x, y)
g.both(x, 1, y)
grad(lambda x, y: g.both(x, 1, y)[0].sum(), (0, 1))(x, y)
g.both(x, 2, y)
grad(lambda x, y: g.both(x, 2, y)[0].sum(), (0, 1))(x, y)
g.both(x, 3, y)
grad(lambda x, y: g.both(x, 3, y)[0].sum(), (0, 1))(x, y)
g.both(x, 4, y)
grad(lambda x, y: g.both(x, 4, y)[0].sum(), (0, 1))(x, y)
g.both(x, 5, y)
grad(lambda x, y: g.both(x, 5, y)[0].sum(), (0, 1))(x, y)
g.both(x, 6, y)
grad(lambda x, y: g.both(x, 6, y)[0].sum(), (0, 1))(x, y)
g.both(x, 7, y)
grad(lambda x, y: g.both(x, 7, y)[0].sum(), (0, 1))(x, y)
grad(lambda x, y: g.both(x, 0, y)[1].sum(), (0, 1))(x, y)
grad(doubled)(x)
grad(doubled_before)(x)
grad(lambda x: g.twice(x).sum())(x)
[g.twice(x), x]
g.mul(None, x)
g.mul(3, x)
"""


def asked():
    """Every expression."""
    thrown = (f"s.raise_in(x, {kind}, {place!r})" for kind in THROWN for place in PLACES)
    return [*SURFACE.split("\n")[1:-1], *thrown, *GRADIENTS.split("\n")[1:-1]]


def surroundings(ms, s, g):
    """The names in an expression: `ms` is either engine, `s` and `g` are the modules."""

    def of(values):
        return ms.Tensor(np.array(values, np.float32))

    def i32(values):
        return ms.Tensor(np.array(values, np.int32))

    def doubled(x):
        result = g.twice(x * 1)
        return (result * result).sum()

    def doubled_before(x):
        before = x * 1
        g.twice(before)
        return (before * before).sum()

    names = {"ms": ms, "np": np, "s": s, "g": g, "of": of, "i32": i32, "grad": ms.grad}
    names["__name__"] = __name__  # MindSpore asks where a lambda was written
    names |= {"doubled": doubled, "doubled_before": doubled_before}
    names |= {"x": of([[1, 2], [3, 4]]), "y": of([[5, 6], [7, 8]]), "FIVE": of([1, 2, 3, 4, 5])}
    names |= {"T3": of(range(12)).reshape(2, 2, 3), "m": i32([[1, 2], [3, 4]])}
    return names | {"p": i32([1, 2]), "q": i32([3, 4]), "w": ms.Parameter(of([[5, 6], [7, 8]]))}


def answer(expression, ms, s, g):
    """What an expression gives, in words: values, or the class and the first line of an error."""
    try:
        return _said(eval(expression, surroundings(ms, s, g)), ms)
    except Exception as error:
        lines = str(error.args[0] if error.args else "").split("\n")
        return f"{_builtin(type(error))}: {lines[0]}"


def _said(value, ms):
    if isinstance(value, ms.Tensor):
        return f"{value.dtype} {value.shape} {value.asnumpy().tolist()}"
    if isinstance(value, tuple | list):
        return f"{type(value).__name__}({', '.join(_said(each, ms) for each in value)})"
    return repr(value)


def _builtin(kind):
    """The most special class of Python's own that an error class comes from."""
    own = [each for each in kind.__mro__ if each.__module__ == "builtins"]
    return max(own, key=lambda each: len(each.__mro__)).__name__
