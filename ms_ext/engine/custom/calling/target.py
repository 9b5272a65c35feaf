"""What is made ready once, for calls of one kind? Layout, attributes, Init, workspaces.

A kind is the shapes and dtypes of operands and results. ``Init`` runs when a kind is first called.
"""

import threading
import weakref

from .... import kernels
from ... import errors
from ..loading.guarded import run_guarded
from . import refusals, through_ctypes

BORDER = kernels.get("border")
_made_of = BORDER or through_ctypes
resting = _made_of.resting

MOST_KINDS = 64  # a kernel's data and workspaces are kept for so many kinds of call

#: MindSpore's numbers of the element types: what InferType gets and returns.
TYPE_IDS = {
    "bool": 30, "int8": 32, "int16": 33, "int32": 34, "int64": 35, "uint8": 37, "float16": 42,
    "float32": 43, "float64": 44, "bfloat16": 45, "string": 12,
}  # fmt: skip


def new_shortcut(otherwise):
    """A Shortcut; ``otherwise``, a method, is held weakly."""
    return _made_of.Shortcut(weakref.WeakMethod(otherwise))


class Target:
    """A kernel that is open, with the attributes of one op.

    ``kernel``: what ``open_kernel`` gives. ``attributes``: {name: (kind, value)}.
    """

    def __init__(self, kernel, attributes, where):
        self.kernel, self.attributes, self.where = kernel, attributes, where
        self.path, self.symbol = kernel.path, kernel.symbol
        self.address = kernel.address(kernel.symbol)
        self._calls = {}
        self._lock = threading.RLock()

    def call_for(self, kinds):
        """The Call for operands and results of these kinds: a tuple of (shape, dtype's name)."""
        found = self._calls.get(kinds)
        if found is None:
            with self._lock:
                found = self._calls.get(kinds) or self._prepare(kinds)
        return found

    def _prepare(self, kinds):
        layout, extra = _layout(kinds), self._extra()
        init = self.kernel.address(f"{self.symbol}Init")
        if init is not None:
            extra.init(init, layout)
        made = _made_of.Call(self.address, layout, extra)
        while len(self._calls) >= MOST_KINDS:
            del self._calls[next(iter(self._calls))]
        self._calls[kinds] = made
        return made

    def run(self, call, kinds, arrays, operands, guard):
        """Call it; where ``guard`` is a number of seconds, in a child process."""
        if guard is None:
            return call.run(arrays)
        code = run_guarded(
            self.kernel, arrays[:operands], arrays[operands:], [name for _, name in kinds],
            workspace=call.extra.workspaces, extra=call.extra.address, seconds=guard,
            where=self.where,
        )  # fmt: skip
        if code:
            raise refusals.failed(self.path, self.symbol, code, None, self.where)

    def workspace(self, kinds):
        """Bytes of scratch memory that the kernel asks for in a call of these kinds."""
        return sum(self.call_for(kinds).extra.workspaces)

    def infer_shape(self, kinds):
        """(whether there are several results, their shapes) as the library says."""
        address = self._inference("InferShape")
        return self._extra().infer_shape(address, _layout(kinds))

    def infer_type(self, kinds, several):
        """The names of the results' dtypes as the library says."""
        address = self._inference("InferType")
        ids = [TYPE_IDS[name] for _, name in kinds]
        found = self._extra().infer_type(address, ids, several)
        names = {number: name for name, number in TYPE_IDS.items()}
        return [self._type_named(names.get(number), number) for number in found]

    def _type_named(self, name, number):
        if name is None or name == "string":
            raise errors.InvalidType(
                f"For 'Custom', {self.symbol}InferType returned {number}, which is no element type "
                "that tensors have.",
                given=str(self.path),
                hint="Return kNumberTypeFloat32 or another of custom_aot_extra.h.",
                where=self.where,
            )
        return name

    def _inference(self, ending):
        address = self.kernel.address(self.symbol + ending)
        if address is None:
            raise refusals.no_inference(self.path, self.symbol, ending, self.where)
        return address

    def _extra(self):
        path, symbol, where = self.path, self.symbol, self.where

        def failed(code, text):
            return refusals.failed(path, symbol, code, text, where)

        return _made_of.Extra(self.kernel, self.attributes, failed)


def _layout(kinds):
    return _made_of.Layout([shape for shape, _ in kinds], [name for _, name in kinds])
