"""``ms.mint.nn.functional``: what layers do, as functions, derived from the names that ops declare.

>>> from ms_ext.mint.nn import functional
>>> functional.relu.name
'ReLU'
"""

from ... import ops  # noqa: F401  (declares the ops)
from ...engine import errors
from ...ops.composite import public

globals().update(public("mint.nn.functional."))

__all__ = sorted(public("mint.nn.functional."))


def __getattr__(name):
    found = public("mint.nn.functional.").get(name)
    if found is None:
        hint = errors.did_you_mean(name, __all__)
        raise errors.UnknownAttribute(f"mint.nn.functional has no {name!r}.", hint=hint)
    return found
