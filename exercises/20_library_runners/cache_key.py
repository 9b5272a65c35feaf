"""20.cache_key: repair a cache of executors whose key forgets what they depend on."""

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.recognise import both, case_of

SHAPES = ([2, 3], [3, 2], [6], [2, 3, 1])


def found(calls, capacity, of=lambda call: repr(call)):
    """The right answer: which calls the cache knows."""
    kept, hits = {}, []
    for call in calls:
        key = of(call)
        hits.append(key in kept)
        kept.pop(key, None)
        kept[key] = True
        if len(kept) > capacity:
            del kept[next(iter(kept))]
    return hits


def _call(name="aclnnSoftmax", dtype="float32", shape=(2, 3), **attributes):
    return (name, ((dtype, tuple(shape)),), tuple(attributes.items()))


def _asked(draw, words, *calls, capacity=100):
    order = [int(n) for n in draw.rng.permutation(len(calls))]
    repeated = [calls[n] for n in order] + [calls[n] for n in reversed(order)]
    return Question(words, (repeated, capacity))


def names(draw):
    """other functions"""
    return _asked(draw, "two functions", _call("aclnnExp"), _call("aclnnLog"))


def shapes(draw):
    """other shapes"""
    calls = [_call(shape=shape) for shape in SHAPES]
    return _asked(draw, "shapes of six elements each", *calls)


def dtypes(draw):
    """other dtypes"""
    calls = [_call(dtype=dtype) for dtype in ("float32", "float16", "int32")]
    return _asked(draw, "three dtypes", *calls)


def attributes(draw):
    """other attributes"""
    calls = [_call(dim=0), _call(dim=1), _call(dim=-1), _call(axis=1)]
    return _asked(draw, "one function with other attributes", *calls)


def types(draw):
    """values that are equal, of other types"""
    calls = [_call(alpha=1), _call(alpha=1.0), _call(alpha=True)]
    return _asked(draw, "an attribute 1, 1.0 and True", *calls)


def crowded(draw):
    """more kinds than there is room for"""
    calls = [_call(shape=[n]) for n in range(1, 7)]
    picked = [calls[int(n)] for n in draw.rng.integers(0, 6, 30)]
    # this end tells a cache that forgets the oldest from one that forgets the least used
    end = [calls[0], calls[1], calls[0], calls[2], calls[0], calls[1]]
    return Question("room for two", (picked + end, 2))


def same(question, answer):
    """Hit or miss of each call."""
    calls, capacity = question.operands
    if not isinstance(answer, list | tuple) or not all(type(each) is bool for each in answer):
        return Failure("kind", "A list of True and False is wanted.", got=answer)
    wanted = found(calls, capacity)
    if len(answer) != len(wanted):
        return Failure("count", f"{len(wanted)} answers are wanted.", len(wanted), len(answer))
    for number, (right, got) in enumerate(zip(wanted, answer, strict=True)):
        if right != got:
            what = "found, but it is not there" if got else "not found, but it is there"
            return Failure("values", f"Call {number} is {what}.", wanted, list(answer))
    return None


def _like(wrong):
    """The answer is that of another cache, and not the right one."""

    def sees(failure):
        return failure.code == "values" and failure.got == wrong(*failure.operands)

    return sees


def _forgets(of):
    """The answer is that of a key that leaves something out."""
    return _like(lambda calls, capacity: found(calls, capacity, of))


def _first_in(calls, capacity):
    kept, hits = {}, []
    for call in calls:
        hits.append(repr(call) in kept)
        kept.setdefault(repr(call), True)
        if len(kept) > capacity:
            del kept[next(iter(kept))]
    return hits


