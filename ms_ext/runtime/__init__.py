"""``ms.runtime``: how ops are run, in MindSpore's words, and what this package adds to see it.

As in MindSpore: ``launch_blocking``, ``synchronize``, streams and events. Added: ``dispatch``,
``dispatch_policy``, ``explain_dispatch``; ``simulate_stages``, a model of the four stages with
``StageCall``, ``StageSync`` and ``StageWork``; ``tape_held`` and ``watch_tape`` for the memory of
gradients. MindSpore's memory numbers are left out: most tensors get their memory from NumPy and
malloc, which nobody here counts.

>>> from ms_ext import grad, ops, Tensor
>>> with watch_tape() as gradients:
...     dx = grad(lambda x: ops.exp(x) * x)(Tensor([1.0, 2.0]))
>>> gradients[0].entries, gradients[0].by_op["Exp"]
(2, (1, 8))
"""

from ..engine import binding, errors, primitive, stages
from ..engine.stages import policy as _policy
from ..engine.stages.simulated import StageCall, StageSync, StageWork, simulate_stages
from ..engine.streams import (
    Event,
    Stream,
    StreamCtx,
    current_stream,
    default_stream,
    set_cur_stream,
)
from ..engine.tape_memory import TapeMemory, tape_held, watch_tape

__all__ = [
    "Event",
    "StageCall",
    "StageSync",
    "StageWork",
    "Stream",
    "StreamCtx",
    "TapeMemory",
    "current_stream",
    "default_stream",
    "dispatch",
    "dispatch_policy",
    "explain_dispatch",
    "launch_blocking",
    "set_cur_stream",
    "simulate_stages",
    "synchronize",
    "tape_held",
    "watch_tape",
]


def launch_blocking():
    """From now on every op runs all its stages on the caller's thread, and fails at the call.

    >>> launch_blocking()
    >>> dispatch_policy()
    'blocking'
    >>> _ = dispatch("auto")
    """
    stages.use("blocking")


def synchronize():
    """Wait until every op called so far is finished; raises the first error nobody has seen."""
    stages.synchronize()


class dispatch:
    """Say which ops go through the stages: "auto", "stages" or "blocking"; for good or a block.

    It is about ops that this thread calls; of other threads only custom ops go through the stages.

    >>> with dispatch("stages"):
    ...     dispatch_policy()
    'stages'
    >>> dispatch_policy()
    'auto'
    """

    def __init__(self, policy="auto"):
        self.policy, self._before = policy, stages.use(policy)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        stages.use(self._before)

    def __repr__(self):
        return f"dispatch({self.policy!r}), before: {self._before!r}"


def dispatch_policy():
    """The policy in force: "auto", "stages" or "blocking"."""
    return _policy.policy


def explain_dispatch(op, *args, **kwargs):
    """Where a call of ``op`` with these arguments would run now, and why. Nothing is run.

    >>> from ms_ext import ops, Tensor
    >>> explain_dispatch(ops.add, Tensor([1.0]), Tensor([2.0]))
    "'Add' runs here at once: 1 FLOPs are less work than handing it over (1000000000 FLOPs)."
    """
    if not isinstance(op, primitive.Op | primitive.Primitive):
        raise errors.InvalidType(
            "Only ops are dispatched.",
            given=f"{op!r:.60} of type {type(op).__name__}",
            hint="Pass an op such as ops.add or ops.Custom(...), then its arguments.",
        )
    if isinstance(op, primitive.Primitive):
        kwargs = op.attributes | kwargs
        op = op.op
    operands, attributes = binding.bind(op, args, kwargs)
    return stages.explain(op, operands, attributes)
