"""Which functions does the library export? They are looked up by name, as in a shared library."""

import numpy as np

from ... import errors
from ..announcing import announced
from ..places import array_of, form_of
from .plan import FftType

OK, INVALID_TENSOR, OTHER_TYPE, NO_WORKSPACE = 0, 2, 3, 4
_WHY = {
    INVALID_TENSOR: "a tensor has not the shape of the plan",
    OTHER_TYPE: "the plan is of another fftType",
    NO_WORKSPACE: "the workspace is smaller than the plan asks for",
}


def why(status):
    """What a status that is not 0 means."""
    return _WHY.get(status, f"status {status}")


def _executing(name, kind):
    def execute(plan, given, made, workspace):
        if plan.param.fftType != kind:
            return OTHER_TYPE
        if not (
            _fits(given, plan.given, _takes_pairs(kind)) and _fits(made, plan.made, kind in _C)
        ):
            return INVALID_TENSOR
        if workspace is None or workspace.nbytes < plan.workspace:
            return NO_WORKSPACE
        with announced(name, "launch") as told:
            told.bytes = plan.workspace
            plan.run(array_of(given), array_of(made), workspace)
        return OK

    execute.__name__, execute.__doc__ = name, f"Run a plan of type {kind.name}; 0, or what failed."
    return execute


_C = (FftType.ASCEND_FFT_C2C, FftType.ASCEND_FFT_R2C)


def _takes_pairs(kind):
    return kind != FftType.ASCEND_FFT_R2C


def _fits(tensor, shape, is_complex):
    """Whether it has as many elements; complex ones may be pairs."""
    form = form_of(tensor)
    pairs = is_complex and not str(form.dtype).startswith("complex")
    if pairs and form.shape[-1:] != (2,):
        return False
    return form.size == int(np.prod(shape)) * (2 if pairs else 1)


SYMBOLS = {
    name: _executing(name, kind)
    for name, kind in [
        ("asdFftExecC2C", FftType.ASCEND_FFT_C2C),
        ("asdFftExecC2R", FftType.ASCEND_FFT_C2R),
        ("asdFftExecR2C", FftType.ASCEND_FFT_R2C),
    ]
}


def symbol(name):
    """The function called ``name``; MindSpore's error where the library has none."""
    found = SYMBOLS.get(name)
    if found is None:
        raise errors.NotRunnable(
            f"Get api {name} from libasdsip.so failed.",
            given=f"the op is called {name!r}",
            hint=errors.did_you_mean(name, SYMBOLS),
        )
    return found