mistakes = (
    Mistake(
        "name-forgotten", _forgets(lambda c: repr(c[1:])), "The key forgets the function's name.",
        "Two functions of operands that are alike get one executor.",
        "What would aclnnLog do with the executor of aclnnExp?",
    ),
    Mistake(
        "shape-forgotten", _forgets(lambda c: repr((c[0], [t[0] for t in c[1]], c[2]))),
        "The key forgets the shapes.",
        "How much workspace is needed depends on them.",
        "Which numbers of a tensor does phase one look at?",
    ),
    Mistake(
        "size-for-shape",
        _forgets(lambda c: repr((c[0], [(t[0], len(t[1]), _size(t[1])) for t in c[1]], c[2]))),
        "The number of elements is no shape.",
        "[2, 3] and [3, 2] have six elements each, and other rows.",
        "Put the sizes themselves into the key.",
    ),
    Mistake(
        "dtype-forgotten", _forgets(lambda c: repr((c[0], [t[1] for t in c[1]], c[2]))),
        "The key forgets the dtypes.",
        "float16 is calculated in float32, which takes memory that float32 does not.",
        "What is there of a tensor beside its shape?",
    ),
    Mistake(
        "types-forgotten", both(case_of(types), _forgets(lambda c: c)),
        "1, 1.0 and True are one key.",
        "They are equal, and so are their hashes: a dictionary cannot tell them apart.",
        "type(value) tells them apart.",
    ),
    Mistake(
        "attributes-forgotten", _forgets(lambda c: repr(c[:2])), "The key forgets the attributes.",
        "Softmax over rows gets the executor of softmax over columns.",
        "The third part of a call is not in your key.",
    ),
    Mistake(
        "names-of-attributes", _forgets(lambda c: repr((*c[:2], [v for _, v in c[2]]))),
        "The key forgets what the attributes are called.",
        "dim=1 and axis=1 are different things.",
        "Put name and value into the key.",
    ),
    Mistake(
        "never-full", _like(lambda calls, capacity: found(calls, 10**6)),
        "The cache grows without end.",
        "More than `capacity` are kept.",
        "After one was entered, which one has to go?",
    ),
    Mistake(
        "first-in", _like(_first_in),
        "The first that came has to go, although it was just used.",
        "A hit makes it the youngest again.",
        "A dictionary keeps the order of entry: take the key out and put it in again.",
    ),
)  # fmt: skip


def _size(shape):
    product = 1
    for size in shape:
        product *= size
    return product


hints = (
    "Two calls may share what phase one found if nothing that it looks at differs. List what that "
    "is.",
    "The key is a tuple: the name, dtype and shape of each tensor, and name, type and value of "
    "each attribute. For the capacity, let the dictionary's order be the order of use.",
    "A sibling, a cache of square roots by number and by how exactly:\n\n"
    "key = (type(x), x, digits)\n"
    "known = key in roots\n"
    "roots[key] = roots.pop(key, None)        # the youngest now\n"
    "if len(roots) > most:\n"
    "    del roots[next(iter(roots))]         # the oldest",
)

_NAME = "return name, tuple(forms), tuple(values)"
_FORMS = "forms = [(dtype, tuple(shape)) for dtype, shape in tensors]"
_VALUES = "values = [(label, type(value).__name__, value) for label, value in attributes]"

mutants = (
    Mutant("name-forgotten", _NAME, "return tuple(forms), tuple(values)"),
    Mutant("attributes-forgotten", _NAME, "return name, tuple(forms)"),
    Mutant("shape-forgotten", _FORMS, "forms = [dtype for dtype, shape in tensors]"),
    Mutant("dtype-forgotten", _FORMS, "forms = [tuple(shape) for dtype, shape in tensors]"),
    Mutant("size-for-shape", _FORMS,
           "forms = [(dtype, len(shape), int(np.prod(shape))) for dtype, shape in tensors]"),
    Mutant("types-forgotten", _VALUES, "values = [tuple(pair) for pair in attributes]"),
    Mutant("names-of-attributes", _VALUES,
           "values = [(type(value).__name__, value) for label, value in attributes]"),
    Mutant("never-full", "if len(kept) > capacity:", "if False:"),
    Mutant("first-in", "kept.pop(key, None)", "pass"),
    Mutant("kind", "hits.append(key in kept)", "hits.append(int(key in kept))"),
)  # fmt: skip

variants = {
    "an ordered dictionary, keys as text": """
from collections import OrderedDict

def lookups(calls, capacity):
    kept, hits = OrderedDict(), []
    for call in calls:
        key = repr(call)
        hits.append(key in kept)
        kept[key] = None
        kept.move_to_end(key)
        while len(kept) > capacity:
            kept.popitem(last=False)
    return hits
""",
    "a list of what is kept": """
def lookups(calls, capacity):
    kept, hits = [], []
    for name, tensors, attributes in calls:
        key = (name, str(tensors), [(label, str(type(v)), v) for label, v in attributes])
        hits.append(key in kept)
        kept = [key] + [each for each in kept if each != key]
        kept = kept[:capacity]
    return hits
""",
}

_ASKED = {"ask": "call plain", "judge": same, "inputs": "calls capacity"}
exercise = Exercise(
    target="lookups",
    contract="For each call (name, tensors, attributes) whether the cache has it: a list of True "
    "and False. It keeps `capacity` kinds of calls, those used last.",
    checks=(
        Check("names", "functions and shapes are told apart", 1,
              cases=drawn(names, shapes), **_ASKED),
        Check("fields", "dtypes and attributes are told apart", 1,
              cases=drawn(dtypes, attributes), **_ASKED),
        Check("types", "1, 1.0 and True are told apart", 1, cases=drawn(types), **_ASKED),
        Check("room", "the one used longest ago makes room", 1, cases=drawn(crowded), **_ASKED),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
