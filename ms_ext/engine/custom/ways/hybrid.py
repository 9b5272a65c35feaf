"""``func_type="hybrid"``: a function of MindSpore's Hybrid DSL, ``@kernel``, compiled to C.

Its meaning is what it does to NumPy arrays. At the first call it is read for the dtypes and axes it
gets, written in C and compiled; where there is no compiler, or C cannot say what Python would do,
it runs on NumPy, and a notice says why. Source text is compiled as ``func_type="jit"``.
"""

import numpy as np

from .... import dtype as dtypes
from ... import errors, strict
from ...frontend.source import source_of
from ...infer import AbstractTensor
from ..gradient import parameters, place
from ..hybrid import checks, kinds
from ..hybrid.kernel import is_kernel, tell, written
from ..hybrid.program import Program
from ..hybrid.reading import read
from ..hybrid.shapes import Unknown, shapes
from ..hybrid.source_facts import arity, line, writes_inputs
from ..hybrid.tree import NotCompiled
from ..loading import Trace
from ..loading.language import language
from ..way import Way
from . import WAYS

_WEAK = {"bool": bool, "int": int, "float": float}


class Hybrid(Way):
    """The op is a function of the DSL, or a text: the way of one of these is made."""

    func_type = "hybrid"
    infers = True
    compiles = "at the first call, once for the inputs' dtypes and axes"
    when = "for loops over elements, written in Python and as fast as C"

    def __new__(cls, name, func, reg_info=None):
        if is_kernel(func):
            return Kernel(name, func, reg_info)
        if not isinstance(func, str) or strict.on() or language(func) is None:
            raise errors.InvalidType(
                f"For 'Custom', 'func_type': hybrid, 'func': {func}, 'func' must be a function "
                "decorated by kernel",
                hint="Write `@kernel` (from mindspore.ops import kernel) above the function.",
                where=None if isinstance(func, str) else place(func),
            )
        tell(
            f"'{name}': func_type='hybrid' takes a function decorated by @kernel; this source text "
            "is compiled as with func_type='jit'."
        )
        return WAYS.get("jit")(name, func, reg_info)


