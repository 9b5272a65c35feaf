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

from .. import errors, primitive, stages
from ..frontend import asking, calls
from ..primitive import Primitive
from . import as_op, constants, debugging, describing, given, in_place
from .body import Body, Remembered
from .declared import Declared
from .traits import Traits
from .ways import WAYS


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
        given.check(func, func_type, out_shape, bprop, reg_info, reg_format)
        name = f"Custom.{given.named(func)}"
        self.func, self.bprop, self.reg_format = func, bprop, reg_format
        make = WAYS.get(func_type)
        declared = Declared(name, func_type, out_shape, out_dtype)
        settings = self.prim_attributes = {}
        self._recipe = lambda: (make(name, func, reg_info).attributed(settings), declared)
        self.body = Body(*self._recipe(), Traits())
        self._plain, self._is_in_graphs = True, False
        self._enter()
        super().__init__(self.op, {})
        self.name = "Custom"
        self.__name__ = name.removeprefix("Custom.")

    def takes_as(self):
        """The function whose arguments a call takes."""
        return self.func

    # what else can be said of it ------------------------------------------------------------------

    def add_prim_attr(self, name, value):
        """Give it an attribute that its kernel, or its loader, reads; returns the op."""
        self.prim_attributes[name] = value
        self.way.attributed(self.prim_attributes)
        return self

    def pure(self):
        """Say that it does nothing but answer: equal calls are one call, known ones a constant.

        >>> Custom(lambda a: a, lambda x: x, lambda t: t).pure().traits.pure
        True
        """
        return self.declared_as(self.traits._replace(pure=True))

    def costs(self, flops=None, bytes=None):
        """Say what a call costs: numbers, or functions of the inputs' types.

        >>> op = Custom(lambda a: a, lambda x: x, lambda t: t).costs(flops=lambda x: 2 * x.size)
        >>> print(op.describe().splitlines()[-1])  # doctest: +ELLIPSIS
        cost      flops by <lambda> (...)
        """
        return self.declared_as(self.traits.costing(flops, bytes))

    def in_place(self, input=0, result=0):
        """Say that ``result`` is written into the memory of ``input``, which is it from then on.

        >>> from ms_ext import Tensor
        >>> x, op = Tensor([1.0, 2.0]), Custom(lambda a: a + a, lambda x: x, lambda t: t)
        >>> op.in_place(0)(x) is x, x.tolist()
        (True, [2.0, 4.0])
        """
        return self.declared_as(self.traits.writing(input, result))

    def debug(self, on=True, printer=print):
        """Have every call told: ``printer(text)`` gets its inputs, results and place."""
        return self.declared_as(self.traits._replace(printer=printer if on else None))

    def guarded(self, on=True, seconds=10.0):
        """Have every call happen in a child process, between pages that nobody may touch: a kernel
        that writes out of bounds, crashes or never ends is then an error. Returns the op."""
        if not hasattr(self.way, "guarded"):
            raise errors.NotRunnable(
                "Only kernels in C or C++ run guarded.",
                given=f"{self!r}",
                hint="func_type 'aot' or 'jit'; what Python runs cannot write out of bounds.",
            )
        recipe, seconds = self._recipe, seconds if on else None
        self._recipe = lambda: _guarded(recipe(), seconds)
        self.way.guarded(seconds)
        return self.declared_as(self.traits)

    def source(self):
        """The text that its way made of the function: C, for a hybrid one."""
        if not hasattr(self.way, "text"):
            raise errors.NotRunnable(
                "This op has no text: its way writes none.",
                given=f"{self!r}",
                hint="op.describe() says what there is; func_type 'hybrid' writes C.",
            )
        return self.way.text()

    def describe(self):
        """What it is, in lines: its way, when it is compiled, its gradient, what was declared."""
        return describing.described(self)

    @property
    def way(self):
        """Its way in."""
        return self.body.way

    @property
    def declared(self):
        """What out_shape and out_dtype say."""
        return self.body.declared

    @property
    def traits(self):
        """What was declared beside them."""
        return self.body.traits

    @property
    def meaning(self):
        """The ops that it is made of, as a Meaning; None for one that nobody can look into."""
        return self.body.meaning

    # calling it -----------------------------------------------------------------------------------

    def __call__(self, *inputs):
        if self._plain:
            result = self.body.way.hurry(inputs)
            return self._call(*inputs) if result is NotImplemented else result
        printer, aliases = self.traits.printer, self.traits.aliases
        told = debugging.Call(repr(self), inputs, debugging.here()) if printer else None
        result = in_place.called(self._call, self._types, aliases, inputs)
        if printer:
            printer(told.text(result))
        return result

    def _call(self, *inputs):
        op, inputs = constants.variant(self, inputs)
        if op is not self:
            return op(*inputs)
        inputs = self._accepted(inputs)
        if self.meaning is not None and self.bprop is None:
            return self.meaning.compiled(*inputs)
        return stages.keep_alive(stages.call(self.op, inputs), self.body)

    def _types(self, *types):
        """The results' types; a variant for inputs that are no operands looks at its own."""
        return None if any(map(self.way.binds, types)) else self.body.types(*types)

    def in_graph(self, frame, args, kwargs):
        """A call in a function that is being read: a node, or the nodes of what it is made of."""
        printer, aliases = self.traits.printer, self.traits.aliases
        self._is_in_graphs = True
        if self.meaning is None:
            op, operands = constants.variant(self, args)
            result = calls.call_bound(frame, op, operands, kwargs)
        else:
            args = list(self._accepted(tuple(args)))
            result = self.meaning.in_graph(frame, args, self.bprop and self.op.bprop)
        if printer:
            told = debugging.Telling(printer, repr(self), frame.here())
            asking.tell(frame, told, [tuple(args), result])
        return in_place.in_graph(frame, result, aliases, args) if aliases else result

    def _accepted(self, inputs):
        """The operands of a call, if there are as many as the op takes."""
        if not self.body.is_inferred:
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
        return inputs

    def infer(self, *inputs):
        """The results' types for inputs of these types: one AbstractTensor, or a tuple of them."""
        return self.body.infer(*inputs)

    def compute(self, *arrays):
        """NumPy in, NumPy out."""
        return self.body.compute(*arrays)

    # being an op ----------------------------------------------------------------------------------

    def declared_as(self, traits):
        """The op with other traits: another Op stands for it, and compiled graphs notice."""
        self.body.traits = traits
        self._plain = not (traits.printer or traits.aliases)
        self._enter()
        if self._is_in_graphs or self.body.was_asked():
            primitive.declared_again()
        self.body.forget()
        return self

    def _enter(self):
        recipe, traits = self._recipe, self.traits
        remembered = Remembered(self.body, lambda: Body(*recipe(), traits))
        self.op = as_op.made(self, remembered)
        stages.stage_always(self.op, self.body.count(), remembered.fill)

    def __repr__(self):
        return f"Custom({self.__name__}, func_type={self.way.func_type})"


def _guarded(made, seconds):
    made[0].guarded(seconds)
    return made
