"""Every op on every sample gives the same through the stages, blocking, and at once."""

import numpy as np
import pytest
from op_samples import cases, described, run
from stage_calls import fresh

from ms_ext import Tensor, ops  # noqa: F401  (importing ops declares them)
from ms_ext.engine import errors, primitive, stages

pytestmark = pytest.mark.usefixtures(fresh.__name__)
OPS = sorted(name for name, op in primitive.OPS.items() if op.samples and not op.nondeterministic)


def tensors(operands):
    return tuple([Tensor(x) if isinstance(x, np.ndarray) else x for x in operands])


def outcome(op, operands, attributes):
    """What a call gives: dtype, shape and bytes of every result, or the error and its fact."""
    try:
        found = run(op, tensors(operands), attributes)
        parts = found if isinstance(found, tuple) else (found,)
        arrays = [part.asnumpy() for part in parts]
    except errors.MsExtError as error:
        return type(error), error.message
    return [(p.dtype, a.shape, a.tobytes()) for p, a in zip(parts, arrays, strict=True)]


@pytest.mark.parametrize("name", OPS)
def test_an_op_gives_the_same_in_every_policy(name):
    op = primitive.OPS[name]
    for operands, attributes in cases(op):
        stages.use("auto")
        expected = outcome(op, operands, attributes)
        for policy in ("stages", "blocking"):
            stages.use(policy)
            found = outcome(op, operands, attributes)
            assert found == expected, f"{policy}: {described(op, operands, attributes)}"
