"""Python text to graphs: where the text comes from, what the graphs look like, what is refused."""

import linecache
import re
import textwrap

import pytest
from programs import PROGRAMS

import ms_ext as ms
from ms_ext import ops
from ms_ext.engine import errors, jit, making
from ms_ext.engine.ir import dump, load, verify


def normal(text):
    """The text form with nodes and graphs numbered from 1."""
    seen = {}

    def number(found):
        return found[1] + str(seen.setdefault(found[0], len(seen) + 1))

    return re.sub(r"([%@])\d+", number, text)


def graph_of(function, inputs):
    return jit.trace(function, *[v if type(v) is int else ms.Tensor(v, ms.float32) for v in inputs])


def test_graphs_of_programs(golden):
    first = {}
    for function, inputs in PROGRAMS:
        first.setdefault(function, inputs)
    texts = [normal(dump(verify(graph_of(f, inputs)))) for f, inputs in first.items()]
    golden("programs_ir.txt", "\n".join(texts))


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda c: c[0].__name__)
def test_text_round_trip(case):
    text = dump(graph_of(*case))
    assert normal(dump(load(text))) == normal(text)


# where the text comes from ------------------------------------------------------------------------


def decorated(function):
    return function


@decorated
@decorated
def under_decorators(x):
    return x + 1


# fmt: off
def over_lines(
    x,
    by=(
        2.0
    ),
):
    # a comment
    return (
        x
        * by
    )
# fmt: on


def value(function, at=3.0):
    return float(ms.jit(function)(ms.Tensor(at)))


def test_functions_of_all_shapes():
    assert value(under_decorators) == 4.0
    assert value(over_lines) == 6.0
    assert value(lambda x: x * 2) == 6.0
    both = (lambda x: x + 1, lambda x: x + 2)
    assert [value(f) for f in both] == [4.0, 5.0]
    assert value(lambda x:
                 x
                 - 1) == 2.0  # fmt: skip

    def inner(x):
        return x * offset

    offset = 7.0
    assert value(inner) == 21.0


def test_a_method_of_a_class():
    class Scale:
        factor = 4.0

        def apply(self, x):
            return x * self.factor

    assert value(Scale().apply) == 12.0


def run_cell(text, name):
    """A notebook cell, as IPython enters it into linecache."""
    text = textwrap.dedent(text)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"ms": ms, "ops": ops}
    exec(compile(text, name, "exec"), space)
    return space


def test_a_notebook_cell_and_a_cell_run_again():
    text = """
    @ms.jit
    def f(x):
        if x > 0:
            return x + 1
        return x
    """
    assert float(run_cell(text, "<cell 1>")["f"](ms.Tensor(1.0))) == 2.0
    again = text.replace("x + 1", "x + 5")
    assert float(run_cell(again, "<cell 2>")["f"](ms.Tensor(1.0))) == 6.0


def test_an_error_shows_the_cell():
    space = run_cell("def f(x):\n    y = x * 2\n    return y.sun()\n", "<cell 3>")
    with pytest.raises(AttributeError) as caught:
        ms.jit(space["f"])(ms.Tensor(1.0))
    assert "<cell 3>:3" in str(caught.value)
    assert "return y.sun()" in str(caught.value)
    assert "Did you mean 'sum'?" in str(caught.value)


def test_text_that_is_nowhere():
    space = {}
    exec(compile("def f(x): return x", "<nowhere>", "exec"), space)
    with pytest.raises(RuntimeError, match="source of 'f' cannot be found"):
        ms.jit(space["f"])(ms.Tensor(1.0))


def test_every_node_knows_its_line():
    graph = jit.trace(over_lines, ms.Tensor(1.0))
    (node,) = graph.order()
    assert node.where.file == __file__
    assert node.where.text.strip().startswith("x")


# limits -------------------------------------------------------------------------------------------


def many(count, line):
    body = "\n".join(f"    {line(i)}" for i in range(count))
    return run_cell(f"def f(x):\n{body}\n    return x\n", f"<many {count} {line(0)}>")["f"]


def test_size_stays_linear():
    def nodes(count):
        function = many(count, lambda i: f"if x > {i}: x = x + {i}")
        return sum(len(g.order()) for g in jit.trace(function, ms.Tensor(1.0)).all_graphs())

    assert nodes(40) <= 2.1 * nodes(20)


def test_many_early_returns():
    function = many(60, lambda i: f"if x > {100 - i}: return x * {i}")
    assert float(ms.jit(function)(ms.Tensor(70.5))) == 70.5 * 30


def test_as_deep_as_python_nests():
    depth = 95
    lines = [f"{'    ' * (i + 1)}if x > {i}:" for i in range(depth)]
    text = "def f(x):\n" + "\n".join(lines) + f"\n{'    ' * (depth + 1)}x = x + 1\n    return x\n"
    assert float(ms.jit(run_cell(text, "<deep>")["f"])(ms.Tensor(500.0))) == 501.0


def chain_of(count):
    words = ("if", *["elif"] * (count - 1))
    arms = [f"    {w} x > {count - i}:\n        y = x + {i}\n" for i, w in enumerate(words)]
    text = f"def f(x):\n{''.join(arms)}    else:\n        y = x\n    return y\n"
    return run_cell(text, f"<chain of {count}>")["f"]


def test_a_chain_that_is_too_long_is_one_clear_error(monkeypatch):
    assert float(ms.jit(chain_of(50))(ms.Tensor(30.5))) == 50.5
    monkeypatch.setattr(making, "FRAMES", 2000)
    with pytest.raises(errors.InvalidSyntax, match="nested too deeply") as caught:
        ms.jit(chain_of(400))(ms.Tensor(0.5))
    assert "loop or a table" in caught.value.hint


def test_a_constant_loop_of_ten_thousand_turns():
    def count(x):
        i = 0
        while i < 10_000:
            x = x + 0.5
            i += 1
        return x

    assert value(count) == 5003.0
    assert len(jit.trace(count, ms.Tensor(1.0)).order()) < 80


def test_captured_globals_are_folded_when_read():
    space = run_cell("G = 2\ndef f(x):\n    return x * G\n", "<globals>")
    compiled = ms.jit(space["f"])
    assert float(compiled(ms.Tensor(3.0))) == 6.0
    space["G"] = 7
    with pytest.warns(errors.MsExtWarning, match="the global 'G' was 2. It is 7 by now"):
        assert float(compiled(ms.Tensor(3.0))) == 6.0


def test_comprehensions():
    def table(x):
        squares = {i: x * i for i in range(4) if i % 2}
        return sum([squares[i] + sum([j for j in (10, 20)]) for i in (1, 3)])

    assert value(table) == 72.0
    with pytest.raises(RuntimeError, match="cannot filter by a tensor"):
        ms.jit(lambda x: [i for i in (1, 2) if x > 0])(ms.Tensor(1.0))


def test_jit_inside_compiled_code():
    assert value(lambda x: ms.jit(lambda y: y * 2)(x) + 1) == 7.0


W = 3


def test_a_loop_that_adds_to_a_global_begins_with_it():
    def added(x, turns):
        for _ in range(turns):
            W += 1  # noqa: F823 - Python would call it unbound; MindSpore reads the global
        return x + W

    for turns in (2, 30):
        assert float(ms.jit(added)(ms.Tensor(1.0), turns)) == 4 + turns
    assert W == 3
