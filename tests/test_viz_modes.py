"""What viz.modes says of each line is what the front end did with it, in all forms."""

import functools
import re
import threading
import time

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, nn, ops, viz
from ms_ext.engine import jit
from ms_ext.engine.frontend import reading

x = Tensor([1.0, 2.0, 3.0])
SHIFT, W, SEEN = 0.5, Tensor([1.0, 2.0, 3.0]), []


def step(x, by, training):
    n = by * 10
    if training:
        y = x * n + SHIFT
    else:
        y = x
    if y.sum() > 20.0:
        y = y / x.shape[0]
    print("y is", y)
    return y


def states(shown):
    """Text of a line -> its state, of all functions."""
    return {row.text.strip(): row.state for block in shown.blocks for row in block.rows}


def items(shown, line):
    """What the line that begins so became: [(kind, code, words)]."""
    rows = [row for block in shown.blocks for row in block.rows]
    return [tuple(item) for row in rows if row.text.strip().startswith(line) for item in row.items]


def test_every_line_has_its_state():
    assert states(viz.modes(step, x, 2, True)) == {
        "def step(x, by, training):": "", "n = by * 10": "once", "if training:": "once",
        "y = x * n + SHIFT": "nodes", "else:": "left", "y = x": "left",
        "if y.sum() > 20.0:": "nodes", "y = y / x.shape[0]": "nodes",
        'print("y is", y)': "python", "return y": "",
    }  # fmt: skip


def test_the_other_branch_is_read_where_the_other_value_is_given():
    found = states(viz.modes(step, x, 2, False))
    assert found["y = x * n + SHIFT"] == "left" and found["y = x"] == ""


def test_what_was_baked_in_has_its_cause():
    shown = viz.modes(step, x, 2, True)
    assert items(shown, "y = x * n")[-2:] == [
        ("baked", "n = 20", "worked out above"), ("baked", "SHIFT = 0.5", "a global"),
    ]  # fmt: skip
    assert items(shown, "if training") == [
        ("decided", "training is True", "an argument, decided once")
    ]
    assert shown.causes == {
        "argument": {"by": "2", "training": "True"}, "global": {"SHIFT": "0.5"},
        "type": {"x.shape": "(3,)"},
    }  # fmt: skip


def test_nodes_are_those_of_the_graph():
    shown = viz.modes(step, x, 2, True)
    named = [node.primitive.name for each in shown.graph.all_graphs() for node in each.order()]
    wanted = sorted(name for name in named if name != "TupleGetItem")
    rows = [item for block in shown.blocks for row in block.rows for item in row.items]
    made = [each.code for each in rows if each.kind in ("node", "python")]
    assert sorted(re.search(r"(\w+)[(:]", code)[1] for code in made) == wanted


def test_it_ran_both_ways():
    shown = viz.modes(step, x, 2, True)
    pynative, graph = shown.runs
    assert np.array_equal(pynative.value, graph.value)
    assert pynative.printed.startswith("y is [") and graph.printed.startswith("y is\nTensor(")
    assert "equal to the bit" in shown.text()


def timed(x):
    now = time.perf_counter() % 1.0
    SEEN.append(1)
    return x + now


def test_what_python_calls_is_called_once():
    shown = viz.modes(timed, x)
    assert items(shown, "now")[0][0] == "worked"
    assert ("worked", "SEEN.append(1)", "called while reading") in items(shown, "SEEN")
    assert set(shown.causes["called"]) == {"time.perf_counter()", "SEEN.append(1)"}


def test_a_second_call_shows_what_is_frozen():
    pynative, graph = viz.modes(timed, x).runs
    assert not np.array_equal(pynative.value, pynative.again.value) and graph.again is None
    assert "again: the same" in viz.modes(timed, x).text()
    assert "again" not in viz.modes(step, x, 2, True).text()


def loops(x):
    turns = 0
    while x.sum() < 100.0:
        x = x * x
        turns = turns + 1
    n = 3
    while n > 0:
        n -= 1
    for k in (1, 2):
        x = x + k
    for _ in range(0):
        x = x * 9.0
    for i in range(100):
        x = x + i
    return x, turns


def test_loops_are_loops_or_written_out():
    shown = viz.modes(loops, x)
    assert states(shown)["turns = 0"] == "" and states(shown)["turns = turns + 1"] == "nodes"
    assert items(shown, "while x")[0][1].startswith("%1 = While(")
    assert items(shown, "while n")[0][1:] == (
        "n > 0 is True, False", "n: worked out above, 3 turns written out"
    )  # fmt: skip
    assert items(shown, "n -= 1") == [("worked", "n = 2, 1, 0", "n: worked out above")]
    assert ("decided", "", "2 turns written out, one after the other") in items(shown, "for k")
    assert ("baked", "k = 1, 2", "one a turn") in items(shown, "x = x + k")
    assert items(shown, "x = x * 9.0") == [("left", "", "not read: the loop has no turn")]
    assert [kind for kind, code, _ in items(shown, "for i") if "For(" in code] == ["node"]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor([1.0, 1.0, 1.0]), name="w")
        self.scale = 2.0

    @ms.jit
    def construct(self, x):
        self.w += x * W
        return self.part(x) if self.scale > 1 else x

    def part(self, x):
        return self.w * self.scale


