"""``func_type="pyfunc"``: a Python function of NumPy arrays is the op.

The function gets NumPy arrays (copies) and plain numbers, and returns arrays. What it returns is
checked against ``out_shape`` and ``out_dtype``, because all that follows relies on their promise.
"""

import numpy as np

from ... import errors
from ..gradient import parameters, place
from ..hybrid import kernel
from ..way import Way
from . import WAYS


class PythonFunction(Way):
    """The op is a Python function."""

    func_type = "pyfunc"
    compiles = "never: Python runs the function at every call"
    when = "to try an idea, or for what NumPy already does well"

    def __init__(self, name, func, reg_info=None):
        super().__init__(name, func, reg_info)
        if not callable(func):
            raise errors.InvalidType(
                "For 'Custom' with func_type 'pyfunc', 'func' must be a function, not its name.",
                given=f"{func!r:.60}",
                hint="Pass a function of NumPy arrays: `def func(x, y): return x * y`.",
            )
        self.takes, self.place = parameters(func), place(func)
        kernel.tell_of_pyfunc(name, func)

    def fill(self, inputs, types, several, storage):
        """Call the function and write what it returned into the memory set aside."""
        for memory, result in zip(storage, self._results(inputs, types, several), strict=True):
            np.copyto(memory, result)

    def _results(self, inputs, types, several):
        """What the function returned for arrays and numbers, if it is what was promised."""
        result = self.func(*map(_handed_over, inputs))
        if not several:
            if isinstance(result, tuple):
                raise self._wrong_number(f"The output num is: {len(result)}, with 1 expect.")
            return [self._fitted(result, types[0], "")]
        if len(types) == 1 and not isinstance(result, tuple | list):
            result = (result,)
        found = len(result) if isinstance(result, tuple) else 1
        if found != len(types):
            raise self._wrong_number(f"The output num is {found}, with {len(types)} expect.")
        pairs = enumerate(zip(result, types, strict=True))
        return [self._fitted(r, t, f" {i}") for i, (r, t) in pairs]

    def _fitted(self, result, promised, which):
        """The result as an array of the promised dtype and shape."""
        if result is None:
            raise self._wrong_number(f"The function returned nothing for result{which}.")
        if isinstance(result, bool | int | float) and not isinstance(result, np.generic):
            array = np.asarray(result, promised.dtype.numpy)
        else:
            array = np.asarray(result.asnumpy() if hasattr(result, "asnumpy") else result)
        if array.dtype != promised.dtype.numpy:
            raise self._mismatch(which, "dtype", array, promised)
        if tuple(n for n in array.shape if n != 1) != tuple(n for n in promised.shape if n != 1):
            raise self._mismatch(which, "shape", array, promised)
        return array.reshape(promised.shape)

    def _wrong_number(self, fact):
        return errors.NotRunnable(
            fact,
            given=f"the function of '{self.name}'",
            hint="Return one array, or a tuple with one array per result that out_shape promises.",
            where=self.place,
        )

    def _mismatch(self, which, what, array, promised):
        return errors.NotRunnable(
            f"For '{self.name}', result{which} has another {what} than out_{what} promises.",
            given=f"returned {array.dtype}{list(array.shape)}, promised {promised}",
            hint=f"Return {promised.dtype.public}, `.astype(...)`, or correct out_dtype."
            if what == "dtype"
            else "Return that shape, or correct out_shape.",
            where=self.place,
        )


def _handed_over(value):
    """What the function gets: an array, or a Python number for a 0-d one."""
    if getattr(value, "shape", None) != ():
        return value
    return value.item() if value.dtype.kind in "biuf" else float(value)


WAYS.add("pyfunc", PythonFunction)
