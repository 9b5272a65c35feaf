"""What may ``ops.Custom`` be given? The checks of its arguments, before a way looks at them."""

import re

from .. import errors, strict
from . import describing
from .way import THERE, unknown
from .ways import WAYS


def named(func):
    """A short name for the op: the function's, or the symbol or file that a text names."""
    if not isinstance(func, str):
        return getattr(func, "__name__", type(func).__name__)
    if "\n" in func.strip():
        return "source"
    last = func.rpartition(":")[2].rpartition("/")[2].partition(".")[0].strip()
    return last if re.fullmatch(r"[\w-]+", last) else "formula"


def check(func, func_type, out_shape, bprop, reg_info, reg_format):
    """Refuse what no way could make an op of."""
    if strict.on():
        _check_as_mindspore(func, func_type, out_shape, reg_format)
    if func_type not in WAYS:
        hint = errors.did_you_mean(str(func_type), WAYS.names())
        raise errors.InvalidValue(unknown(func_type, func), hint=hint)
    if not callable(func) and not isinstance(func, str):
        raise errors.InvalidType(
            f"For 'Custom', 'func' must be of type function or str, but got {type(func)}",
            given=f"{func!r:.60}",
            hint="Pass a function, or a text such as \"./my_ops.so:my_mul\" for func_type='aot'.",
        )
    if bprop is not None and not callable(bprop) and not strict.on():  # MindSpore says it later
        raise errors.InvalidType(
            f"For 'Custom', 'bprop': {type(bprop).__name__!r} object is not callable.",
            given=f"{bprop!r:.60}",
            hint="Pass `def bprop(x, y, out, dout): return dx, dy`.",
        )
    if reg_info is not None and not isinstance(reg_info, dict | str):
        raise errors.InvalidType(
            "For 'Custom', 'reg_info' must be a dict or a JSON text.", given=f"{reg_info!r:.60}"
        )
    describing.check_format(reg_format)


def _check_as_mindspore(func, func_type, out_shape, reg_format):
    if reg_format is not None:
        raise errors.InvalidType(
            "Custom.__init__() got an unexpected keyword argument 'reg_format'",
            hint="Leave it out: MindSpore 2.10 has no such argument.",
        )
    if func_type not in THERE:
        hint = "The articles' func_type 'mindir', and 'jit', work where strict is not set."
        raise errors.InvalidValue(unknown(func_type, func), hint=hint)
    if func_type == "aot" and not callable(out_shape) and out_shape is not None:
        if isinstance(func, str) and ":" not in func:
            raise errors.InvalidType(
                f"For 'Custom', 'func_type': aot, 'func': {func}, 'func' should be like "
                f"'file_name:func_name', but got {func}",
                hint='Name the library, too: "./libmy_mul.so:my_mul".',
            )
