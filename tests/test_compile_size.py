"""How large and how deep may a program be? Work grows with its size; what is too deep is told.

Nothing here looks at a clock: what is counted is nodes, calls of the engine's own functions, and
levels.
"""

import linecache
import sys

import pytest

import ms_ext as ms
from ms_ext import context, ops
from ms_ext.engine import errors, jit, making
from ms_ext.engine.ir import IF

X, Y = ms.Tensor(1.5), ms.Tensor(0.5)


def written(lines, name):
    """The function ``f(x, y)`` of these lines, in a file that only linecache knows."""
    text = "def f(x, y):\n" + "".join(f"    {line}\n" for line in lines)
    name = f"<{name} of {len(lines)} lines>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"ops": ops}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def work(call):
    """How many functions ``call()`` calls, those of C not counted."""
    count = 0

    def counting(_frame, event, _argument):
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        call()
    finally:
        sys.setprofile(before)
    return count


# as many nodes as you like ------------------------------------------------------------------------


def straight(count):
    lines = ("t = t * 1.01", "t = t + y", "t = ops.relu(t)", "t = t - 0.5")
    return ["t = x", *[lines[i % 4] for i in range(count)], "return t"]


def added_in_place(count):
    return ["t = x + 1", *["t += y"] * count, "return t"]


def small_ifs(count):
    body = [line for i in range(count) for line in (f"if t > {i}:", "    t = t + y")]
    return ["t = x", *body, "return t"]


def two_armed_ifs(count):
    arms = [(f"if t > {i}:", "    t = t + y", "else:", "    z = z * t") for i in range(count)]
    return ["t, z = x, y", *[line for arm in arms for line in arm], "return t + z"]


def many_names(count):
    steps = [(f"t{i + 1} = t{i} * y", f"if t{i} > {i}:", f"    t{i + 1} = x") for i in range(count)]
    return ["t0 = x", *[line for step in steps for line in step], f"return t{count}"]


def inner_calls(count):
    return ["def g(a, b):", "    return a * b + a", "t = x", *["t = g(t, y)"] * count, "return t"]


def list_of(count):
    body = ["    t = t + items[i]", "    items.append(t)"]
    return ["t, items = x, [y]", f"for i in range({count}):", *body, "return t"]


@pytest.mark.parametrize(
    "program",
    [straight, added_in_place, small_ifs, two_armed_ifs, many_names, inner_calls, list_of],
)
def test_work_grows_with_the_size(program):
    small, large = (written(program(count), program.__name__) for count in (40, 160))
    ms.jit(written(program(30), program.__name__))(X, Y)  # what is done once is done
    one, four = (work(lambda f=f: ms.jit(f)(X, Y)) for f in (small, large))
    assert four < 4.6 * one


def test_the_groups_of_many_branches_are_found_one_by_one():
    """Each branch looks at its own nodes, not at all of the program's."""
    compiled = ms.jit(written(two_armed_ifs(60), "groups"))
    compiled(X, Y)
    (graph,) = [each.parsed.graph for each in compiled._known.values()]
    assert sum(len(each.order()) for each in graph.all_graphs()) <= 6 * 60 + 1


# as deep as you like ------------------------------------------------------------------------------


def early_returns(depth):
    return [*[f"if x < {i - depth}: return x + {i}" for i in range(depth)], "return x"]


def elif_chain(depth):
    links = [
        (f"{'elif' if i else 'if'} x > {depth - i}:", f"    t = x * {i}") for i in range(depth)
    ]
    return [*[line for link in links for line in link], "else:", "    t = x", "return t"]


def calls_in_calls(depth):
    inner = [(f"def g{i + 1}(a):", f"    return g{i}(a + 1)") for i in range(depth)]
    return ["def g0(a):", "    return a * 2", *[x for g in inner for x in g], f"return g{depth}(x)"]


def conditions(depth):
    return ["return " + "".join(f"x * {i} if x > {i + 2} else " for i in range(depth)) + "y"]


def terms(depth):
    return ["return x" + " + y" * depth]


def brackets(depth):
    return ["return " + "(" * depth + "x" + " + y)" * depth]


def both_sides(depth):
    return ["return " + " and ".join([f"x > -{i}" for i in range(1, depth)])]


def recursion(depth):
    inner = ["def g(k, a):", "    return a if k == 0 else g(k - 1, a + y)"]
    return [*inner, f"return g({depth}, x)"]


DEEP = {
    early_returns: 1.5, elif_chain: 298.5, calls_in_calls: 403.0, conditions: 0.5, terms: 101.5,
    both_sides: True, recursion: 101.5,
}  # fmt: skip


@pytest.mark.parametrize("program", DEEP, ids=lambda program: program.__name__)
def test_two_hundred_levels(program):
    function = written(program(200), program.__name__)
    assert float(ms.jit(function)(X, Y)) == DEEP[program]
    assert "return" in str(jit.trace(function, X, Y))


