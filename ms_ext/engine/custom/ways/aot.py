"""``func_type="aot"``: a function of a library in C or C++ is the op.

``extern "C" int F(int nparam, void** params, int* ndims, int64_t** shapes, const char** dtypes,
void* stream, void* extra)`` gets the inputs, then the results, then its workspaces, without copies
where nothing has to be cast or made contiguous. An eager call that nobody watches goes straight to
it; every other call comes to `fill`.
"""

import functools
import threading

import numpy as np

from .... import dtype as dtypes
from ... import errors, stages
from ...infer import abstract_of
from ...memory import POOL
from ...tensor import Tensor, core
from .. import calling, constants, loading
from ..registered import Registered, kinded
from ..way import Way
from . import WAYS


class LibraryFunction(Way):
    """The op is a function of a library."""

    func_type = "aot"
    infers = completes = True
    writes_inputs = False
    compiles = "a .so never; a .c, .cc or .cpp at the first call, once for its text and flags"
    when = "to run your own C or C++ at full speed, with attributes and memory of its own"

    def __init__(self, name, func, reg_info=None):
        super().__init__(name, func, reg_info)
        _check(func)
        self._place = stages.calling_place()
        self.registered = Registered(reg_info, func)
        self.attributes, self.variants = {}, constants.Variants()
        self.form = getattr(func, "form", None)  # of the inputs, if they are not just operands
        self.trace = loading.Trace(func)
        self._target, self._folders, self._lock = None, None, threading.Lock()
        self.guard = None  # seconds of a call in a child process
        self.shortcut = calling.new_shortcut(self.unlike_others)
        self.hurry = self.shortcut.hurry

    @property
    def place(self):
        """The learner's line that made the op."""
        return stages.line_of(self._place)

    def attributed(self, given):
        """Use these attributes beside the registered ones; calls are made ready again."""
        self.attributes, self._target = given, None
        self.variants = constants.Variants()
        self.shortcut.forget()
        return self

    def binds(self, value):
        """Texts and tuples are bound."""
        return constants.is_bound(value)

    def names_of(self, inputs):
        """Attributes that were registered without a value take the inputs after the others."""
        count = self.registered.inputs
        given = inputs[count:] if self.form is None else ()
        if any(isinstance(v, Tensor) or hasattr(v, "abstract") for v in given):
            return ()
        return self.registered.without_value[: len(given)]

    @property
    def target(self):
        """The kernel, opened when it is first needed."""
        if self._target is None:
            with self._lock:
                if self._target is None:
                    self._target = self._opened()
        return self._target

    def _opened(self):
        given = dict(self.attributes)
        from_environment = bool(given.pop("path_from_env", False))
        attributes = dict(self.registered.attributes)
        if "path_from_env" in attributes:
            from_environment = bool(attributes.pop("path_from_env")[1])
        attributes |= {name: kinded(value, name) for name, value in given.items()}
        self.trace = loading.Trace(self.func)
        kernel = loading.open_kernel(
            self.func, name=self.name, path_from_env=from_environment, where=self.place,
            trace=self.trace, folders=self._folders,
        )  # fmt: skip
        return calling.Target(kernel, attributes, self.place)

    # the results' types ---------------------------------------------------------------------------

    def infer(self, *types):
        """The results' types: what out_shape and out_dtype leave open, the library says."""
        kinds = self._arranged(list(map(_kind, types)))

        def infer_type(several):
            return [dtypes.named(name) for name in self.target.infer_type(kinds, several)]

        def infer_shape():
            return self.target.infer_shape(kinds)

        return self.declared.completed(types, infer_shape, infer_type).infer(*types)

    def workspace(self, types):
        """Bytes of scratch memory of one call."""
        results = self.results()(*types)
        results = results if isinstance(results, tuple) else (results,)
        operands = self._arranged(list(map(_kind, types)))
        return self.target.workspace(self._cast((*operands, *map(_kind, results)), len(operands)))

    def _arranged(self, kinds):
        """The kinds of all that the kernel gets beside results, constants among them."""
        return tuple(kinds if self.form is None else self.form.kinds(kinds))

    # calling it -----------------------------------------------------------------------------------

    def fill(self, inputs, types, several, storage):
        """Call the kernel with the inputs and the memory set aside for its results."""
        operands = [_as_operand(value) for value in inputs]
        kinds = self._arranged([(a.shape, _name(a.dtype)) for a in operands])
        given = (*kinds, *[(s.shape, _name(s.dtype)) for s in storage])
        if self.form is not None:
            operands = self.form.arranged(operands)
        kinds = self._cast(given, len(operands))
        arrays = [*operands, *storage]
        if kinds != given:
            pairs = zip(given, kinds, arrays, strict=True)
            arrays = [a if g == k else _as_dtype(a, k[1]) for g, k, a in pairs]
        call = self.target.call_for(kinds)
        self.target.run(call, kinds, arrays, len(operands), self.guard)
        for memory, result in zip(storage, arrays[len(operands) :], strict=True):
            if memory is not result:
                with np.errstate(all="ignore"):
                    np.copyto(memory, result, casting="unsafe")
        return call if kinds == given and self.guard is None else None

    def _cast(self, kinds, count):
        """The kinds that the kernel gets: those given, or another dtype where reg_info says so."""
        if not self.registered.rows:
            return tuple(kinds)
        row = self.registered.row(tuple([name for _, name in kinds[:count]]), self.place)
        names = [*row[0], *row[1]] + [""] * len(kinds)
        return tuple([(k[0], name or k[1]) for k, name in zip(kinds, names)])  # noqa: B905

    def settle(self, inputs):
        """The operands; the folders that they are called from are where a library is looked for."""
        if self._target is None:
            self._folders = loading.search.folders()
        return super().settle(inputs)

    def guarded(self, seconds):
        """Have calls happen in a child process that may take so long; None: here, as ever."""
        self.guard, self.variants = seconds, constants.Variants()
        self.shortcut.forget()

    def unlike_others(self, inputs):
        """An eager call of a new kind, or while something is in flight; see Shortcut."""
        if self.guard is not None or self.names_of(inputs):
            return NotImplemented
        if calling.resting():
            return self._first_of_its_kind(inputs)
        if core.may_hurry() and stages.come_to_rest() and calling.resting():
            return self.shortcut.hurry(inputs)
        return NotImplemented  # somebody records or watches: the ordinary way

    def _first_of_its_kind(self, inputs):
        if not all(isinstance(v, Tensor) or type(v) in (bool, int, float) for v in inputs):
            return NotImplemented
        types = self.results()(*map(abstract_of, inputs))
        several = isinstance(types, tuple)
        wanted = types if several else (types,)
        storage = tuple([POOL.empty(t.shape, t.dtype.numpy) for t in wanted])
        arrays = [v.asnumpy() if isinstance(v, Tensor) else v for v in inputs]
        call = self.fill(arrays, wanted, several, storage)
        plain = self.form is None or self.form.is_plain
        if call is not None and plain and all(isinstance(v, Tensor) for v in inputs):
            kinds = [(t.dtype.code, t.shape) for t in (*inputs, *wanted)]
            self.shortcut.learn(call, kinds, len(inputs), several)
        made = tuple(map(Tensor.from_numpy, storage))
        return made if several else made[0]

    def describe(self):
        """Where it comes from, what it gets, what calls it."""
        attributes = {**self.registered.attributes, **self.attributes}
        pairs = [("attributes", ", ".join(map(str, attributes)))] if attributes else []
        if self._target is not None:
            pairs.append(("library", f"{self._target.path}, symbol {self._target.symbol}"))
        missing = "ctypes: what a kernel throws ends the process, and AotExtra is missing"
        return [*pairs, ("called by", "kernels/border" if calling.BORDER else missing)]


def _check(func):
    if not isinstance(func, str):
        raise errors.InvalidType(
            f"For 'Custom', 'func_type': aot, 'func': {func}, 'func' must be of type str, but got "
            f"{type(func)}",
            hint='Name a library and a function of it: "./my_ops.so:my_mul".',
        )


def _as_operand(value):
    """An input as the kernel gets it: a C-contiguous array, a number as one without axes."""
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value).reshape(value.shape)  # which gives a 0-d one an axis
    if isinstance(value, bool):
        return np.array(value)
    return np.array(value, np.int64 if isinstance(value, int) else np.float32)


def _as_dtype(array, name):
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(array, dtypes.named(name).numpy).reshape(array.shape)


@functools.cache
def _name(dtype):
    """The name of NumPy's dtype, which NumPy puts together anew each time."""
    return dtype.name


def _kind(abstract):
    """(shape, the dtype's name) of an operand; a Python float is Float32 for a kernel."""
    word = abstract.dtype.public.removesuffix("_")
    return abstract.shape, "float32" if abstract.weak and word == "float64" else word


WAYS.add("aot", LibraryFunction)
