"""What the matcher tells is what the engine does: the same steps, sentences and rewritings."""

import re

import pytest
from random_graphs import random_graph

import ms_ext as ms
from ms_ext import Tensor, ops, viz
from ms_ext.engine import errors, passes, pipeline
from ms_ext.engine.ir import clone
from ms_ext.engine.patterns import prune
from ms_ext.viz.widgets.matcher_attempts import attempts

x, y = Tensor([5.0, 7.0, 9.0]), Tensor([4.0, 4.0, 4.0])


def source(x, y):
    return ops.Add(x, ops.Neg(y))


def target(x, y):
    return ops.Sub(x, y)


def alone(x, y, match):
    return True if not match.shared else "Neg has another user and stays"


def never(match):
    return "never"


#: (source, target): what may occur in random graphs, deep and shallow, with constants and repeats.
RULES = [
    (source, target),
    (lambda x: ops.Mul(x, x), lambda x: ops.Square(x)),
    (lambda x, y: ops.Add(ops.Mul(x, y), x), lambda x, y: ops.Add(x, ops.Mul(x, y))),
    (lambda x: ops.Add(x, 0), lambda x: x),
    (lambda x, y: ops.Maximum(ops.Abs(x), ops.Neg(y)), lambda x, y: ops.Maximum(x, y)),
    (lambda x: ops.Sub(1.0, x), lambda x: ops.Neg(x)),
]


def small(text):
    """Text with the ids of nodes counted from 1, in order of appearance."""
    seen = {}
    return re.sub(r"%\d+", lambda m: seen.setdefault(m[0], f"%{len(seen) + 1}"), text)


def pruned(seed):
    graph, _ = random_graph(seed)
    prune(graph)
    return graph


@pytest.mark.parametrize("seed", range(20))
def test_the_sentences_are_the_engines(seed):
    graph = pruned(seed)
    for pair in RULES:
        rule = ms.graph.rule(*pair, never)
        copy = clone(graph)
        found = pipeline.run_only(copy, [passes.of_rules([rule], "told")], watch=True)
        own = [node.id for each in copy.all_graphs() for node in reversed(each.order())]
        sentences = {one.root: one.sentence() for one in found.passes[0].refusals}
        expected = [sentences[node] for node in own if node in sentences]
        tried = [one for each in graph.all_graphs() for one in attempts(each, [rule])]
        told = [one.why for one in tried]
        assert told == [w for w in expected if "another primitive" not in w]
        for one in tried:
            assert all(step.fits for step in one.comparisons) == (one.outcome == "refused")


@pytest.mark.parametrize("seed", range(20))
def test_what_is_rewritten_first_is_what_the_engine_rewrites_first(seed):
    graph = pruned(seed)
    for pair in RULES:
        rule = ms.graph.rule(*pair)
        tried = attempts(graph, [rule])
        copy = clone(graph)
        record = pipeline.run_only(copy, [passes.of_rules([rule], "told")], watch=True)
        roots = [match.root for match in record.passes[0].matches]
        listing = record.listing
        first = next((one for one in tried if one.outcome == "rewritten"), None)
        mine = [r for r in roots if r in listing and listing[r].graph == copy.id]
        assert (first is None) == (not mine)
        if first:
            order = [node.id for node in graph.order()]
            calls = [r.id for r in listing.values() if r.graph == copy.id and r.kind == "call"]
            assert order.index(first.root) == calls.index(mine[0])


def test_nothing_is_changed_by_looking():
    graph = pruned(3)
    before = str(graph), graph.version
    viz.matcher(source, target, True, graph)
    assert (str(graph), graph.version) == before


def test_the_text_is_as_it_was_read(golden):
    def both(x, y):
        negative = -y
        return x + negative, negative, (-y) + x, ms.mint.add(x, y)

    def squares(x, y):
        return ops.abs(x) * ops.abs(x), ops.abs(x) * ops.abs(y)

    def scaled(x, y):
        return (x * 1.0) + (y * 2.0), ops.mean(x, -1)

    views = [
        viz.matcher(source, target, alone, both, x, y),
        viz.matcher(source, target, True, both, x, y),
        viz.matcher(
            lambda x: ops.Mul(ops.Abs(x), ops.Abs(x)), lambda x: ops.Mul(x, x), True, squares, x, y
        ),
        viz.matcher("algebraic", scaled, x, y),
        viz.matcher((lambda x, axis: ops.ReduceMean(x, axis), lambda x: x), scaled, x, y),
    ]
    golden("viz/matcher.txt", "\n".join(small(view.text()) for view in views))


def test_a_pass_in_mindspores_shape():
    class AddNeg(ms.graph.PatternToPatternPass):
        def DefineSrcPattern(self, src_pattern):
            src_pattern.AddVar("x").AddVar("y").AddCNode("neg", ["Neg", "y"])
            src_pattern.AddCNode("add", ["Add", "x", "neg"])

        def DefineDstPattern(self, dst_pattern):
            dst_pattern.AddCNode("sub", ["Sub", "x", "y"])

    shown = viz.matcher(AddNeg(), lambda x, y: x + (-y), x, y)
    (one,) = shown.attempts
    assert one.outcome == "rewritten" and "becomes Sub(" in one.why
    assert one.bound["neg"].endswith("Neg")


def test_several_rules_are_tried_in_order():
    less = ms.graph.rules_pass(
        ms.graph.rule(source, target),
        ms.graph.rule(lambda x, y: ops.Add(ops.Neg(x), y), lambda x, y: ops.Sub(y, x)),
        name="less_of_it",
    )
    try:
        shown = viz.matcher(less, lambda x, y: (-x) + y, x, y)
        assert [one.outcome for one in shown.attempts] == ["no match", "rewritten"]
        assert "Run to its end, the pass rewrites 1 time: 2 → 1 calls." in shown.text()
        assert "1 call that is not looked at" in shown.html()
    finally:
        passes.REGISTRY.discard("less_of_it")


def test_what_the_learner_raises_stops_an_attempt_and_is_said():
    def broken(x, y):
        raise ZeroDivisionError("<b>")

    shown = viz.matcher(source, target, broken, lambda x, y: x + (-y), x, y)
    assert shown.attempts[0].outcome == "stopped"
    assert shown.attempts[0].why == "ZeroDivisionError: <b>"
    assert "the pass stops" in shown.text() and "<b>:" not in shown.html()


def test_an_endless_pass_is_named():
    text = viz.matcher(lambda x, y: ops.Add(x, y), lambda x, y: ops.Add(y, x), True, ops.add, x, y)
    assert "Run to its end, the pass stops: The pass 'Add(x, y) -> Add(y, x)' never" in text.text()


def test_wrong_arguments_are_refused():
    with pytest.raises(errors.InvalidType, match="no function"):
        viz.matcher(source, target, True)
    with pytest.raises(errors.InvalidType, match="no pattern"):
        viz.matcher("cse", ops.exp, x)


def test_a_page_with_regions_and_many_nodes():
    def long(x, y):
        if x.sum() > 1.0:
            x = x + (-y)
        for _ in range(100):
            x = ops.tanh(x) * y
        return x

    shown = viz.matcher(source, target, True, long, x, y)
    page = shown.html()
    assert [one.outcome for one in shown.attempts] == ["rewritten"]
    assert "and 1" in page and len(page) < 600_000
    assert not re.search(r'<[a-z]+[^>]* id="', page)
