"""Which Tensor is in use: the compiled core, or its twin in plain Python. Chosen here, once.

The environment variable MS_EXT_CORE says ``compiled`` or ``reference``; unset: compiled if there.
"""

import os

from .. import kernels
from . import errors


def _choose(wanted):
    if wanted not in ("", "compiled", "reference"):
        raise errors.InvalidValue(
            f"There is no tensor core {wanted!r}.",
            given=f"MS_EXT_CORE={wanted}",
            hint="Set it to 'compiled' or 'reference', or leave it unset.",
        )
    compiled = kernels.get("tensor")  # None if the reference is wanted
    if compiled is not None:
        kernels.get("elementwise")  # registers its loops; without it NumPy computes
        return compiled
    if wanted == "compiled":
        raise errors.NotRunnable(
            "The compiled tensor core is not there.",
            given="MS_EXT_CORE=compiled",
            hint="Build it (./lab build), or unset the variable.",
        )
    from . import tensor_reference

    return tensor_reference


core = _choose(os.environ.get("MS_EXT_CORE", ""))
Tensor = core.Tensor
COMPILED = core.__name__.endswith("kernels.tensor")
