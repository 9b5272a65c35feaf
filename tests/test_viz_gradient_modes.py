"""viz.gradient_modes: one bprop in both modes, as it is here and as MindSpore 2.10 does it."""

import re

import pytest

import ms_ext as ms
from ms_ext import Tensor, ops, viz
from ms_ext.engine import errors

X, MASK = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[1.0, 0.0], [0.0, 1.0]])
HERE, THERE = "here", 'strict="2.10"'


def same(x, *others):
    return x


def keep(x, mask):
    return x * mask


def seen(bprop):
    return viz.gradient_modes(ops.Custom(keep, same, same, bprop=bprop), X, MASK)


def right(x, mask, out, dout):
    return dout * mask, dout * x


def nothing(x, mask, out, dout):
    return dout * mask, None


def too_few(x, mask, out, dout):
    return dout * mask


def too_many(x, mask, out, dout):
    return dout * mask, dout * x, dout


def other_shape(x, mask, out, dout):
    return ops.sum(dout * mask), dout * x


def test_the_text_and_the_page_say_the_same(golden):
    views = [seen(bprop) for bprop in (right, nothing, too_few, too_many, other_shape)]
    golden("viz/gradient_modes.txt", "\n".join(view.text() for view in views))
    for view in views:
        page = re.sub(r"<style>.*?</style>|<[^>]+>", "", view.html(), flags=re.DOTALL)
        for each in view.tries.values():
            words = each.error.replace("'", "&#x27;").replace(">", "&gt;").replace('"', "&quot;")
            assert words in page
        assert not re.search(r'<[a-z]+[^>]* id="', view.html())


def test_a_right_bprop_agrees_in_all_four():
    shown = seen(right)
    assert shown.agrees(HERE) and shown.agrees(THERE)
    assert shown.title.endswith(f"here and with {THERE} they agree")


def test_none_is_zeros_but_for_one():
    shown = seen(nothing)
    assert shown.agrees(HERE) and not shown.agrees(THERE)
    answers = {key: dict(each.gradients)["mask"] for key, each in shown.tries.items()}
    assert answers.pop(("graph mode", THERE)) is None
    assert all(not found.any() for found in answers.values())


def test_what_breaks_the_contract_is_refused_here_in_both_modes():
    for bprop in (too_few, too_many, other_shape):
        tries = seen(bprop).tries
        assert all(tries[mode, HERE].error for mode in ("PyNative mode", "graph mode")), bprop
    assert not seen(too_many).tries["graph mode", THERE].error


def test_the_settings_are_as_before():
    ms.set_context(strict="2.10", mode=ms.GRAPH_MODE)
    try:
        seen(right)
        assert ms.get_context("strict") == "2.10" and ms.get_context("mode") == ms.GRAPH_MODE
    finally:
        ms.set_context(strict=None, mode=ms.PYNATIVE_MODE)


def test_what_the_bprop_prints_is_not_shown(capsys):
    def loud(x, mask, out, dout):
        print("here I am")
        return right(x, mask, out, dout)

    seen(loud)
    assert capsys.readouterr().out == ""


def test_errors_of_the_learner_are_told():
    def broken(x, mask, out, dout):
        raise KeyError("<b>no</b>")

    shown = seen(broken)
    assert all("KeyError" in each.error or "no" in each.error for each in shown.tries.values())
    assert "<b>no" not in shown.html()


def test_numbers_among_the_inputs_stay_numbers():
    op = ops.Custom(lambda x, by: x * by, same, same, bprop=lambda x, by, o, d: (d * by, 0.0))
    shown = viz.gradient_modes(op, X, 3.0)
    names = {name for name, _ in shown.tries["PyNative mode", HERE].gradients}
    assert names == {"x"}


def test_without_a_tensor_it_is_refused():
    with pytest.raises(errors.InvalidType, match="none is among the inputs"):
        viz.gradient_modes(ops.exp, 3.0)
