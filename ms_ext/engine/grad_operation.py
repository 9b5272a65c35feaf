"""MindSpore's older way to take a gradient: options first, then the function.

>>> from ms_ext import Tensor
>>> GradOperation(get_all=True)(lambda x, y: x * y)(Tensor(2.0), Tensor(3.0))[0]
Tensor(shape=[], dtype=Float32, value= 3)
"""

from . import errors
from .gradients import Gradient


class GradOperation:
    """MindSpore's older way to write ``grad``: options first, then the function.

    ``get_all``: the gradients of all inputs, in a tuple; otherwise of the first. ``get_by_list``:
    of the weights given (default: the Cell's trainable ones). ``sens_param``: the last argument of
    the call is what the result's gradient is multiplied by.

    >>> from ms_ext import Tensor
    >>> GradOperation(get_all=True)(lambda x, y: x * y)(Tensor(2.0), Tensor(3.0))
    (Tensor(shape=[], dtype=Float32, value= 3), Tensor(shape=[], dtype=Float32, value= 2))
    """

    def __init__(self, get_all=False, get_by_list=False, sens_param=False):
        for name, value in (
            ("get_all", get_all),
            ("get_by_list", get_by_list),
            ("sens_param", sens_param),
        ):
            if type(value) is not bool:
                raise errors.InvalidType(
                    f"For 'GradOperation', the '{name}' should be bool, "
                    f"but got {type(value).__name__}."
                )
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def __call__(self, fn, weights=None):
        if self.get_by_list and weights is None:
            weights = fn.trainable_params()
        return _OlderGradient(fn, self, weights if self.get_by_list else None)


class _OlderGradient:
    """What a GradOperation makes of a function; how many inputs there are is known at the call."""

    def __init__(self, fn, wanted, weights):
        self.fn, self.wanted, self.weights = fn, wanted, weights

    def takes_as(self):
        """The function whose arguments a call takes."""
        return self.fn

    def _of(self, count):
        """The Gradient for so many inputs."""
        if self.wanted.get_all:
            position = tuple(range(count))
        else:
            position = None if self.wanted.get_by_list else 0
        return Gradient(self.fn, position, self.weights, False, False, with_value=False)

    def _shaped(self, count, found):
        if not self.wanted.get_all or count != 1:
            return found
        return ((found[0],), found[1]) if self.weights is not None else (found,)

    def _check(self):
        if self.wanted.sens_param:
            raise errors.NotRunnable(
                "GradOperation(sens_param=True) is not built yet.",
                hint="Multiply the function's result by it: grad(lambda x: f(x) * sens).",
            )

    def __call__(self, *args, **kwargs):
        self._check()
        return self._shaped(len(args), self._of(len(args))(*args, **kwargs))

    def graph_call(self, frame, args, kwargs):
        """Inside compiled code: the gradient is written into the graph."""
        self._check()
        return self._shaped(len(args), self._of(len(args)).graph_call(frame, args, kwargs))
