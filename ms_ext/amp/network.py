"""A network with its loss, an optimizer and mixed precision as one training Cell."""

from .. import dtype as dtypes
from .. import nn
from ..engine import errors
from ..nn.precision import told
from .levels import LEVELS, auto_mixed_precision, get_black_list
from .managers import DynamicLossScaleManager, LossScaleManager

_OPTIONS = {
    "O0": (dtypes.float32, False), "O1": (dtypes.float32, False), "O2": (dtypes.float16, True),
    "O3": (dtypes.float16, False), "auto": (dtypes.float32, False),
}  # fmt: skip
_KNOWN = ("cast_model_type", "keep_batchnorm_fp32", "loss_scale_manager")


def build_train_network(network, optimizer, loss_fn=None, level="O0", boost_level="O0", **kwargs):
    """The Cell that trains: a step gives the loss; with a loss scale ``(loss, overflow, scale)``.

    ``cast_model_type``, ``keep_batchnorm_fp32`` and ``loss_scale_manager`` replace what the level
    says: O2 has a DynamicLossScaleManager. Errors: ValueError for another option or level,
    TypeError for values of another type.

    >>> from ms_ext import Tensor, nn
    >>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    >>> optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1)
    >>> step = build_train_network(net, optimizer, nn.MSELoss(), level="O3")
    >>> step(Tensor([[1.0, 2.0]]), Tensor([[0.0]]))
    Tensor(shape=[], dtype=Float32, value= 9)
    """
    _check(network, optimizer, loss_fn, level, boost_level)
    kind, keep, manager = _options(level, kwargs)
    network = _in_precision(network, level, kind, keep, kwargs)
    if loss_fn is not None:
        half = network._float is not None or kind in (dtypes.float16, dtypes.bfloat16)
        network = _WithWideLoss(network, loss_fn) if half else nn.WithLossCell(network, loss_fn)
    scale = manager.get_loss_scale() if manager is not None else None
    update = manager.get_update_cell() if manager is not None else None
    if update is not None:
        return nn.TrainOneStepWithLossScaleCell(network, optimizer, update).set_train()
    return nn.TrainOneStepCell(network, optimizer, scale).set_train()


class _WithWideLoss(nn.Cell):
    """A network and its loss, which is calculated in Float32."""

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = backbone, loss_fn
        told(loss_fn, dtypes.float32)

    def construct(self, data, label):
        """The loss."""
        return self._loss_fn(self._backbone(data), label)


def _options(level, given):
    for name in given:
        if name not in _KNOWN:
            raise errors.InvalidValue(
                f"Unsupported arg '{name}'", hint=errors.did_you_mean(name, _KNOWN)
            )
    kind, keep = _OPTIONS[level]
    kind = given.get("cast_model_type", kind)
    keep = given.get("keep_batchnorm_fp32", keep)
    manager = given.get("loss_scale_manager", DynamicLossScaleManager() if level == "O2" else None)
    if kind not in (dtypes.float16, dtypes.float32):
        raise errors.InvalidType("cast_model_type must be float16 or float32.", given=repr(kind))
    if not isinstance(keep, bool):
        raise errors.InvalidType("keep_batchnorm_fp32 must be a bool.", given=repr(keep))
    if manager is not None and not isinstance(manager, LossScaleManager):
        raise errors.InvalidType(
            "loss_scale_manager must be a LossScaleManager.", given=type(manager).__name__
        )
    return kind, keep, manager


def _in_precision(network, level, kind, keep, given):
    if kind is dtypes.float16:
        network.to_float(kind)
        for _, cell in network.cells_and_names():
            if keep and isinstance(cell, tuple(get_black_list())):
                cell.to_float(dtypes.float32)
                told(cell, dtypes.float32, kind)
        return network
    if "cast_model_type" in given and level in ("O2", "O3"):
        return network
    return auto_mixed_precision(network, level)


def _check(network, optimizer, loss_fn, level, boost_level):
    if not isinstance(network, nn.Cell):
        raise errors.InvalidType("The network must be a Cell.", given=type(network).__name__)
    if not isinstance(optimizer, nn.Optimizer):
        raise errors.InvalidType(
            "The 'optimizer' must be an nn.Optimizer.", given=type(optimizer).__name__
        )
    if loss_fn is not None and not isinstance(loss_fn, nn.Cell):
        raise errors.InvalidType("The 'loss_fn' must be a Cell.", given=type(loss_fn).__name__)
    if not isinstance(level, str):
        raise errors.InvalidType(
            f"The argument `level` must be a string in {[*LEVELS]},but got type {type(level)}."
        )
    for name, value, known in (
        ("level", level, LEVELS), ("boost_level", boost_level, ("O0", "O1", "O2"))
    ):  # fmt: skip
        if value not in known:
            raise errors.InvalidValue(
                f"The {name} must be one of {', '.join(known)}.", given=repr(value)
            )
