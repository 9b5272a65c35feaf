"""What does a custom op do when it runs? Its way, its promise and its traits, together.

A compiled graph, or the recording of a call, may outlive the ``Custom`` that its Op was made of. So
the Op holds a ``Remembered``: it finds the Body as long as the Custom lives. Then the Body goes,
with the library that its way has open; a graph that still calls the op has a new one made in the
same way. The Op goes with the last that holds it.
"""

import weakref

import numpy as np

from .. import errors, stages
from ..infer import abstract_of
from .composed import Meaning
from .declared import key


class Body:
    """A way with its ``declared`` results and ``traits``."""

    def __init__(self, way, declared, traits):
        self.way, self.declared, self.traits = way, declared, traits
        self.meaning = Meaning(way, declared) if way.made_of else None
        self._types = {}
        way.results, way.declared = weakref.WeakMethod(self.infer), declared

    @property
    def is_inferred(self):
        """Whether the way itself says what comes out, or what is left open of it."""
        declared = self.declared
        left = declared.says_nothing() or self.way.completes and declared.leaves_open()
        return self.way.infers and left

    def count(self):
        """How many results: None for one, alone; ASK if only a call can tell."""
        known = not self.is_inferred and self.meaning is None
        return self.declared.count() if known else stages.ASK

    def was_asked(self):
        """Whether results were inferred: a graph may rely on them."""
        return bool(self._types)

    def forget(self):
        """Forget what was inferred, for the traits are others now."""
        self._types.clear()

    def infer(self, *inputs):
        """The results' types for inputs of these types: one AbstractTensor, or a tuple of them."""
        made = self._types[key(inputs)] = self._rule()(*inputs)
        for result, place in self.traits.aliases:
            _check_alias(self.way, made, inputs, result, place)
        return made

    def types(self, *inputs):
        """As ``infer``, which is asked once."""
        return self._types.get(key(inputs)) or self.infer(*inputs)

    def _rule(self):
        if self.meaning is not None:
            return self.meaning.infer
        return self.way.infer if self.is_inferred else self.declared.infer

    def compute(self, *arrays):
        """NumPy in, NumPy out; arrays are copied for a way that may write to its inputs."""
        types = self._types.get(key(arrays)) or self.infer(*map(abstract_of, arrays))
        several = isinstance(types, tuple)
        wanted = types if several else (types,)
        storage = tuple([np.empty(t.shape, t.dtype.numpy) for t in wanted])
        own = np.array if self.way.writes_inputs else np.asarray
        self.fill([own(a, order="C") for a in arrays], wanted, several, storage)
        return storage if several else storage[0]

    def fill(self, inputs, types, several, storage):
        """Compute into ``storage``; an input that takes a result is that result's memory."""
        for result, place in self.traits.aliases:
            np.copyto(storage[result], inputs[place])
            inputs[place] = storage[result]
        if self.meaning is not None:
            self.meaning.fill(inputs, storage)
        else:
            self.way.fill(inputs, types, several, storage)

    def workspace(self, *types):
        """Bytes that the way needs beside inputs and results while it runs."""
        asked = getattr(self.way, "workspace", None)
        return 0 if asked is None else int(asked(types))


class Remembered:
    """Finds the Body of an op, or makes another one by ``recipe()`` when it is gone."""

    def __init__(self, body, recipe):
        self._body, self._recipe, self._again = weakref.ref(body), recipe, None

    def __call__(self):
        found = self._body()
        if found is None:
            found = self._again = self._again or self._recipe()
        return found

    def infer(self, *types, **_attributes):
        """As ``Body.infer``."""
        return self().infer(*types)

    def fill(self, inputs, types, several, storage):
        """As ``Body.fill``."""
        self().fill(inputs, types, several, storage)

    def workspace(self, *types):
        """As ``Body.workspace``."""
        return self().workspace(*types)


def _check_alias(way, made, inputs, result, place):
    results = made if isinstance(made, tuple) else (made,)
    if place >= len(inputs) or result >= len(results):
        raise errors.NotRunnable(
            f"For '{way.name}', result {result} cannot be written into input {place}.",
            given=f"{len(inputs)} input(s) and {len(results)} result(s)",
            hint="in_place counts inputs and results from 0.",
            where=way.place,
        )
    given, wanted = inputs[place], results[result]
    if given.weak or (given.shape, given.dtype) != (wanted.shape, wanted.dtype):
        raise errors.NotRunnable(
            f"For '{way.name}', result {result} does not fit into the memory of input {place}.",
            given=f"input {place}: {given}      result {result}: {wanted}",
            hint="In place needs a tensor of the result's shape and dtype: call it without "
            "in_place, or cast the input first.",
            where=way.place,
        )
