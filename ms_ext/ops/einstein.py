"""Einstein's sums: a letter per axis; what is not in the result is added up.

"ij,jk->ik" is a matrix product, "ii" a trace, "ii->i" a diagonal, "...ij->...ji" a transpose. The
operands are contracted pair by pair, the pair with the smallest result first, each by one product
of stacks of matrices.

>>> parsed("ij,jk", 2)
(['ij', 'jk'], 'ik')
"""

import itertools
import math
from collections import Counter

import numpy as np

from .. import ops
from ..engine import errors
from .composite import composite

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@composite("einsum", "mint.einsum")
def einsum(equation, *operands):
    """Products added up over the axes whose letter is not in the result.

    >>> x, y = ops.ones((2, 3)), ops.ones((3, 4))
    >>> ops.einsum("ij,jk->ik", x, y).shape, ops.einsum("ij->", x)
    ((2, 4), Tensor(shape=[], dtype=Float32, value= 6))
    """
    equation, operands = _as_text(equation, operands)
    if len(operands) == 1 and isinstance(operands[0], tuple | list):
        operands = tuple(operands[0])
    inputs, result = parsed(equation, len(operands))
    inputs, result = _without_dots(inputs, result, operands)
    sizes = _sizes(inputs, operands, equation)
    terms = [_with_letters_once(*pair) for pair in zip(operands, inputs, strict=True)]
    while len(terms) > 1:
        i, j = _best_pair(terms, result, sizes)
        left, right = terms.pop(max(i, j)), terms.pop(min(i, j))
        needed = set(result).union(*(letters for _, letters in terms))
        terms.append(_contracted(right, left, needed, sizes))
    return _finished(*terms[0], result)


def parsed(equation, count):
    """The letters of each operand and of the result; "." stands for an ellipsis.

    >>> parsed("...ii->...i", 1), parsed("ab , b", 2)
    ((['.ii'], '.i'), (['ab', 'b'], 'a'))
    """
    text = equation.replace(" ", "").replace("...", ".")
    left, arrow, right = text.partition("->")
    inputs = left.split(",")
    used = Counter(left.replace(",", ""))
    wrong = {c for c in left.replace(",", "") + right if c not in _LETTERS + "."}
    if (
        wrong
        or "." in equation.replace("...", "")
        or any(term.count(".") > 1 for term in [*inputs, right])
    ):
        raise _refused("it is made of letters, commas, one '...' a term and '->'.", equation)
    if len(inputs) != count:
        raise _refused(f"it has {len(inputs)} terms for {count} operands.", equation)
    if not arrow:
        once = sorted(c for c, n in used.items() if n == 1 and c != ".")
        right = "." * ("." in used) + "".join(once)
    if len(set(right)) < len(right) or not set(right) <= {*used, "."}:
        raise _refused("each letter of the result occurs once there, and on the left.", equation)
    return inputs, right


def _refused(why, equation):
    return errors.InvalidValue(f"the equation does not fit: {why}", given=repr(equation))


def _as_text(equation, operands):
    """The form ``einsum(x, [0, 1], y, [1, 2], [0, 2])`` as an equation with letters."""
    if isinstance(equation, str):
        return equation, operands
    given = (equation, *operands)
    terms = [_lettered(labels) for labels in given[1::2]]
    result = f"->{_lettered(given[-1])}" if len(given) % 2 else ""
    return ",".join(terms) + result, given[: 2 * len(terms) : 2]


def _lettered(labels):
    return "".join("..." if label is Ellipsis else _LETTERS[label] for label in labels)


def _without_dots(inputs, result, operands):
    """Letters of their own for the axes of an ellipsis, counted from its end."""
    used = set("".join(inputs))
    free = [c for c in _LETTERS if c not in used]
    extra = [x.ndim - len(t.replace(".", "")) for x, t in zip(operands, inputs, strict=True)]
    most = max([n for n, t in zip(extra, inputs, strict=True) if "." in t], default=0)
    names = "".join(free[:most])
    for x, term, n in zip(operands, inputs, extra, strict=True):
        if n < 0 or n and "." not in term:
            raise _refused("a term needs one letter for each axis.", f"{term}, {list(x.shape)}")
    terms = [t.replace(".", names[most - n :]) for t, n in zip(inputs, extra, strict=True)]
    return terms, result.replace(".", names)


def _sizes(inputs, operands, equation):
    sizes = {}
    for letters, x in zip(inputs, operands, strict=True):
        for letter, size in zip(letters, x.shape, strict=True):
            known = sizes.get(letter, 1)
            if size != known and 1 not in (size, known):
                raise _refused(f"{letter!r} is {known} and {size}.", equation)
            sizes[letter] = size if known == 1 else known
    return sizes


def _with_letters_once(x, letters):
    """Of an axis pair with one letter the diagonal."""
    while len(set(letters)) < len(letters):
        letter = next(c for c in letters if letters.count(c) > 1)
        i = letters.index(letter)
        j = letters.index(letter, i + 1)
        order = [k for k in range(len(letters)) if k not in (i, j)]
        places = np.arange(max(x.shape[i], x.shape[j]))
        rows, columns = (places * (x.shape[k] != 1) for k in (i, j))
        x = ops.transpose(x, (*order, i, j))[..., rows, columns]
        letters = "".join(letters[k] for k in order) + letter
    return x, letters


def _best_pair(terms, result, sizes):
    """The two terms whose product is the smallest."""
    pairs = list(itertools.combinations(range(len(terms)), 2))
    if len(pairs) == 1:
        return pairs[0]

    def size(pair):
        rest = [letters for k, (_, letters) in enumerate(terms) if k not in pair]
        needed = set(result).union(*rest)
        both = {*terms[pair[0]][1], *terms[pair[1]][1]}
        return math.prod(sizes[c] for c in both & needed)

    return min(pairs, key=size)


def _contracted(one, other, needed, sizes):
    """One term of two: added up over the letters that are not needed any more."""
    x, left = _summed(*one, {*other[1], *needed})
    y, right = _summed(*other, {*left, *needed})
    x, y = (_stretched(*term, sizes) for term in ((x, left), (y, right)))
    shared = [c for c in left if c in right]
    batch = [c for c in shared if c in needed]
    inner = [c for c in shared if c not in needed]
    rows, columns = [c for c in left if c not in right], [c for c in right if c not in left]
    a = _grouped(x, left, (batch, rows, inner), sizes)
    b = _grouped(y, right, (batch, inner, columns), sizes)
    letters = "".join([*batch, *rows, *columns])
    product = ops.matmul(a, b) if inner else a * b
    return ops.reshape(product, tuple(sizes[c] for c in letters)), letters


def _summed(x, letters, needed):
    gone = tuple(i for i, c in enumerate(letters) if c not in needed)
    kept = "".join(c for c in letters if c in needed)
    return (ops.ReduceSum(x, axis=gone), kept) if gone else (x, letters)


def _stretched(x, letters, sizes):
    shape = tuple(sizes[c] for c in letters)
    return x if tuple(x.shape) == shape else ops.broadcast_to(x, shape)


def _grouped(x, letters, groups, sizes):
    """The axes in the order of the groups, each group made one axis."""
    order = tuple(letters.index(c) for group in groups for c in group)
    shape = tuple(math.prod(sizes[c] for c in group) for group in groups)
    return ops.reshape(ops.transpose(x, order), shape)


def _finished(x, letters, result):
    x, letters = _summed(x, letters, set(result))
    return ops.transpose(x, tuple(letters.index(c) for c in result)) if letters != result else x
