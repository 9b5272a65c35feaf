"""Which sizes of a compiled function's tensors are open, and which calls a compilation serves.

With ``jit(dynamic=1)`` a size that differs from an earlier call's is open from then on; with
``set_inputs`` or ``enable_dynamic`` the sizes given as None are. A call that differs in open sizes
only is served by what is compiled.

>>> served = Served("launcher", [(2, 3)], [Opening([(0, 0)], 2)])
>>> served.serves([(5, 3)]), served.serves([(5, 4)]), served.serves([(1, 3)])
(True, False, False)
"""

import itertools

from ..dtype import DType
from .declared_inputs import owners
from .dims import LEAST, Opening, Sizes, Unsure


def skeleton(part):
    """A signature without the sizes of its tensors."""
    if isinstance(part, tuple):
        if part and isinstance(part[0], DType):
            return part[0], len(part[1])
        return tuple(map(skeleton, part))
    return part


def shapes_in(part):
    """The shapes of the tensors in a signature, in order."""
    if isinstance(part, tuple):
        if part and isinstance(part[0], DType):
            return [part[1]]
        return [shape for item in part for shape in shapes_in(item)]
    return []


def with_shapes(part, shapes):
    """A signature with other shapes, from an iterator."""
    if isinstance(part, tuple):
        if part and isinstance(part[0], DType):
            return part[0], next(shapes)
        return tuple([with_shapes(item, shapes) for item in part])
    return part


class Served:
    """A compilation with open sizes: the shapes it was made for, and where they may differ.

    ``letters``: open size -> which axes have it; ``closed``: why others are not open.
    """

    def __init__(self, launcher, shapes, openings, letters=None, closed=()):
        self.launcher, self.shapes, self.openings = launcher, shapes, openings
        self.letters, self.closed = letters or {}, closed
        self.open = {place for opening in openings for place in opening.places}

    def lettered(self, signature):
        """The signature as it is shown: with letters where sizes are open."""
        shapes = [list(shape) for shape in self.shapes]
        for letter, opening in zip(self.letters, self.openings, strict=True):
            for leaf, axis in opening.places:
                shapes[leaf][axis] = letter
        return with_shapes(signature, iter([tuple(shape) for shape in shapes]))

    def serves(self, shapes):
        """Whether a call with these shapes is served; the kinds of its arguments are the same."""
        for leaf, (mine, theirs) in enumerate(zip(self.shapes, shapes, strict=True)):
            for axis, (size, other) in enumerate(zip(mine, theirs, strict=True)):
                if size != other and (leaf, axis) not in self.open:
                    return False
        for opening in self.openings:
            sizes = {shapes[leaf][axis] for leaf, axis in opening.places}
            if len(sizes) > 1 or min(sizes) < opening.least:
                return False
        return True


class Dynamic:
    """What a compiled function knows of the sizes it met: skeleton -> shapes, and what is served.

    A skeleton is of arguments, keywords, and the generation of the registries.
    ``detects``: a size that differs from an earlier call's is opened (``dynamic=1``).
    """

    def __init__(self, detects):
        self.detects, self.met, self.served = detects, {}, {}

    def find(self, kind, shapes):
        """What serves a call, or None."""
        for each in self.served.get(kind, ()):
            if each.serves(shapes):
                return each.launcher
        return None

    def openings(self, kind, shapes, declared):
        """An Opening for each size that is to be open: declared, or met with another number."""
        places = {
            (leaf, axis)
            for leaf, shape in enumerate(declared)
            for axis, size in enumerate(shape or ())
            if size < 0
        }
        if self.detects:
            met = self.met.setdefault(kind[:2], [])
            for other in met:
                places |= differing(shapes, other)
            met.append(shapes)
        return [
            Opening([(leaf, axis)], shapes[leaf][axis])
            for leaf, axis in sorted(places)
            if shapes[leaf][axis] >= LEAST
        ]

    def enter(self, kind, served):
        """Keep a compilation for later calls; the latest is asked first."""
        self.served.setdefault(kind, []).insert(0, served)


def differing(shapes, other):
    """The places (tensor, axis) where shapes of the same ranks differ."""
    pairs = enumerate(zip(shapes, other, strict=True))
    return {
        (leaf, axis)
        for leaf, (one, two) in pairs
        for axis in range(len(one))
        if one[axis] != two[axis]
    }


def opened(openings, shapes, build):
    """(``build(shapes, some of them open)``, those Sizes, why others were closed, in words)."""
    closed = []
    while True:
        sizes = Sizes(openings)
        try:
            return build(with_dims(shapes, sizes)), sizes, closed
        except Unsure as unsure:
            openings = narrowed(sizes, unsure)
            if _axes(openings) < _axes(sizes.openings):
                closed.append(str(unsure))


def _axes(openings):
    return sum([len(opening.places) for opening in openings])


def with_dims(shapes, sizes):
    """The shapes with a Dim at each open size."""
    found = [list(shape) for shape in shapes]
    for opening, root in zip(sizes.openings, sizes.roots, strict=True):
        for leaf, axis in opening.places:
            found[leaf][axis] = root
    return [tuple(shape) for shape in found]


def narrowed(sizes, unsure):
    """The openings for another try, after one that needed a number.

    Sizes that are equal now are made one size; else the least size is raised; else one is closed,
    if that is enough, or all.
    """
    asked = [sizes.opening(root) for root in sizes.roots if root in unsure.roots]
    others = [each for each in sizes.openings if each not in asked]
    found = _one_size(asked, others) or _raised(sizes, unsure, asked, others)
    return found or [*others, *_kept(sizes, unsure)]


def _kept(sizes, unsure):
    """The sizes asked for that can stay open if another one is closed."""
    if unsure.holds is None:
        return []
    large = {root: root.samples[-1] for root in sizes.roots}
    for root in sorted(unsure.roots, key=str):
        if unsure.holds({**large, root: sizes.opening(root).now}):
            return [sizes.opening(each) for each in unsure.roots if each is not root]
    return []


def _one_size(asked, others):
    """Two of the sizes asked for are one from now on, if they are equal."""
    for one, two in itertools.combinations(asked, 2):
        if one.now == two.now:
            least = max(one.least, two.least)
            merged = Opening([*one.places, *two.places], one.now, least)
            return [*others, merged, *(each for each in asked if each not in (one, two))]
    return None


def _raised(sizes, unsure, asked, others):
    """The sizes asked for must be at least so large that all is well; None if that is not it."""
    if unsure.holds is None:
        return None
    now = {root: sizes.opening(root).now for root in sizes.roots}
    large = [{**now, **{r: r.samples[i] for r in unsure.roots}} for i in (-2, -1)]
    if not all(map(unsure.holds, large)):
        return None
    changed = False
    for root in unsure.roots:
        opening = sizes.opening(root)
        least = opening.now
        while least > opening.least and unsure.holds({**now, root: least - 1}):
            least -= 1
        changed |= least > opening.least
        opening.least = max(least, opening.least)
    return [*others, *asked] if changed else None


def named(sizes, function, args, kwargs):
    """Letter of each open size -> how it is written: ``a`` -> ``x.shape[0]``."""
    names = owners(function, args, kwargs)
    return {
        str(root): " = ".join(f"{names[leaf]}.shape[{axis}]" for leaf, axis in opening.places)
        for opening, root in zip(sizes.openings, sizes.roots, strict=True)
    }
