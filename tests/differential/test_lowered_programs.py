"""Random programs mean the same in closure form, whatever order its operands allow."""

import numpy as np
import pytest
from closure_interpreter import run
from differing import compiled_text
from program_writer import Writer, arguments

from ms_ext import Tensor
from ms_ext.engine import pipeline
from ms_ext.engine.backends.reference import evaluate
from ms_ext.engine.jit import parse
from ms_ext.engine.quiet import quietly

QUICK, LONG, AT_ONCE = 60, 1000, 20


def agrees(seed):
    """One program, as it is read and after the passes."""
    function = compiled_text(Writer(seed).text, f"<lowered {seed}>")
    values = arguments(seed)
    made = [Tensor(v) if isinstance(v, np.ndarray | np.generic) else v for v in values]
    arrays = [v.asnumpy() for v in made if isinstance(v, Tensor)]
    graph = parse(function, made).graph
    for _ in range(2):
        expected = quietly(evaluate, graph, arrays)
        same(graph, expected, *quietly(run, graph, arrays, seed), f"program {seed}")
        pipeline.run(graph)


def same(graph, expected, found, boxes, about):
    """What is returned and what is written are what the structured graph gives."""
    kept = [value for k, value in enumerate(expected) if k not in graph.writes]
    found = [*found] if isinstance(found, tuple) else [found]
    for one, other in zip(kept, found, strict=True):
        np.testing.assert_array_equal(one, other, about)
    for result, place in graph.writes.items():
        np.testing.assert_array_equal(expected[result], boxes[place], about)


@pytest.mark.parametrize("first", range(0, QUICK, AT_ONCE))
def test_lowered_programs_agree(first):
    for seed in range(first, first + AT_ONCE):
        agrees(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(QUICK, LONG, 5 * AT_ONCE))
def test_more_lowered_programs_agree(first):
    for seed in range(first, first + 5 * AT_ONCE):
        agrees(seed)
