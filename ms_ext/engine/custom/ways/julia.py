"""``func_type="julia"``: refused, as MindSpore 2.10 does; older versions had it."""

from ... import errors
from ..way import Way, unknown
from . import WAYS


class Julia(Way):
    """Refused, in MindSpore's words."""

    func_type = "julia"
    compiles = "never: it is refused"
    when = "not here; MindSpore 2.10 has it no more"

    def __init__(self, name, func, reg_info=None):
        raise errors.InvalidValue(
            unknown("julia", func),
            hint="MindSpore 2.10 has no Julia any more. Write the function in Python "
            "(func_type='pyfunc'),\nas loops ('hybrid'), as a formula ('tbe'), or in C ('jit').",
        )


WAYS.add("julia", Julia)
