"""``ms.mint``: the functions with PyTorch's names, derived from the names that ops declare.

Some are other primitives than in ``ops``: ``mint.add`` is AddExt, which a pass for Add does not
match.

>>> mint.add.name, mint.mul.name
('AddExt', 'Mul')
"""

from .. import ops  # noqa: F401  (declares the ops)
from ..engine import errors
from ..ops.composite import public

globals().update(public("mint."))

__all__ = sorted(public("mint."))


def __getattr__(name):
    found = public("mint.").get(name)
    if found is not None:
        return found
    if name == "nn":
        import importlib

        return importlib.import_module(f"{__name__}.nn")
    raise errors.UnknownAttribute(f"mint has no {name!r}.", hint=errors.did_you_mean(name, __all__))
