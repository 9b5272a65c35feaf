"""``ops.Custom(..., func_type="pyfunc")``: how does a Python function become an op?

The function gets NumPy arrays (copies) and plain numbers, and returns arrays. What it returns is
checked against ``out_shape`` and ``out_dtype``, because all that follows relies on their promise.

>>> import numpy as np
>>> from ms_ext import grad, ops, Tensor
>>> square = ops.Custom(np.square, lambda x: x, lambda t: t, bprop=lambda x, _, d: 2 * x * d)
>>> square(Tensor([1.0, 3.0]))
Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  9.00000000e+00])
>>> grad(square)(Tensor([1.0, 3.0]))
Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  6.00000000e+00])
"""

import numpy as np

from .. import declaration, errors, stages
from ..primitive import Primitive
from ..tensor import core
from .declared import Declared
from .gradient import CheckedBprop, missing, parameters, place

KNOWN = ("hybrid", "akg", "tbe", "aicpu", "aot", "pyfunc")
AVAILABLE = ("pyfunc",)


class Custom(Primitive):
    """An op from your own function: called with tensors, in both modes, with gradients.

    >>> import numpy as np
    >>> from ms_ext import dtype, Tensor
    >>> double = Custom(lambda a: a + a, out_shape=(2,), out_dtype=dtype.float32)
    >>> double(Tensor([1.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  4.00000000e+00])
    """

    def __init__(
        self, func, out_shape=None, out_dtype=None, func_type="pyfunc", bprop=None, reg_info=None
    ):
        _check_kind(func, func_type)
        _check_function(func, bprop, reg_info)
        name = f"Custom.{getattr(func, '__name__', type(func).__name__)}"
        self.func, self.bprop = func, bprop
        self.declared = Declared(name, out_shape, out_dtype)
        self.takes = parameters(func)
        super().__init__(_op(name, self), {})
        self.name = "Custom"
        self.__name__ = name.removeprefix("Custom.")
        stages.stage_always(self.op, self.declared.count(), self._fill)

    def takes_as(self):
        """The function whose arguments a call takes."""
        return self.func

    def __call__(self, *inputs):
        self.declared.check()
        for value in inputs:
            _check_input(value)
        fewest, most = self.takes
        if not fewest <= len(inputs) <= (len(inputs) if most is None else most):
            raise errors.NotRunnable(
                f"For '{self.op.name}', the function cannot be called with {len(inputs)} input(s).",
                given=f"it takes {fewest if fewest == most else f'{fewest} to {most}'}",
                hint="Call the op with as many inputs as its function takes.",
                where=place(self.func),
            )
        return stages.call(self.op, inputs)

    def _fill(self, inputs, types, several, storage):
        """What LaunchTask does: call the function on arrays of its own, write into that memory."""
        for memory, result in zip(storage, _results(self, inputs, types, several), strict=True):
            np.copyto(memory, result)

    def __repr__(self):
        return f"Custom({self.op.name.removeprefix('Custom.')}, func_type=pyfunc)"


def _check_kind(func, func_type):
    if func_type not in KNOWN:
        raise errors.InvalidValue(
            f"For 'Custom', 'func_type': {func_type}, 'func': {func}, 'func_type' must be one of "
            f"{list(KNOWN)}, but got {func_type}",
            hint=errors.did_you_mean(func_type, AVAILABLE),
        )
    if func_type not in AVAILABLE:
        raise errors.NotRunnable(
            f"For 'Custom', the func_type {func_type!r} is not available here.",
            given=f"func {func!r:.60}",
            hint="Available: 'pyfunc', a Python function on NumPy arrays.",
        )


def _check_function(func, bprop, reg_info):
    if not callable(func):
        raise errors.InvalidType(
            f"For 'Custom', 'func' must be of type function or str, but got {type(func)}"
            if not isinstance(func, str)
            else "For 'Custom' with func_type 'pyfunc', 'func' must be a function, not its name.",
            given=f"{func!r:.60}",
            hint="Pass a function of NumPy arrays: `def func(x, y): return x * y`.",
        )
    if bprop is not None and not callable(bprop):
        raise errors.InvalidType(
            f"For 'Custom', 'bprop': {type(bprop).__name__!r} object is not callable.",
            given=f"{bprop!r:.60}",
            hint="Pass `def bprop(x, y, out, dout): return dx, dy`.",
        )
    if reg_info is not None and not isinstance(reg_info, dict | str):
        raise errors.InvalidType(
            "For 'Custom', 'reg_info' must be a dict or a JSON text.", given=f"{reg_info!r:.60}"
        )


