"""``func_type="aicpu"``: refused. Such kernels run on the CPUs of an Ascend device."""

from ... import errors
from ..way import Way, unsupported
from . import WAYS


class AiCpu(Way):
    """Refused, in MindSpore's words."""

    func_type = "aicpu"
    compiles = "never: it is refused"
    when = "not here; the same C++ runs as func_type='aot' or 'jit'"

    def __init__(self, name, func, reg_info=None):
        if reg_info is None:
            raise errors.InvalidValue(
                f"For 'Custom', 'func_type': aicpu, 'func': {func}, the registration information "
                "must be set, but current is None. Use 'CustomRegOp' to generate the registration "
                "information, then pass it to 'reg_info'",
                hint=INSTEAD,
            )
        raise errors.NotRunnable(unsupported("aicpu", name), hint=INSTEAD)


INSTEAD = (
    "An AI CPU kernel runs on an Ascend device, and there is none here. The same C++ runs on this\n"
    "CPU as func_type='aot' (a library) or 'jit' (its source)."
)

WAYS.add("aicpu", AiCpu)
