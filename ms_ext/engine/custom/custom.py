"""``ops.Custom``: how does something of the learner's own become an op?

A Python function, a C function in a library, a formula, a saved graph: each is a *way* in, a file
of ``ways/``. Here every way becomes a Primitive and nothing else, so tape, graphs, backends, stages
and passes need not know which it was.

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
from ..infer import abstract_of
from ..primitive import Primitive
from ..tensor import core
from .declared import Declared, key
from .gradient import CheckedBprop, missing
from .ways import WAYS

#: What MindSpore's own list says, in its order, then what only the articles know.
THERE = ("hybrid", "akg", "tbe", "aicpu", "aot", "pyfunc")


class Custom(Primitive):
    """An op from your own function: called with tensors, in both modes, with gradients.

    >>> import numpy as np
    >>> from ms_ext import dtype, Tensor
    >>> double = Custom(lambda a: a + a, out_shape=(2,), out_dtype=dtype.float32)
    >>> double(Tensor([1.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  4.00000000e+00])
    """

    def __init__(
        self,
        func,
        out_shape=None,
        out_dtype=None,
        func_type="pyfunc",
        bprop=None,
        reg_info=None,
        reg_format=None,
    ):
        _check(func, func_type, bprop, reg_info)
        name = f"Custom.{_named(func)}"
        self.func, self.bprop, self.reg_format = func, bprop, reg_format
        self.way = WAYS.get(func_type)(name, func, reg_info)
        self.declared = Declared(name, func_type, out_shape, out_dtype)
        self._types = {}
        super().__init__(_op(name, self), {})
        self.name = "Custom"
        self.__name__ = name.removeprefix("Custom.")
        stages.stage_always(self.op, self._count(), self.way.fill)

    def takes_as(self):
        """The function whose arguments a call takes."""
        return self.func

    def __call__(self, *inputs):
        result = self.way.hurry(inputs)
        if result is not NotImplemented:
            return result
        if not self._is_inferred():
            self.declared.check()
        inputs = self.way.settle(inputs)
        fewest, most = self.way.takes
        if not fewest <= len(inputs) <= (len(inputs) if most is None else most):
            raise errors.NotRunnable(
                f"For '{self.op.name}', the function cannot be called with {len(inputs)} input(s).",
                given=f"it takes {fewest if fewest == most else f'{fewest} to {most}'}",
                hint="Call the op with as many inputs as its function takes.",
                where=self.way.place,
            )
        return stages.call(self.op, inputs)

    def infer(self, *inputs):
        """The results' types for inputs of these types: one AbstractTensor, or a tuple of them."""
        rule = self.way.infer if self._is_inferred() else self.declared.infer
        made = self._types[key(inputs)] = rule(*inputs)
        return made

    def compute(self, *arrays):
        """NumPy in, NumPy out: copies in both directions, so that nobody shares memory."""
        types = self._types.get(key(arrays)) or self.infer(*map(abstract_of, arrays))
        several = isinstance(types, tuple)
        wanted = types if several else (types,)
        storage = tuple([np.empty(t.shape, t.dtype.numpy) for t in wanted])
        self.way.fill([np.array(a, order="C") for a in arrays], wanted, several, storage)
        return storage if several else storage[0]

    def _is_inferred(self):
        """Whether the way itself says what comes out."""
        return self.way.infers and self.declared.says_nothing()

    def _count(self):
        return stages.ASK if self._is_inferred() else self.declared.count()

    def __repr__(self):
        return f"Custom({self.__name__}, func_type={self.way.func_type})"


def _named(func):
    """A short name for the op: the function's, or the symbol or file that a text names."""
    if isinstance(func, str):
        last = func.rpartition(":")[2] if "\n" not in func else "source"
        return last.rpartition("/")[2].partition(".")[0] or "source"
    return getattr(func, "__name__", type(func).__name__)


def _check(func, func_type, bprop, reg_info):
    if func_type not in WAYS:
        raise errors.InvalidValue(
            f"For 'Custom', 'func_type': {func_type}, 'func': {func}, 'func_type' must be one of "
            f"{list(THERE)}, but got {func_type}",
            hint=errors.did_you_mean(str(func_type), WAYS.names()),
        )
    if not callable(func) and not isinstance(func, str):
        raise errors.InvalidType(
            f"For 'Custom', 'func' must be of type function or str, but got {type(func)}",
            given=f"{func!r:.60}",
            hint="Pass a function, or a text such as \"./my_ops.so:my_mul\" for func_type='aot'.",
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


def _op(name, custom):
    """The Op that the engine works with: tape, graphs, backends and stages know only this."""
    fewest, most = custom.way.takes
    arity = most if fewest == most else None
    bprop = CheckedBprop(name, custom.bprop, arity is not None) if custom.bprop else missing(name)
    count = custom._count()
    body = {
        "compute": lambda *arrays: custom.compute(*arrays),
        "infer": custom.infer,
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
