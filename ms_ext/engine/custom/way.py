"""What must a way of making an op answer? ``Custom`` asks; each file of ``ways/`` is an answer.

A way is made once per op. It checks what it is given, and computes into memory that others set
aside; tape, graphs, stages and gradients are the same for all ways and are not its business.
"""

from .. import errors

NEEDS_TENSORS = "Pass tensors and numbers; other values can be closed over by the function."
#: What MindSpore's own list of func_types says, in its order.
THERE = ("hybrid", "akg", "tbe", "aicpu", "aot", "pyfunc")


def unknown(func_type, func):
    """MindSpore's words for a func_type that it does not know.

    >>> unknown("julia", "f.jl:f")[:53]
    "For 'Custom', 'func_type': julia, 'func': f.jl:f, 'fu"
    """
    return (
        f"For 'Custom', 'func_type': {func_type}, 'func': {func}, 'func_type' must be one of "
        f"{list(THERE)}, but got {func_type}"
    )


def unsupported(func_type, name):
    """MindSpore's words for a func_type that runs on other devices only."""
    return (
        "Unsupported func type for Custom operator on CPU, it should be 'hybrid', 'akg', 'pyfunc' "
        f"or 'aot', but got [{func_type}] for Custom operator [{name}]"
    )


class Way:
    """One op's way in. ``name`` is the op's name in errors, ``func`` what the learner gave.

    Set by a way's ``__init__``: ``takes``, (fewest, most) inputs, most None for any number;
    ``place``, a Where: the line of the learner that errors show, or None.
    """

    func_type = ""
    #: Whether `infer` can answer where neither out_shape nor out_dtype is given.
    infers = False
    #: Whether `infer` also answers where one of them is given, ``self.declared``.
    completes = False
    #: Whether it may write to the arrays that `fill` gets; then they are copies.
    writes_inputs = True
    #: A function of symbols that calls declared ops, for a way that is made of them (`composed`).
    made_of = None
    takes = (0, None)
    place = None
    #: Set by its Body: a weak reference to the function of types that gives the results' types,
    #: and what out_shape and out_dtype say.
    results = declared = None
    #: When it is compiled, and when to use it: two sentences for `describe`.
    compiles = when = ""

    def __init__(self, name, func, reg_info=None):
        self.name, self.func, self.reg_info = name, func, reg_info

    def binds(self, value):
        """Whether an input is no operand and is bound in a variant of the op (`constants`)."""
        return False

    def names_of(self, inputs):
        """The attributes that the last of these inputs are the values of."""
        return ()

    def attributed(self, given):
        """Take the attributes that ``add_prim_attr`` set, a dict; returns itself."""
        self.attributes = given
        return self

    def settle(self, inputs):
        """The operands of a call: tensors and numbers; what the way cannot take is refused."""
        for value in inputs:
            if isinstance(value, tuple | list):
                raise errors.NotRunnable(
                    "Custom operator with func_type=py_func, Tuple/List inputs are not supported."
                    if self.func_type == "pyfunc"
                    else f"For 'Custom', func_type {self.func_type!r} takes no tuple or list.",
                    given=f"{value!r:.60}",
                    hint="Pass the tensors one by one: op(x, y).",
                )
            if value is None or isinstance(value, str | bytes | dict):
                raise errors.NotRunnable(
                    f"For 'Custom', an input of type {type(value).__name__} is not supported.",
                    given=f"{value!r:.60}",
                    hint=NEEDS_TENSORS,
                )
        return inputs

    def infer(self, *types):
        """The results' types, AbstractTensor or a tuple of them; asked only if ``infers``."""
        raise NotImplementedError

    def fill(self, inputs, types, several, storage):
        """Compute: ``inputs`` are arrays of the way's own and numbers; write into ``storage``.

        ``types``: a tuple of AbstractTensor, one per array of ``storage``; ``several``: whether
        the op returns a tuple.
        """
        raise NotImplementedError

    def hurry(self, inputs):
        """An eager call nobody watches: the result, or NotImplemented for the ordinary way."""
        return NotImplemented

    def describe(self):
        """More lines of ``op.describe()``: pairs of a word and what it says."""
        return []
