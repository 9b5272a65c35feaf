"""``viz.shapes(op, *cases)``: what a declaration says of a call beside what its body returns.

>>> import ms_ext
>>> from ms_ext import ops, Tensor
>>> print(shapes(ops.matmul, (((2, 3), ms_ext.float32), ((3, 4), ms_ext.float32))))
shapes of MatMulExt: 1 case: 1 ✓ agree
<BLANKLINE>
case 1: ✓ agree
    x           float32  [2 a, 3 b]
    y           float32  [3 b, 4 c]
    infer says  float32  [2 a, 4 c]
    call gives  float32  [2 a, 4 c]
    a = 2: axis 0 of x; b = 3: axis 1 of x, axis 0 of y; c = 4: axis 1 of y
<BLANKLINE>
"""

import math
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from .. import dtype as dtypes
from ..engine import errors
from ..engine.infer import AbstractTensor, abstract_of
from ..engine.tensor import Tensor
from .card import Card
from .widgets import shapes_table
from .widgets.shapes_cases import Answer, Type, subject

VERDICTS = {
    "agree": ("✓", "agree"),
    "ones": ("≈", "agree but for sizes of 1: what is promised wins"),
    "differ": ("✗", "differ"),
    "infer refuses": ("✗", "only infer refuses"),
    "body refuses": ("✗", "only the body refuses"),
    "both refuse": ("⊘", "both refuse"),
}
LETTERS = "abcdefghijklmnopqrstuvw"


@dataclass(frozen=True)
class Case:
    """One call: its inputs, what both sides say, and where the sizes come from."""

    number: int
    inputs: list  # (name, Type)
    promised: Answer
    returned: Answer
    verdict: str  # a key of VERDICTS
    letters: dict  # size -> letter, of the sizes above 1 of the inputs
    origins: dict = field(default_factory=dict)  # (result, axis) -> what that size is made of
    notes: tuple = ()
    from_the_right: bool = False

    @property
    def heading(self):
        """The verdict in words with its glyph."""
        return f"case {self.number}: {' '.join(VERDICTS[self.verdict])}"

    def places(self):
        """Where each lettered size stands among the inputs: letter -> sentence."""
        found = {}
        for name, kind in self.inputs:
            for axis, size in enumerate(kind.shape or ()):
                if size in self.letters:
                    found.setdefault(self.letters[size], []).append(f"axis {axis} of {name}")
        sizes = {letter: size for size, letter in self.letters.items()}
        return {letter: f"{sizes[letter]}: {', '.join(at)}" for letter, at in found.items()}


class Shapes(Card):
    """The table: ``cases`` is its content as data."""

    def __init__(self, name, cases, side):
        self.name, self.cases, self.side = name, cases, side
        counts = Counter(each.verdict for each in cases)
        listed = ", ".join(f"{counts[v]} {' '.join(VERDICTS[v])}" for v in VERDICTS if counts[v])
        plural = "s" * (len(cases) != 1)
        self.title = f"shapes of {name}: {len(cases)} case{plural}: {listed}"

    def text(self):
        """Case after case."""
        return shapes_table.page(self)

    def html(self):
        """The same as small tables."""
        return shapes_table.card(self)


def shapes(op, *cases):
    """What is inferred for ``op`` beside what it returns, for some calls; drawn if none are given.

    ``op`` is an ``ops.Custom``, an op or a function. A case is what it is called with: one value
    or a tuple of values; a pair such as ``((2, 3), ms.float32)`` stands for a tensor of that type.
    To tell where a size comes from, the declaration is asked again with other sizes.
    """
    asked = subject(op)
    given = [_values(case) for case in cases] or _drawn(asked)
    cases = [_case(asked, number, values) for number, values in enumerate(given, 1)]
    return Shapes(asked.name, cases, f"{asked.runner} gives")


# what it is called with ---------------------------------------------------------------------------


def _values(case):
    """The arguments of one case."""
    if _is_type(case) or not isinstance(case, tuple | list):
        case = (case,)
    rng = np.random.default_rng(0)
    return [_value(item, rng) for item in case]


def _value(item, rng):
    if _is_type(item):
        return _tensor(rng, tuple(item[0]), item[1])
    if isinstance(item, np.ndarray):
        return Tensor(item)
    if isinstance(item, Tensor | bool | int | float):
        return item
    raise errors.InvalidType(
        "A case holds tensors, numbers, or pairs of a shape and a dtype.",
        given=f"{item!r:.60}",
        hint="viz.shapes(op, (x, y), (((2, 3), ms.float32), ((3,), ms.float32)))",
    )


def _is_type(item):
    pair = isinstance(item, tuple | list) and len(item) == 2
    return pair and isinstance(item[0], tuple | list) and isinstance(item[1], dtypes.DType)


def _tensor(rng, shape, dtype):
    """Values that every op takes: from 0.5 to 2, whole ones from 1 to 4."""
    whole = dtype.kind != "float"
    values = rng.integers(1, 5, shape) if whole else rng.uniform(0.5, 2, shape)
    return Tensor(np.asarray(values).astype(dtype.numpy))


def _drawn(asked):
    """Calls of every awkward kind for as many operands as there are."""
    fewest, most = asked.takes
    count = max(fewest, 1) if most is None else max(fewest, min(most, 1))
    f32, rng = dtypes.float32, np.random.default_rng(0)
    first = [((2, 3), f32), ((2, 3, 4), f32), ((2, 1), f32), ((), f32), ((0, 3), f32)]
    first += [((2, 3), dtypes.float16), ((2, 3), dtypes.int32)]
    rows = [[kind] * count for kind in first]
    if count > 1:
        rows[1:3] = [
            [((2, 3), f32), *[((3,), f32)] * (count - 1)],
            [((2, 1), f32), *[((1, 3), f32)] * (count - 1)],
            [((2, 3), f32), *[((2,), f32)] * (count - 1)],
        ]
        rows[-2:] = [
            [((2, 3), dtypes.float16), *[((2, 3), f32)] * (count - 1)],
            [((2, 3), dtypes.int32), *[((2, 3), f32)] * (count - 1)],
        ]
    return [[_tensor(rng, *kind) for kind in row] for row in rows]


