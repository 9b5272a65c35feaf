"""What is this custom op? The text of ``op.describe()``: way, place, cost, gradient, promises."""

import inspect

from .. import errors
from ..ir import Where
from .gradient import place

#: Formats of memory that a kernel of MindSpore's may ask for; tensors here have one, "ND".
FORMATS = (
    "ND", "DefaultFormat", "NCHW", "NHWC", "HWCN", "NC1HWC0", "FRACTAL_Z", "FRACTAL_NZ",
    "FRACTAL_ZZ", "C1HWNCoC0", "NC1HWC0_C04", "FRACTAL_Z_C04", "NDHWC", "NCDHW", "NDC1HWC0",
    "FRACTAL_Z_3D", "NCL",
)  # fmt: skip
PLAIN = ("ND", "DefaultFormat")


def described(custom):
    """Lines of a word and what it says, the words in a column."""
    pairs = [
        ("op", f"{custom.__name__}, func_type {custom.way.func_type!r}"),
        ("given", _given(custom.func)),
        ("compiled", custom.way.compiles or "never"),
        ("use it", custom.way.when),
        ("runs", _runs(custom)),
        *custom.way.describe(),
        ("inputs", _inputs(custom.way.takes)),
        ("results", _results(custom.declared)),
        ("gradient", _gradient(custom)),
        ("pure", _purity(custom)),
        ("cost", _cost(custom.traits)),
        ("in place", _aliases(custom.traits)),
        ("format", _format(custom.reg_format)),
    ]
    pairs = [(word, text) for word, text in pairs if text]
    width = max(len(word) for word, _ in pairs)
    return "\n".join([f"{word:<{width}}  {text}" for word, text in pairs])


def _given(func):
    if isinstance(func, str):
        first = func.strip().splitlines()[0] if func.strip() else ""
        return f"{first:.70}" + (" ..." if "\n" in func.strip() else "")
    where = place(func)
    return f"{getattr(func, '__name__', type(func).__name__)}" + (f", {where}" if where else "")


def _runs(custom):
    if custom.meaning is not None:
        return "as the ops it is made of, which the backend fuses with their neighbours"
    return "on the CPU, through the stages; in a graph as one node"


def _inputs(takes):
    fewest, most = takes
    if most is None:
        return f"{fewest} or more" if fewest else "any number"
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def _results(declared):
    if declared.says_nothing():
        return ""
    return f"out_shape {_word(declared.shape)}, out_dtype {_word(declared.dtype)}"


def _word(value):
    if not callable(value) or isinstance(value, type):
        return str(value)
    where = place(value)
    return f"by {getattr(value, '__name__', type(value).__name__)}" + (
        f" ({where})" if where else ""
    )


def _gradient(custom):
    if custom.bprop is not None:
        where, name = place(custom.bprop), getattr(custom.bprop, "__name__", "bprop")
        at = f" ({where})" if isinstance(where, Where) else ""
        return f"{name}{_signature(custom.bprop)}{at}"
    if custom.meaning is not None:
        return "that of the ops it is made of"
    return "none: give bprop=, `def bprop(x, y, out, dout): return dx, dy`"


def _signature(function):
    try:
        return str(inspect.signature(function))
    except (TypeError, ValueError):  # a builtin that does not say
        return "(...)"


def _purity(custom):
    if custom.meaning is not None and custom.bprop is None:
        return "yes, as the ops it is made of"
    if custom.traits.pure:
        return "yes, as declared: equal calls are one call, a call on constants is calculated once"
    return "not declared (op.pure()): every call happens"


def _cost(traits):
    if traits.flops is None and traits.bytes is None:
        return "not declared (op.costs(flops=..., bytes=...))"
    parts = [f"{word} {_word(value)}" for word, value in (
        ("flops", traits.flops), ("bytes", traits.bytes)) if value is not None]  # fmt: skip
    return ", ".join(parts)


def _aliases(traits):
    return ", ".join([f"result {r} is written into input {i}" for r, i in traits.aliases])


def check_format(given):
    """Refuse what is not the name of a format."""
    if given is not None and given not in FORMATS:
        raise errors.InvalidValue(
            "For 'Custom', 'reg_format' must name a format of memory.",
            given=f"{given!r:.60}",
            hint=errors.did_you_mean(given, FORMATS),
        )


def _format(given):
    if given is None:
        return ""
    if given in PLAIN:
        return f"{given}: elements lie one after the other"
    return f"{given}: changes nothing here, on a CPU every tensor lies as ND"