def _check_input(value):
    if isinstance(value, tuple | list):
        raise errors.NotRunnable(
            "Custom operator with func_type=py_func, Tuple/List inputs are not supported.",
            given=f"{value!r:.60}",
            hint="Pass the tensors one by one: op(x, y).",
        )
    if value is None or isinstance(value, str | bytes | dict):
        raise errors.NotRunnable(
            f"For 'Custom', an input of type {type(value).__name__} is not supported.",
            given=f"{value!r:.60}",
            hint="Pass tensors and numbers; other values can be closed over by the function.",
        )


def _op(name, custom):
    """The Op that the engine works with: tape, graphs, backends and stages know only this."""
    fewest, most = custom.takes
    arity = most if fewest == most else None
    bprop = CheckedBprop(name, custom.bprop, arity is not None) if custom.bprop else missing(name)
    count = custom.declared.count()
    body = {
        "compute": lambda *arrays: _compute(custom, arrays),
        "infer": custom.declared.infer,
        "outputs": 1 if count in (None, stages.ASK) else count,
        "nondeterministic": True,  # nobody knows what the function does: never merged, never folded
        "__module__": getattr(custom.func, "__module__", None) or "__main__",
        "__doc__": getattr(custom.func, "__doc__", None) or f"The learner's function {name}.",
    }
    fields = declaration.read(body, name, (), "as given", (), None)
    names = tuple(f"x{i}" for i in range(arity or 0))
    fields |= {"bprop": bprop, "arity": arity, "operand_names": names, "bprop_attributes": ()}
    fields["keep"] = frozenset(range(2 if arity is None else arity + 1))
    fields["operands"] = "as given" if arity is None else ("as given",) * arity
    return core.register(fields)


def _compute(custom, arrays):
    """NumPy in, NumPy out: copies in both directions, so that nobody shares memory."""
    types = custom.declared.promised(*arrays)
    several = isinstance(types, tuple)
    copies = [np.array(a, order="C") for a in arrays]
    results = _results(custom, copies, types if several else (types,), several)
    results = tuple([np.array(r, order="C") for r in results])
    return results if several else results[0]


def _results(custom, inputs, types, several):
    """What the function returned for arrays and numbers, if it is what was promised."""
    name, func = custom.op.name, custom.func
    result = func(*map(_handed_over, inputs))
    if not several:
        if isinstance(result, tuple):
            raise _wrong_number(name, f"The output num is: {len(result)}, with 1 expect.", func)
        return [_fitted(name, func, result, types[0], "")]
    if len(types) == 1 and not isinstance(result, tuple | list):
        result = (result,)
    found = len(result) if isinstance(result, tuple) else 1
    if found != len(types):
        raise _wrong_number(name, f"The output num is {found}, with {len(types)} expect.", func)
    pairs = enumerate(zip(result, types, strict=True))
    return [_fitted(name, func, r, t, f" {i}") for i, (r, t) in pairs]


def _handed_over(value):
    """What the function gets: an array, or a Python number for a 0-d one."""
    if getattr(value, "shape", None) != ():
        return value
    return value.item() if value.dtype.kind in "biuf" else float(value)


def _fitted(name, func, result, promised, which):
    """The result as an array of the promised dtype and shape."""
    if result is None:
        raise _wrong_number(name, f"The function returned nothing for result{which}.", func)
    if isinstance(result, bool | int | float) and not isinstance(result, np.generic):
        array = np.asarray(result, promised.dtype.numpy)
    else:
        array = np.asarray(result.asnumpy() if hasattr(result, "asnumpy") else result)
    if array.dtype != promised.dtype.numpy:
        raise _mismatch(name, func, which, "dtype", array, promised)
    if tuple(n for n in array.shape if n != 1) != tuple(n for n in promised.shape if n != 1):
        raise _mismatch(name, func, which, "shape", array, promised)
    return array.reshape(promised.shape)


def _wrong_number(name, fact, func):
    return errors.NotRunnable(
        fact,
        given=f"the function of '{name}'",
        hint="Return one array, or a tuple with one array per result that out_shape promises.",
        where=place(func),
    )


def _mismatch(name, func, which, what, array, promised):
    return errors.NotRunnable(
        f"For '{name}', result{which} has another {what} than out_{what} promises.",
        given=f"returned {array.dtype}{list(array.shape)}, promised {promised}",
        hint=f"Return {promised.dtype.public}, `.astype(...)`, or correct out_dtype."
        if what == "dtype"
        else "Return that shape, or correct out_shape.",
        where=place(func),
    )