# both sides ---------------------------------------------------------------------------------------


def _case(asked, number, values):
    abstracts = tuple(map(abstract_of, values))
    both = asked.ask(values)
    names = [*asked.names, *(f"x{i}" for i in range(len(asked.names), len(values)))]
    inputs = [(n, _type(a)) for n, a in zip(names, abstracts, strict=False)]
    verdict = _verdict(both)
    letters = _letters(inputs)
    return Case(
        number, inputs, both.promised, both.returned, verdict, letters,
        origins=_origins(asked, abstracts, both.promised, letters),
        notes=tuple(_notes(asked, both, verdict, inputs)),
        from_the_right=_from_the_right(inputs, both),
    )  # fmt: skip


def _type(abstract):
    if getattr(abstract, "weak", False):
        return Type(f"Python {abstract.number.__name__}", ())
    return Type(abstract.dtype.public, tuple(abstract.shape))


def _verdict(both):
    refused = bool(both.promised.refusal), bool(both.returned.refusal)
    if any(refused):
        return {3: "both refuse", 2: "infer refuses", 1: "body refuses"}[
            refused[0] * 2 + refused[1]
        ]
    if both.promised.types == both.returned.types:
        return "agree"
    return "ones" if both.taken else "differ"


def _letters(inputs):
    """A letter for each size above 1, in reading order; equal sizes have the same letter."""
    sizes = dict.fromkeys(s for _, kind in inputs for s in kind.shape or () if s > 1)
    return dict(zip(sizes, LETTERS, strict=False))


def _origins(asked, abstracts, promised, letters):
    """What each promised size is made of: the declaration is asked again with one size changed."""
    moved = {}
    for size, letter in letters.items():
        fresh = max(letters) + 7
        again = asked.again(tuple(_with(a, size, fresh) for a in abstracts)).types
        for result, (old, new) in enumerate(zip(promised.types, again, strict=False)):
            if old.shape and new.shape and len(old.shape) == len(new.shape):
                for axis, pair in enumerate(zip(old.shape, new.shape, strict=True)):
                    if pair[0] != pair[1]:
                        moved.setdefault((result, axis), []).append((letter, size))
    return {at: _made_of(promised.types[at[0]].shape[at[1]], found) for at, found in moved.items()}


def _with(abstract, size, fresh):
    if getattr(abstract, "weak", False):
        return abstract
    shape = tuple(fresh if s == size else s for s in abstract.shape)
    return AbstractTensor(abstract.dtype, shape)


def _made_of(size, found):
    """``a``, ``a·b``, ``a+b``, or only which letters it depends on."""
    letters, sizes = [f[0] for f in found], [f[1] for f in found]
    if len(found) == 1:
        return letters[0] if sizes[0] == size else f"from {letters[0]}"
    if math.prod(sizes) == size:
        return "·".join(letters)
    return "+".join(letters) if sum(sizes) == size else f"from {', '.join(letters)}"


def _notes(asked, both, verdict, inputs):
    """Sentences: which dimension differs, and what the engine says to it."""
    if verdict in ("differ", "ones"):
        yield from _differences(both.promised.types, both.returned.types)
    for answer, who in ((both.promised, "infer"), (both.returned, asked.runner)):
        if answer.refusal:
            yield f"{who} says: {answer.refusal}"
    if both.complaint and not both.returned.refusal:
        yield f"the engine says: {both.complaint}"
    if verdict in ("both refuse", "infer refuses", "body refuses"):
        yield from _clashes(inputs)


def _differences(promised, returned):
    if len(promised) != len(returned):
        yield f"promised {len(promised)} result(s), returned {len(returned)}"
    for number, (one, other) in enumerate(zip(promised, returned, strict=False)):
        which = f"result {number}, " if len(promised) > 1 else ""
        if one.dtype != other.dtype:
            yield f"{which}dtype: promised {one.dtype}, returned {other.dtype}"
        mine, its = one.shape or (), other.shape or ()
        if len(mine) != len(its):
            yield f"{which}axes: promised {len(mine)}, returned {len(its)}"
            continue
        for axis, (m, i) in enumerate(zip(mine, its, strict=True)):
            if m != i:
                yield f"{which}axis {axis}: promised {m}, returned {i}"


def _clashes(inputs):
    """Of two inputs the sizes that do not broadcast, counted from the right."""
    if len(inputs) != 2:
        return
    (one, first), (other, second) = inputs
    pairs = zip(reversed(first.shape or ()), reversed(second.shape or ()), strict=False)
    for back, (m, n) in enumerate(pairs, 1):
        if m != n and 1 not in (m, n):
            yield f"axis −{back}: {m} in {one} against {n} in {other}; they do not broadcast"


def _from_the_right(inputs, both):
    """Whether the sizes meet at the right edge: several inputs and a result as broadcasting has."""
    shapes = [kind.shape or () for _, kind in inputs]
    if len(shapes) < 2:
        return False
    try:
        together = np.broadcast_shapes(*shapes)
    except ValueError:
        return bool(both.promised.refusal or both.returned.refusal)
    types = (*both.promised.types, *both.returned.types)
    return any(kind.shape == together for kind in types)
