"""Settings of a session that have a function of their own, and the question whether all is well.

>>> set_recursion_limit(1000)
"""

from . import context, resolve
from .engine import errors

__all__ = ["get_seed", "run_check", "set_deterministic", "set_recursion_limit"]


def get_seed():
    """The seed that was given to ``set_seed``, or None.

    >>> from ms_ext.ops.randomness import set_seed
    >>> set_seed(7)
    >>> get_seed()
    7
    """
    from .ops.randomness import seed_that_was_set

    return seed_that_was_set()[0]


def set_recursion_limit(recursion_limit=1000):
    """How many calls inside each other a graph is read through.

    >>> set_recursion_limit(1000)
    """
    if not isinstance(recursion_limit, int) or isinstance(recursion_limit, bool):
        kind = type(recursion_limit).__name__
        raise errors.InvalidType(f"The input value must be int, but got '{kind}'")
    if recursion_limit <= 0:
        raise errors.InvalidValue(
            f"The input value must be int and must > 0, but got '{recursion_limit}' with type "
            "'int'."
        )
    context.set_context(max_call_depth=recursion_limit)


def set_deterministic(deterministic):
    """Whether every run gives the same: here it always does.

    >>> set_deterministic(True)
    """
    if not isinstance(deterministic, bool):
        raise errors.InvalidType(
            f"The parameter 'deterministic' must be {bool}, but got {type(deterministic)}"
        )
    context.set_context(deterministic="ON" if deterministic else "OFF")


def run_check():
    """Multiply two matrices, and say whether the answer is right.

    >>> run_check()
    MindSpore version:  2.10.0
    The result of multiplication calculation is correct, ms_ext works on this machine's CPU!
    """
    import numpy as np

    from .common import Tensor

    print("MindSpore version: ", resolve.VERSION)
    ones = Tensor(np.ones((3, 4), np.float32))
    if (ones.matmul(ones.T).asnumpy() != 4).any():
        raise errors.NotRunnable("The result of the multiplication is wrong.", hint="ms-ext doctor")
    print(
        "The result of multiplication calculation is correct, ms_ext works on this machine's CPU!"
    )
