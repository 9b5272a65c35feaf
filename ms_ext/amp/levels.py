"""Which Cells of a network calculate in half floats?

| level | in half floats | in Float32 |
|---|---|---|
| O0 | none | all |
| O1 | the white list: matrix products, convolutions | all others, and all results |
| auto | the white list, whose results stay half floats | the black list |
| O2 | all others | the black list: normalizations; and the results of the network |
| O3 | all | the results of the network |

Parameters stay Float32; they are cast where they are used. A list names Cells, not ops.
"""

import warnings

from .. import dtype as dtypes
from .. import nn
from ..engine import errors
from ..nn.precision import told

_WHITE = (
    "Conv1d", "Conv2d", "Conv3d", "Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose", "Dense",
    "LSTMCell", "RNNCell", "GRUCell",
)  # fmt: skip
_BLACK = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LayerNorm")
LEVELS = ("O0", "O1", "O2", "O3", "auto")


def _classes(names):
    return [getattr(nn, name) for name in names if name in nn.__all__]


def get_white_list():
    """The Cells that level O1 has in half floats, in a new list.

    >>> from ms_ext import nn
    >>> nn.Dense in get_white_list()
    True
    """
    return _classes(_WHITE)


def get_black_list():
    """The Cells that level O2 has in Float32, in a new list.

    >>> from ms_ext import nn
    >>> nn.LayerNorm in get_black_list()
    True
    """
    return _classes(_BLACK)


def auto_mixed_precision(network, amp_level="O0", dtype=dtypes.float16):
    """The network, calculating in half floats as its level says.

    Errors: TypeError for what is no Cell, ValueError for another level or dtype.

    >>> import ms_ext as ms
    >>> from ms_ext import Tensor, nn
    >>> net = auto_mixed_precision(nn.SequentialCell(nn.Dense(2, 2), nn.ReLU()), "O2")
    >>> net[0](Tensor([[1.0, 2.0]])).dtype, net(Tensor([[1.0, 2.0]])).dtype
    (mindspore.float16, mindspore.float32)
    """
    _check(network, dtype, f"For amp_level '{amp_level}', the network type should be Cell.")
    if amp_level not in LEVELS:
        raise errors.InvalidValue(
            f"The amp level {amp_level} is not supported", hint=f"Known: {', '.join(LEVELS)}."
        )
    if amp_level == "O0":
        return network
    before = vars(network).get("_amp_level")
    if before is not None:
        warnings.warn(
            f"The network's auto mixed-precision level is adjusted from {before} to {amp_level}.",
            errors.MsExtWarning,
            stacklevel=2,
        )
    if amp_level in ("O1", "auto"):
        results = dtypes.float32 if amp_level == "O1" else None
        _with_white_list(network, get_white_list(), dtype, results)
    if amp_level == "auto":
        _tell(network, get_black_list(), dtypes.float32, None)
    if amp_level in ("O2", "O3"):
        _with_black_list(network, get_black_list() if amp_level == "O2" else [], dtype)
    network._amp_level = amp_level
    return network


def custom_mixed_precision(network, *, white_list=None, black_list=None, dtype=dtypes.float16):
    """The network with the Cells of a white list in half floats, or all but those of a black list.

    Errors: TypeError for what is no Cell or no list of Cell classes, ValueError for both lists,
    none, or another dtype.

    >>> import ms_ext as ms
    >>> from ms_ext import Tensor, nn
    >>> net = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())
    >>> net = custom_mixed_precision(net, black_list=[nn.ReLU])
    >>> net(Tensor([[1.0, 2.0]])).dtype
    mindspore.float32
    """
    _check(network, dtype, "The network type should be Cell.")
    if (white_list is None) == (black_list is None):
        raise errors.InvalidValue(
            "For custom_mixed_precision, one of white_list and black_list must be provided.",
            given="neither" if white_list is None else "both",
        )
    name, given = ("white_list", white_list) if black_list is None else ("black_list", black_list)
    if not isinstance(given, list):
        raise errors.InvalidType(f"The type of {name} should be list, but got {type(given)}")
    for each in given:
        if not (isinstance(each, type) and issubclass(each, nn.Cell)):
            raise errors.InvalidType(
                f"The element in {name} should be a class of Cells, but got {each}"
            )
    if black_list is None:
        _with_white_list(network, given, dtype, dtypes.float32)
    else:
        _with_black_list(network, given, dtype)
    return network


def _check(network, dtype, message):
    if not isinstance(network, nn.Cell):
        raise errors.InvalidType(message, given=type(network).__name__)
    if dtype not in (dtypes.float16, dtypes.bfloat16):
        raise errors.InvalidValue(
            f"The dtype should be one of (mstype.float16, mstype.bfloat16), but got {dtype}."
        )


def _with_white_list(network, classes, dtype, results):
    _tell(network, classes, dtype, results)
    network.forget_compiled()


def _with_black_list(network, classes, dtype):
    network.to_float(dtype)
    _tell(network, classes, dtypes.float32, dtype)
    told(network, network._float, dtypes.float32)
    network.forget_compiled()


def _tell(cell, classes, dtype, results):
    """Tell the Cells of these classes, and what is inside of them, a dtype."""
    if isinstance(cell, tuple(classes)):
        cell.to_float(dtype)
        told(cell, dtype, results)
        return
    for inner in cell.cells():
        _tell(inner, classes, dtype, results)
