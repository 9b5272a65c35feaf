"""``func_type="jit"``: source text in C, C++ or Cython is compiled at the first call.

| the text | what happens |
|---|---|
| C or C++ with one kernel of the C interface | compiled to a library, then as ``func_type="aot"`` |
| Cython with one ``def`` | compiled to a module; then its function as ``func_type="pyfunc"`` |
| Python with one ``def`` | compiled as ``ms.jit`` compiles it |
"""

import linecache
import types

import numpy as np

from ... import errors
from ...jit import jit
from ...tensor import Tensor
from ..gradient import parameters
from ..loading import Trace, cython, sources
from ..loading.language import ENDINGS, language
from ..way import Way
from . import WAYS
from .aot import LibraryFunction


class SourceText(Way):
    """The op is a text. What is made is the way of its language, one of the classes below."""

    func_type = "jit"
    compiles = "at the first call, once for each state of the text"
    when = "to write a kernel in the notebook, beside what calls it"

    def __new__(cls, name, func, reg_info=None):
        return _OF_LANGUAGE[_language(name, func)](name, func, reg_info)


class LibraryText(LibraryFunction):
    """C or C++ with one kernel: a library is made of it, and called as any other."""

    func_type = "jit"
    compiles, when = SourceText.compiles, SourceText.when

    def __init__(self, name, func, reg_info=None):
        file = sources.written(func, ENDINGS[language(func)])
        super().__init__(name, file, reg_info)
        self.source, self.form = func, getattr(func, "form", None)

    def text(self):
        """The source text."""
        return self.source

    def describe(self):
        """The language, then what is said of a library."""
        return [("language", language(self.source)), *super().describe()]


class CythonText(Way):
    """A Cython function that takes arrays and returns arrays."""

    func_type = "jit"
    compiles, when = SourceText.compiles, SourceText.when

    def __init__(self, name, func, reg_info=None):
        super().__init__(name, func, reg_info)
        self.trace = Trace(name)
        self._inner = None
        sources.written(func, ".pyx")  # now, as the learner's line is above on the stack

    def fill(self, inputs, types, several, storage):
        """Call the function, and copy what it returns as it was promised."""
        if self._inner is None:
            function = cython.function(self.func, self.trace, self.place)
            self._inner = WAYS.get("pyfunc")(self.name, _ArraysOut(function))
        self._inner.fill(inputs, types, several, storage)

    def text(self):
        """The source text."""
        return self.func

    def describe(self):
        """The language."""
        return [("language", "cython")]


class _ArraysOut:
    """A function whose memoryviews are handed on as arrays."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *inputs):
        result = self.function(*inputs)
        if isinstance(result, tuple):
            return tuple(map(_array, result))
        return _array(result)


def _array(result):
    is_view = type(result).__name__ in ("_memoryviewslice", "memoryview")
    return np.asarray(result) if is_view else result


class PythonText(Way):
    """A Python function of tensors, compiled to a graph."""

    func_type = "jit"
    compiles, when = SourceText.compiles, SourceText.when

    def __init__(self, name, func, reg_info=None):
        super().__init__(name, func, reg_info)
        function = _defined(name, func)
        self.takes = parameters(function)
        self._compiled = jit(function)

    def fill(self, inputs, types, several, storage):
        """Run the compiled function, and copy its results."""
        results = self._compiled(*map(_handed_over, inputs))
        inner = WAYS.get("pyfunc")(self.name, lambda *_: results)
        inner.fill(inputs, types, several, storage)

    def text(self):
        """The source text."""
        return self.func

    def describe(self):
        """The language."""
        return [("language", "python")]


def _handed_over(value):
    return Tensor(value) if isinstance(value, np.ndarray) else value


def _defined(name, text):
    """The one function that a Python text defines."""
    file = f"<text of {name} {abs(hash(text)):x}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space = {"__name__": "__main__"}
    try:
        exec(compile(text, file, "exec"), space)
    except Exception as why:
        raise errors.NotRunnable(
            f"For '{name}', the Python text cannot be run: {type(why).__name__}: {why}",
            given=f"{text:.60}",
            hint="Write one function with all it needs.",
        ) from why
    found = [v for v in space.values() if isinstance(v, types.FunctionType)]
    if len(found) == 1:
        return found[0]
    raise errors.NotRunnable(
        f"For '{name}', the Python text defines {len(found)} functions; one is the op's.",
        hint="Write the others inside it.",
    )


def _language(name, text):
    if not isinstance(text, str):
        raise errors.InvalidType(
            f"For 'Custom' with func_type 'jit', 'func' must be a text, but got {type(text)}.",
            hint="Pass source text in C, C++ or Cython; a function is func_type='pyfunc'.",
        )
    found = language(text)
    if found is None:
        raise errors.InvalidValue(
            f"For '{name}', the text is neither C, C++, Cython nor Python.",
            given=f"{text!r:.60}",
            hint="Pass the source itself; a file's name is func_type='aot': './my_ops.cc:my_mul'.",
        )
    return found


_OF_LANGUAGE = {
    "c": LibraryText,
    "c++": LibraryText,
    "cython": CythonText,
    "python": PythonText,
}
WAYS.add("jit", SourceText)
