"""What does it mean when a kernel returns another number than 0, or throws? MindSpore's words."""

from ... import errors

_OWN = "It comes from the kernel's own code, or from what that calls."
_ATTRIBUTES = (
    "Give attributes with reg_info, CustomRegOp(...).attr(name, 'required', 'int', value=0), or "
    "with op.add_prim_attr(name, value)."
)


def failed(path, symbol, code, text, where):
    """The error for a kernel that returned ``code``, or threw something that says ``text``."""
    if text is None:
        return errors.NotRunnable(
            f"Return value from CPU AOT kernel({path})'s function({symbol}) is {code}. Any return "
            "value not equal to 0 will be treated as user defined error code and we will terminate "
            "execution. If termination is not your purpose, please set return value to 0.",
            hint=f"What {code} means stands in the source of {symbol}.",
            where=where,
        )
    return errors.NotRunnable(
        f"For 'Custom' on CPU, operator failed when executing user defined file {path}! "
        f"Error message is {text}",
        given=f"{symbol} threw it",
        hint=_ATTRIBUTES if "attribute '" in text else _OWN,
        where=where,
    )


def needs_border(what, path, where):
    """The error for what only the compiled border can do."""
    return errors.NotRunnable(
        f"For 'Custom' on CPU, {what} needs the compiled module 'border', which is not there.",
        given=str(path),
        hint="Build it (./lab build); the environment variable MS_EXT_CORE must not say reference. "
        "Or give out_shape and out_dtype, and use a kernel that needs no AotExtra.",
        where=where,
    )


_NO_INFERENCE = {
    "InferShape": "Get infer shape functions failed. The custom operator does not support dynamic "
    "shape yet, func name:{}. Add the cpp version of the infer shape function to support dynamic "
    "shape.",
    "InferType": "Get infer type functions failed.  func name:{}, Please add infer type function.",
}


def no_inference(path, symbol, ending, where):
    """The error where neither the op nor a function of the library says what comes out."""
    argument = {"InferShape": "out_shape", "InferType": "out_dtype"}[ending]
    return errors.NotRunnable(
        _NO_INFERENCE[ending].format(symbol),
        given=f"{argument} is not given, and {path} exports no {symbol}{ending}",
        hint=f"Give {argument}, or have the library export {symbol}{ending} "
        "(ms_ext/include/custom_aot_extra.h shows how it is declared).",
        where=where,
    )
