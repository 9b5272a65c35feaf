"""``func_type="akg"``: refused. AKG, which compiles such kernels, is no part of this package."""

from ... import errors
from ..way import Way
from . import WAYS


class Akg(Way):
    """Refused, in MindSpore's words."""

    func_type = "akg"
    compiles = "never: it is refused"
    when = "not here; loops run as func_type='hybrid'"

    def __init__(self, name, func, reg_info=None):
        if not callable(func):
            raise errors.InvalidType(f"{func!r} is not a callable object", hint=INSTEAD)
        raise errors.NotRunnable("Get response before Open() error.", hint=INSTEAD)


INSTEAD = (
    "AKG is not here. The same loops run as func_type='hybrid' (@kernel), which needs no AKG;\n"
    "an elementwise formula as 'tbe', a kernel in C as 'jit' or 'aot'."
)

WAYS.add("akg", Akg)