def test_a_cell_keeps_its_parameters():
    net = Net()
    shown = viz.modes(net, x)
    assert np.array_equal(net.w.asnumpy(), [1, 1, 1])
    assert [each.error for each in shown.runs] == ["", ""] and "equal to the bit" in shown.text()
    assert ("input", "w: f32[3]", "a Parameter: an input, read anew at every call") in items(
        shown, "self.w +="
    )
    assert ("read", "", "part is read in place") in items(shown, "return self.part")
    decided = ("decided", "self.scale > 1 is True",
               "self.scale: an attribute, one side only is read")  # fmt: skip
    assert decided in items(shown, "return self.part")
    assert [block.name for block in shown.blocks] == ["construct", "part"]


def test_a_compiled_cell_is_run_line_by_line_too():
    net = Net()
    net(x)
    net.scale = 10.0  # the compiled construct does not see it
    one, other = viz.modes(net, x).runs
    assert np.array_equal(one.value, other.value)


def host(x):
    a = np.sin(x.asnumpy())
    if x.sum() > 99.0:
        raise ValueError("too large")
    return Tensor(a)


def test_what_runs_in_python_is_marked():
    found = states(viz.modes(host, x))
    assert [found["a = np.sin(x.asnumpy())"], found['raise ValueError("too large")']] == [
        "python", "python",
    ]  # fmt: skip


def refused(x):
    y = x + 1
    yield y
    return y * 2


def refused_at_once(x):
    try:
        return x * 2
    except ValueError:
        return x


@pytest.mark.parametrize(("function", "line"), [(refused, "yield y"), (refused_at_once, "try:")])
def test_what_cannot_be_read_says_so_at_its_line(function, line):
    shown = viz.modes(function, x)
    assert states(shown)[line] == "refused" and shown.graph is None
    assert shown.runs[1].error.startswith("InvalidSyntax: Unsupported")
    assert "cannot be read" in shown.text() and "cannot be read" in shown.html()


def test_lines_after_a_refusal_are_not_read():
    assert items(viz.modes(refused, x), "return y * 2")[0][2].startswith(
        "not read: reading stopped"
    )


def test_closures_partials_ops_and_traces():
    def outer(x, k):
        def inner(y):
            return y * k

        def unused(y):
            return y

        return inner(x)

    shown = viz.modes(outer, x, 2)
    assert ("baked", "k = 2", "an argument") in items(shown, "return y * k")
    assert items(shown, "return y")[-1] == ("left", "", "not read: nobody calls it")
    assert (
        states(viz.modes(functools.partial(step, by=1, training=True), x))["n = by * 10"] == "once"
    )
    assert viz.modes(ops.relu, x).title == "Op in two modes: no line of Python was read"
    traced = viz.modes(ms.jit(step, capture_mode="trace"), x, 2, True)
    assert traced.note.startswith("It is not read") and not traced.causes
    traced = viz.modes(ms.jit(outer, capture_mode="trace"), x, 2)
    assert items(traced, "return y * k") == [("node", "%1 = Mul(x, 2)", "f32[3]")]


def test_the_forms_have_the_same_words():
    shown = viz.modes(step, x, 2, True)
    page = re.sub(r"<[^>]+>", "", shown.html())
    for block in shown.blocks:
        for row in block.rows:
            for item in row.items:
                assert item.code.replace("'", "&#x27;").replace(">", "&gt;") in page
                assert item.code in shown.text() and item.words in shown.text()
    assert not re.search(r'<[a-z]+[^>]* id="', shown.html()) and "<script>" not in shown.html()


def test_names_and_values_are_escaped():
    def marked(x, name):
        return x + len(name)

    page = viz.modes(marked, x, "<b>&").html()
    assert "<b>&" not in page and "&lt;b&gt;&amp;" in page


# the front end, watched ---------------------------------------------------------------------------


def test_nobody_pays_for_watching():
    before = dict(reading.READERS)
    with reading.watching(lambda *told: None):
        assert reading.READERS != before
        with reading.watching(lambda *told: None):
            pass
        assert reading.READERS != before
    assert reading.READERS == before


def test_each_thread_hears_its_own():
    heard = []
    with reading.watching(lambda frame, node, value: heard.append(node)):
        other = threading.Thread(target=jit.trace, args=(step, x, 2, True))
        other.start()
        other.join()
    assert heard == []


def test_a_reading_that_fails_leaves_the_table_as_it_was():
    before = dict(reading.READERS)
    viz.modes(refused, x)
    assert reading.READERS == before
