"""Every way into ``ops.Custom``, and everything that must hold for it: a table of all pairs.

The lines of the table are functions of ``custom_lines``. A few pairs of each way run always, all of
them with ``--long``.
"""

import itertools

import pytest
from custom_kernels import library
from custom_lines import LINES
from custom_rows import MODES
from custom_ways import COMPOSED, WAYS, product, tensor

from ms_ext import jit

FIXTURES = (library,)
#: What runs always: line -> the ways and modes of it.
QUICK = {
    "dtype bfloat16": ["eager"], "dtype float16": ["jit"], "shape none": ["eager"],
    "shape scalar": ["jit"], "view transposed": ["eager"], "gradients": ["cell"],
}  # fmt: skip


def pairs():
    """Every way, line and mode; the long ones are marked."""
    for way, line, mode in itertools.product(WAYS, LINES, MODES):
        marks = () if mode in QUICK.get(line, ()) else (pytest.mark.long,)
        yield pytest.param(way, line, mode, id=f"{way}-{line}-{mode}", marks=marks)


@pytest.mark.parametrize(("way", "line", "mode"), list(pairs()))
def test_it_holds(way, line, mode, library):
    LINES[line](way, library, MODES[mode])


@pytest.mark.parametrize("way", WAYS)
def test_an_op_is_one_line_of_a_graph_or_the_ops_it_is_made_of(way, library):
    x, y = tensor((2, 3)), tensor((2, 3), seed=1)
    op = product(way, library, x, y, None)
    names = [n.primitive.name for n in jit(lambda x, y: op(x, y)).graph(x, y).order()]
    assert len(names) == 1 and (way in COMPOSED) == (names == ["Mul"])


@pytest.mark.parametrize("way", WAYS)
def test_an_op_says_what_it_is(way, library):
    x = tensor((2, 3))
    told = product(way, library, x, x).describe()
    assert f"func_type {way!r}" in told and "compiled" in told and "use it" in told