class Kernel(Way):
    """A function of the DSL: read, compiled and called, or called as it is."""

    func_type = "hybrid"
    infers = True
    compiles, when = Hybrid.compiles, Hybrid.when

    def __init__(self, name, func, reg_info=None):
        super().__init__(name, func, reg_info)
        function = written(func)
        self.takes, self.place = parameters(function), place(function)
        self.source = source_of(function)
        checks.check(self.source)
        self.writes_inputs = writes_inputs(self.source)
        self.defaults = function.__defaults__ or ()
        self.trace = Trace(name)
        self._programs = {}  # (kind, axes) of each input -> Program or NotCompiled

    def settle(self, inputs):
        """As for every way; and as Python says it if there are too few inputs or too many."""
        count, (fewest, most) = len(inputs), self.takes
        if count < fewest or (most is not None and count > most):
            raise errors.MissingArgument(
                arity(self.source, count, fewest, most),
                hint="Call the op with as many inputs as its function takes.",
                where=self.place,
            )
        return super().settle(inputs)

    # types ----------------------------------------------------------------------------------------

    def infer(self, *types):
        """What ``output_tensor`` is given for these inputs; else a run on zeros tells."""
        given = [*map(_kind_of_type, types), *map(_kind_of_value, self._missing(len(types)))]
        program = self._program(given)
        try:
            if isinstance(program, NotCompiled):
                raise Unknown
            tree = program.tree
            found = shapes(tree, [t.shape for t in types] + [()] * (len(given) - len(types)))
        except Unknown:
            return self._tried(types)
        results = [
            AbstractTensor(dtypes.from_numpy(tree.tensors[name].kind), shape)
            for name, shape in zip(tree.results, found, strict=True)
        ]
        return tuple(results) if tree.several else results[0]

    def _tried(self, types):
        """The types that come out of a run on zeros, as MindSpore finds them."""
        result = self.func(*map(_zeros, types))
        several = isinstance(result, tuple)
        for each in result if several else (result,):
            if not isinstance(each, np.ndarray | np.generic):
                raise errors.NotRunnable(
                    f"For '{self.name}', the function returned no tensor.",
                    given=f"{each!r:.60}",
                    hint="End with `return c`, a tensor of output_tensor or an input.",
                    where=self.place,
                )
        made = [
            AbstractTensor(dtypes.from_numpy(each.dtype), each.shape)
            for each in (result if several else (result,))
        ]
        return tuple(made) if several else made[0]

    def _program(self, given):
        key = tuple([(kinds.is_weak(kind), kind, axes) for kind, axes in given])
        found = self._programs.get(key)
        if found is None:
            try:
                found = Program(self.name, read(self.source, given))
            except NotCompiled as why:
                found = why
            found = self._programs.setdefault(key, found)
        return found

    def _missing(self, count):
        """The values of parameters that a call leaves out."""
        most = self.takes[1]
        return self.defaults[len(self.defaults) - (most - count) :] if most and most > count else ()

    # values ---------------------------------------------------------------------------------------

    def fill(self, inputs, types, several, storage):
        """Calculate in C if that is possible, else on NumPy; a notice says why, once."""
        inputs = [*inputs, *self._missing(len(inputs))]
        program = self._program([_kind_of_value(value) for value in inputs])
        if self._is_compiled(program):
            tree = program.tree
            found = [(tree.tensors[n].kind, tree.tensors[n].rank) for n in tree.results]
            self._check(found, [(s.dtype, s.ndim) for s in storage])
            return program.call(inputs, storage)
        results = self._as_python(inputs)
        self._check([(r.dtype, r.shape) for r in results], [(s.dtype, s.shape) for s in storage])
        for memory, result in zip(storage, results, strict=True):
            np.copyto(memory, result)

    def _is_compiled(self, program):
        if isinstance(program, NotCompiled):
            at = f" ({program.where})" if program.where else ""
            tell(f"'{self.name}' runs on NumPy, not compiled: {program.reason}{at}.")
            return False
        if not program.compiled:
            try:
                program.compile(self.trace, self.place)
            except errors.NotRunnable as why:
                if getattr(why, "reason", None) != "no-compiler":
                    raise
                tell("There is no C compiler: functions of the Hybrid DSL run on NumPy, slower.")
                return False
        return True

    def _as_python(self, inputs):
        """The function's own results, each an array."""
        inputs = [v.copy() if isinstance(v, np.ndarray) else v for v in inputs]
        try:
            result = self.func(*inputs)
        except IndexError as why:
            at = line(why, self.source)
            raise errors.InvalidIndex(f"{why}", given=f"'{self.name}'", where=at) from why
        several = result if isinstance(result, tuple) else (result,)
        return [np.asarray(each) for each in several]

    def _check(self, found, promised):
        """The results are as many, of the dtypes and shapes, as was promised."""
        if found != promised:
            raise errors.NotRunnable(
                f"For '{self.name}', the results are others than out_shape and out_dtype promise.",
                given=f"results: {_listed(found)}      promised: {_listed(promised)}",
                hint="Leave both away: they follow from output_tensor(shape, dtype).",
                where=self.place,
            )

    # looking at it --------------------------------------------------------------------------------

    def describe(self):
        """What it has been compiled for, and what was not compiled and why."""
        lines = []
        for given, program in self._programs.items():
            word = ", ".join([f"{kinds.named(kind)}[{axes}]" for _, kind, axes in given])
            if isinstance(program, NotCompiled):
                at = f" ({program.where})" if program.where else ""
                lines.append(("runs on NumPy", f"for ({word}): {program.reason}{at}"))
            else:
                state = "compiled" if program.compiled else "read, not compiled yet"
                count = program.text.count("\n")
                lines.append(("in C", f"for ({word}): {state}, {count} lines (op.source())"))
        return lines or [("in C", "nothing yet: call it first")]

    def text(self):
        """The C that was made of the function, for all dtypes and axes it has been called with."""
        texts = [p.text for p in self._programs.values() if isinstance(p, Program)]
        if texts:
            return "\n".join(texts)
        refused = [p for p in self._programs.values() if isinstance(p, NotCompiled)]
        raise errors.NotRunnable(
            f"For '{self.name}', there is no C.",
            given=refused[0].reason if refused else "it has not been called yet",
            hint="Without C it runs on NumPy." if refused else "Call the op first.",
            where=refused[0].where if refused else self.place,
        )


def _kind_of_type(given):
    """The kind and number of axes of an input of a type."""
    if given.weak:
        return _WEAK[given.dtype.kind], 0
    return given.dtype.numpy, len(given.shape)


def _kind_of_value(value):
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype, value.ndim
    return type(value), 0


def _zeros(given):
    if given.weak:
        return _WEAK[given.dtype.kind](0)
    return np.zeros(given.shape, given.dtype.numpy)


def _listed(pairs):
    return "(" + ", ".join([f"{kind} {size}" for kind, size in pairs]) + ")"


WAYS.add("hybrid", Hybrid)