def test_brackets_in_brackets():
    assert float(ms.jit(written(brackets(150), "brackets"))(X, Y)) == 76.5


def test_a_line_of_a_thousand_terms():
    assert float(ms.jit(written(terms(1000), "terms"))(X, Y)) == 501.5


def test_a_level_is_written_down_once():
    """Nothing is read twice on the way down: each early return is one If."""
    for depth in (10, 100):
        graphs = jit.trace(written(early_returns(depth), "levels"), X, Y).all_graphs()
        assert sum(n.primitive is IF for g in graphs for n in g.order()) == depth


def test_a_deep_call_of_a_graph_that_runs():
    inner = ["def g(k, a):", "    if k < 1:", "        return a", "    return g(k - 1, a + y)"]
    function = written([*inner, "return g(x * 0 + 1000, x)"], "running recursion")
    assert float(ms.jit(function)(X, Y)) == 501.5
    assert float(ms.jit(function, backend="reference")(X, Y)) == 501.5


def test_the_gradient_of_what_is_deep():
    function = written(early_returns(120), "deep gradient")
    assert float(ms.grad(ms.jit(function))(X, Y)) == 1.0


def test_python_has_its_limit_back():
    usual = sys.getrecursionlimit()
    ms.jit(written(early_returns(200), "limit"))(X, Y)
    assert sys.getrecursionlimit() == usual


def test_too_many_levels_are_one_clear_error(monkeypatch):
    monkeypatch.setattr(making, "FRAMES", 2000)
    with pytest.raises(errors.InvalidSyntax, match="nested too deeply to be read") as caught:
        ms.jit(written(early_returns(500), "too deep"))(X, Y)
    assert "a thousand levels" in caught.value.given
    assert "into a loop or a table" in caught.value.hint


def test_too_many_calls_inside_each_other():
    endless = written(["def g(k, a):", "    return g(k + 1, a + y)", "return g(0, x)"], "endless")
    with pytest.raises(RuntimeError, match="Exceed function call depth limit 1000") as caught:
        ms.jit(endless)(X, Y)
    assert "max_call_depth" in caught.value.hint
    assert "return g(k + 1, a + y)" in str(caught.value)


def test_the_call_depth_is_a_setting():
    before = context.get_context("max_call_depth")
    try:
        context.set_context(max_call_depth=20)
        with pytest.raises(errors.InvalidSyntax, match="Exceed function call depth limit 20"):
            ms.jit(written(recursion(50), "shallow"))(X, Y)
    finally:
        context.set_context(max_call_depth=before)
    assert float(ms.jit(written(recursion(50), "deeper"))(X, Y)) == 26.5


# loops of constants -------------------------------------------------------------------------------

LOOPS = {
    "for": (["for i in range(10000):", "    x = x + 1", "return x"], 10001.5),
    "for, number": (["s = 0", "for i in range(10000):", "    s += i", "return y * s"], 24997500.0),
    "while": (["i = 0", "while i < 10000:", "    x = x + y", "    i = i + 1", "return x"], 5001.5),
    "while, a number": (["i = 0", "while i < 10000:", "    i = i + 1", "return x + i"], 10001.5),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_a_long_loop_of_constants_is_a_loop_of_the_graph(name):
    lines, value = LOOPS[name]
    compiled = ms.jit(written(lines, name))
    assert float(compiled(X, Y)) == value
    graphs = jit.trace(written(lines, name), X, Y).all_graphs()
    assert sum(len(each.order()) for each in graphs) < 120


def test_turns_that_are_written_out_have_a_limit(monkeypatch):
    monkeypatch.setitem(making.limits, "turns", 1000)
    lines = ["for i in items:", "    for j in items:", "        x = x + i * j", "return x"]
    many = written([f"items = [1.0] * {40}", *lines], "written out")
    with pytest.raises(errors.InvalidSyntax, match="written out more than 1000 times") as caught:
        ms.jit(many)(X, Y)
    assert "range(...)" in caught.value.hint
    few = written([f"items = [1.0] * {20}", *lines], "few turns")
    assert float(ms.jit(few)(X, Y)) == 401.5


def test_a_loop_that_is_none_of_the_graph_is_tried_once():
    """Inside loops that are written out, an inner one is not tried as a region each time."""

    def nested(count):
        turns = [f"for i{n} in range({count}):" for n in range(3)]
        lines = [" " * n + turn for n, turn in enumerate(turns)]
        return written(["items = []", *lines, "   items.append(x)", "return items[-1]"], "nested")

    programs = [ms.jit(nested(count)) for count in (17, 21)]
    small, large = (work(lambda f=f: f(X, Y)) for f in programs)
    assert large < 1.2 * (21 / 17) ** 3 * small


def test_a_comprehension_counts_its_turns(monkeypatch):
    monkeypatch.setitem(making.limits, "turns", 100)
    with pytest.raises(errors.InvalidSyntax, match="written out more than 100 times"):
        ms.jit(written(["return sum([x * i for i in range(200)])"], "comprehension"))(X, Y)
