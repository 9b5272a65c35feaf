"""What mathematics refuses, with the class of error that MindSpore 2.10 raises.

``record_mathematics.py refused`` wrote the classes down.
"""

import builtins
import json

import pytest
from mathematics_refused import BAD_OPERANDS, REFUSED
from record_mathematics import GOLDEN

import ms_ext as ms
from ms_ext import Tensor
from ms_ext.engine.errors import MsExtError

RECORD = dict(json.loads((GOLDEN / "mathematics_refused.json").read_text()))

#: text -> (the class that we raise, why it is another than MindSpore's).
OTHERS = {
    "ops.polygamma(-1,v)": ("ValueError", "it takes tensors only for n, we take numbers too"),
    "ops.diff(s,axis=4)": ("ValueError", "so is an axis out of range everywhere else"),
}


def test_everything_was_recorded():
    assert list(RECORD) == REFUSED, "run tests/record_mathematics.py refused"


@pytest.mark.parametrize("text", REFUSED)
def test_refusal(text):
    given = {name: Tensor(x) for name, x in BAD_OPERANDS.items()}
    wanted = OTHERS.get(text, (RECORD[text], ""))[0]
    with pytest.raises(MsExtError) as caught:
        eval(text, {"ms": ms, "ops": ms.ops, "mint": ms.mint}, given)
    assert isinstance(caught.value, getattr(builtins, wanted))


@pytest.mark.parametrize("text", OTHERS)
def test_mindspore_still_differs(text):
    assert RECORD[text] != OTHERS[text][0]
