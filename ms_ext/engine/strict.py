"""Is MindSpore's own answer wanted where an article's form, or a check of ours, would differ?

Off, what the articles show works and a wrong bprop is refused. On, what MindSpore 2.10 refuses is
refused in its words, and what it lets pass is let pass: ``set_context(strict="2.10")``, or the
environment variable MS_EXT_STRICT=2.10.

>>> with as_mindspore():
...     on()
True
>>> on()
False
"""

import os
from contextlib import contextmanager

from . import errors, registry

VERSIONS = ("2.10",)
VARIABLE = "MS_EXT_STRICT"

settings = {"strict": None, "check_bprop": False}


class AsGiven(tuple):
    """Gradients that are handed on as a bprop returned them: not looked at, summed or cast."""

    __slots__ = ()


def on():
    """Whether MindSpore's own answers are wanted."""
    return settings["strict"] is not None


def checks_bprop():
    """Whether ``set_context(check_bprop=True)`` asks for MindSpore's check of every bprop."""
    return settings["check_bprop"]


def use(version):
    """Answer as this version of MindSpore does, or with None as the articles show it.

    Returns what was used before. ValueError for a version whose answers are not known.
    """
    before = settings["strict"]
    change(strict=checked(version))
    return before


def change(**new):
    """Change settings; functions that are compiled already notice."""
    settings.update(new)
    registry.declared()


@contextmanager
def as_mindspore(version=VERSIONS[-1]):
    """Within the block MindSpore's answers are given."""
    before = use(version)
    try:
        yield
    finally:
        use(before)


def checked(version):
    """The version, if its answers are known here.

    >>> checked("2.10"), checked(None)
    ('2.10', None)
    """
    if version is None or version in VERSIONS:
        return version
    raise errors.InvalidValue(
        "For 'set_context', 'strict' must be a version of MindSpore whose answers are known.",
        given=f"{version!r:.60}",
        hint=f'strict="{VERSIONS[-1]}" gives MindSpore\'s answers, strict=None takes that back.',
    )


def refuse_primitive(fn, in_graph):
    """MindSpore takes gradients of functions and Cells only; ``fn`` is a Primitive."""
    if not on():
        return
    name = getattr(fn, "name", type(fn).__name__)
    hint = f"Write a function around it: `def f(*inputs): return {name.lower()}(*inputs)`."
    if in_graph:
        raise errors.NotRunnable(
            "For 'GradOperation', the first argument must be a 'Function' or 'Cell', but got "
            f"PrimitiveAbstractClosure: S_Prim_{name}",
            hint=hint,
        )
    raise errors.UnknownAttribute(f"{name!r} object has no attribute '__name__'", hint=hint)


settings["strict"] = checked(os.environ.get(VARIABLE) or None)
