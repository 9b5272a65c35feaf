"""What is said when a pattern does not fit, when a pass never ends, and after other mistakes."""

import re

import pytest
from add_neg import TWO_SITES, source, target
from graph_texts import canonical, graph_of, ops_of

from ms_ext import ops
from ms_ext.engine import errors, passes, pipeline
from ms_ext.engine.passes import of_rules
from ms_ext.engine.patterns import rule


def run(graph, *sequence):
    return pipeline.run_only(graph, sequence, watch=True)


# what is said when nothing happens ----------------------------------------------------------------


def test_refusals(golden):
    graph = graph_of(
        """
        graph f@1(%1 x: f32[2], %2 y: f32[2], %3 k: i8[2]) {
          %4 = Neg(%2) : f32[2]
          %5 = Add(%1, %4) : f32[2]
          %6 = Mul(%5, %4) : f32[2]
          %7 = Add(%1, %6) : f32[2]
          %8 = Neg(%7) : f32[2]
          %9 = Add(%8, %1) : f32[2]
          %10 = Neg(%3) : i8[2]
          %11 = Add(%9, %10) : f32[2]
          %12 = Add(%11, 1: int) : f32[2]
          %13 = AddExt(%12, %12) {"alpha":1} : f32[2]
          return %13
        }
        """
    )
    (record,) = run(graph, "add_neg_to_sub").passes
    numbers = {node.id: place for place, node in enumerate(graph.order())}
    told = sorted((numbers[r.root], r.code, r.sentence()) for r in record.refusals)
    golden("refusals.txt", "".join(f"{code:10} {sentence}\n" for _, code, sentence in told))


def test_a_target_of_another_type_does_not_fire():
    graph = graph_of(TWO_SITES)
    (record,) = run(graph, (source, lambda x, y: ops.Cast(x, "float16"))).passes
    assert not record.matches and canonical(graph) == canonical(graph_of(TWO_SITES))
    assert {r.sentence() for r in record.refusals} == {
        "Add matched, but the target would be f16[2] where Add is f32[2]."
    }


def test_a_place_that_fits_later_is_no_refusal():
    """The outer Add fits only after the inner one has become the Neg it needs."""
    rules = [
        rule(lambda x: ops.Mul(x, -1), lambda x: ops.Neg(x), name="times -1"),
        rule(source, target, name="add_neg"),
    ]
    graph = graph_of(
        "graph f@1(%1 x: f32[2]) {\n  %2 = Mul(%1, -1: int) : f32[2]\n"
        "  %3 = Add(%1, %2) : f32[2]\n  return %3\n}"
    )
    (record,) = run(graph, of_rules(rules, "both")).passes
    assert ops_of(graph) == ["Sub"] and len(record.matches) == 2 and record.refusals == []


def test_the_last_user_is_looked_at_again():
    """Neg is shared at first; the rewriting of its other user leaves it to the Add."""

    def when(x, y, match):
        return not match.shared

    rules = [
        rule(source, target, when, name="add_neg"),
        rule(lambda x: ops.Exp(ops.Neg(x)), lambda x: ops.Reciprocal(ops.Exp(x)), name="exp_neg"),
    ]
    graph = graph_of(
        """
        graph f@1(%1 x: f32[2]) {
          %2 = Neg(%1) : f32[2]
          %3 = Exp(%2) : f32[2]
          %4 = Add(%3, %2) : f32[2]
          return %4
        }
        """
    )
    run(graph, of_rules(rules, "both"))
    assert ops_of(graph) == ["Exp", "Reciprocal", "Sub"]


# passes that never end, and other mistakes --------------------------------------------------------

SWAP = rule(lambda x, y: ops.Add(x, y), lambda x, y: ops.Add(y, x), name="swap")
TO_SUB = rule(source, target, name="to_sub")
TO_ADD = rule(lambda x, y: ops.Sub(x, y), lambda x, y: ops.Add(x, ops.Neg(y)), name="to_add")
GROW = rule(lambda x: ops.Neg(x), lambda x: ops.Neg(ops.Neg(ops.Neg(x))), name="grow")


@pytest.mark.parametrize(
    ("name", "rules"), [("swap", [SWAP]), ("back_and_forth", [TO_SUB, TO_ADD]), ("grow", [GROW])]
)
def test_endless_passes(name, rules, golden):
    graph = graph_of(TWO_SITES)
    with pytest.raises(errors.NotRunnable) as caught:
        run(graph, of_rules(rules, name))
    golden(f"endless_{name}.txt", f"{caught.value}\n")


def keyword_only(x, *, y):
    return ops.Neg(x)


def no_call(x):
    return x


def asks_for_the_shape(x):
    return ops.Reshape(x, (x.shape[0],))


def returns_none(x):
    ops.Neg(x)


def replaces_by_its_own_user(graph, editor):
    editor.replace(graph.outputs[0], editor.add(ops.Neg, graph.outputs))


def changes_the_type(graph, editor):
    editor.replace(
        graph.outputs[0], editor.add(ops.Cast, graph.parameters[:1], {"dtype": "float16"})
    )


MISTAKES = {
    "keywords": lambda: rule(keyword_only, no_call),
    "no call": lambda: rule(no_call, no_call),
    "none": lambda: rule(returns_none, no_call),
    "shape": lambda: rule(asks_for_the_shape, no_call),
    "unknown in target": lambda: rule(lambda x: ops.Neg(x), lambda x, z: ops.Exp(z), name="p"),
    "unknown in when": lambda: rule(lambda x: ops.Neg(x), no_call, lambda yy: True, name="p"),
    "unbound": lambda: rule(lambda x, z: ops.Neg(x), lambda x, z: ops.Exp(z), name="p"),
    "when": lambda: run(graph_of(TWO_SITES), (source, target, lambda x: None)),
    "not a pass": lambda: passes.find(3),
    "unknown pass": lambda: passes.find("add_neg_to_sup"),
    "not a list": lambda: pipeline.run(graph_of(TWO_SITES), "add_neg_to_sub"),
    "a function of one": lambda: passes.find(no_call),
    "raises": lambda: run(graph_of(TWO_SITES), lambda graph, editor: 1 / 0),
    "cycle": lambda: run(graph_of(TWO_SITES), replaces_by_its_own_user),
    "type": lambda: run(graph_of(TWO_SITES), changes_the_type),
}


def test_mistakes(golden):
    told = []
    for title, mistake in MISTAKES.items():
        with pytest.raises(errors.MsExtError) as caught:
            pytest.fail(f"{title}: no error, but {mistake()}")
        told.append(f"[{title}] {type(caught.value).__name__}\n{caught.value}\n")
    text = re.sub(r"%\d+", "%N", "\n".join(told))
    golden("pattern_mistakes.txt", text)
