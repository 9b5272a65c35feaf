"""MindSpore's older way to take a gradient: options first, then the function.

>>> from ms_ext import Tensor
>>> GradOperation(get_all=True)(lambda x, y: x * y)(Tensor(2.0), Tensor(3.0))[0]
Tensor(shape=[], dtype=Float32, value= 3)
"""

from .. import errors
from .gradient import Gradient, with_weights_as_given
from .options import ALL, Wanted, check_callable, checked_weights


class GradOperation:
    """MindSpore's older way to write ``grad``: options first, then the function.

    ``get_all``: the gradients of all inputs, in a tuple; otherwise of the first. ``get_by_list``:
    of the weights given (default: the Cell's trainable ones). ``sens_param``: the last argument of
    the call, or ``sens=``, is what the result's gradient is multiplied by.

    TypeError: an option that is no bool.

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
                    f"but got {type(value).__name__}",
                    given=f"{name}={value!r:.60}",
                )
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def __call__(self, fn, weights=None):
        check_callable(fn)
        places = ALL if self.get_all else () if self.get_by_list else (0,)
        weights = self._weights(fn, weights) if self.get_by_list else None
        return Gradient(fn, Wanted(places, weights, sens=self.sens_param, together=self.get_all))

    def graph_call(self, frame, args, kwargs):
        """Inside compiled code: the Gradient that is called there."""
        weights = kwargs.get("weights", args[1] if len(args) > 1 else None)
        return with_weights_as_given(frame, self(*args, **kwargs), weights)

    def _weights(self, fn, given):
        if given is not None:
            return checked_weights(given)
        own = getattr(fn, "trainable_params", None)
        return tuple(own()) if own else ()
