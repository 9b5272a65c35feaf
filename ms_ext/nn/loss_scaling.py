"""Training where gradients are too small for Float16: the loss is scaled up, the gradients down.

>>> from ms_ext import Tensor, nn
>>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
>>> optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1)
>>> manager = DynamicLossScaleUpdateCell(2**10, 2, 1000)
>>> step = TrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), optimizer, manager)
>>> loss, overflow, scale = step(Tensor([[1.0, 2.0]]), Tensor([[0.0]]))
>>> float(loss), bool(overflow), float(scale)
(9.0, False, 1024.0)
"""

from .. import ops
from ..common.parameter import Parameter
from ..dtype import bool_, float32, int32
from ..engine import errors
from ..engine.gradients.gradient import value_and_grad
from ..engine.tensor import Tensor
from ..ops.finite import unscaled_all
from .cell import Cell


class FixedLossScaleUpdateCell(Cell):
    """A loss scale that stays as it is.

    >>> FixedLossScaleUpdateCell(1024).get_loss_scale()
    1024
    """

    def __init__(self, loss_scale_value):
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self):
        """The scale at the beginning."""
        return self.loss_scale_value

    def construct(self, loss_scale, overflow):
        """Whether there was an overflow."""
        return overflow


class DynamicLossScaleUpdateCell(Cell):
    """A loss scale that falls after an overflow, and grows after ``scale_window`` steps without.

    >>> from ms_ext import Parameter, Tensor
    >>> cell, scale = DynamicLossScaleUpdateCell(8.0, 2, 1), Parameter(Tensor(8.0), name="scale")
    >>> bool(cell(scale, Tensor(True))), float(scale)
    (True, 4.0)
    """

    def __init__(self, loss_scale_value, scale_factor, scale_window):
        super().__init__()
        self.loss_scale_value = loss_scale_value
        self.scale_factor = Tensor(scale_factor, float32)
        self.scale_window = Tensor(scale_window, int32)
        self.cur_iter = Parameter(Tensor(1, int32), name="current_iterator_step")
        self.last_overflow_iter = Parameter(Tensor(0, int32), name="last_overflow_iterator_step")

    def get_loss_scale(self):
        """The scale at the beginning."""
        return self.loss_scale_value

    def construct(self, loss_scale, overflow):
        """Whether there was an overflow; ``loss_scale``, a Parameter, is written to."""
        fallen = ops.maximum(loss_scale / self.scale_factor, 1.0)
        scale = ops.where(overflow, fallen, loss_scale)
        long_enough = self.cur_iter - self.last_overflow_iter >= self.scale_window
        grows = ops.logical_and(long_enough, ops.logical_not(overflow))
        ops.assign(loss_scale, ops.where(grows, scale * self.scale_factor, scale))
        counts_anew = ops.logical_or(overflow, long_enough)
        last = ops.where(counts_anew, self.cur_iter, self.last_overflow_iter)
        ops.assign(self.last_overflow_iter, last)
        ops.assign(self.cur_iter, self.cur_iter + 1)
        return overflow


class TrainOneStepWithLossScaleCell(Cell):
    """A step of training with a scaled loss; no update where a gradient is not finite.

    Gives ``(loss, overflow, scale)``: whether there was an overflow, and the scale of this step.
    ``scale_sense``: a Cell that updates the scale, or the scale, a Tensor that ``set_sense_scale``
    changes. Errors: ValueError for a Tensor of more elements, TypeError for anything else.
    """

    def __init__(self, network, optimizer, scale_sense):
        super().__init__(auto_prefix=False)
        self.network, self.optimizer, self.weights = network, optimizer, optimizer.parameters
        network.set_grad()
        self.loss_scaling_manager = scale_sense if isinstance(scale_sense, Cell) else None
        self.scale_sense = Parameter(_first_scale(scale_sense), name="scale_sense")
        self.grad = value_and_grad(self.scaled, None, self.weights, True)

    def scaled(self, *inputs):
        """The loss times the scale, which the gradients are taken of, and the loss."""
        loss = self.network(*inputs)
        return loss * ops.cast(self.scale_sense, loss.dtype), loss

    def construct(self, *inputs):
        """The loss before the step, whether there was an overflow, the scale of the step."""
        scale = self.scale_sense * 1.0
        (_, loss), scaled = self.grad(*inputs)
        gradients = unscaled_all(scale, scaled)
        overflow = self.process_loss_scale(self.get_overflow_status(None, gradients))
        if not overflow:
            self.optimizer(gradients)
        return loss, overflow, scale

    def set_sense_scale(self, sens):
        """Take another scale, a Tensor.

        Errors: TypeError for anything else.
        """
        if not isinstance(sens, Tensor):
            raise errors.InvalidType(
                "For 'TrainOneStepWithLossScaleCell', the type of 'sens' must be Tensor, "
                f"but got {type(sens)}"
            )
        self.scale_sense.set_data(sens)

    def start_overflow_check(self, pre_cond, compute_input):
        """``(status, compute_input)``: what MindSpore's chips need; nothing has to be prepared."""
        return Tensor(False, bool_), compute_input

    def get_overflow_status(self, status, compute_output):
        """Whether any element of these gradients is not finite."""
        return ops.AllFinite(compute_output)

    def process_loss_scale(self, overflow):
        """Update the scale; gives whether there was an overflow."""
        if self.loss_scaling_manager is None:
            return overflow
        return self.loss_scaling_manager(self.scale_sense, overflow)


def _first_scale(scale_sense):
    if isinstance(scale_sense, Cell):
        return Tensor(float(scale_sense.get_loss_scale()), float32)
    if not isinstance(scale_sense, Tensor):
        raise errors.InvalidType(
            "For 'TrainOneStepWithLossScaleCell', the 'scale_sense' must be Cell or Tensor, "
            f"but got 'scale_sense' type: {type(scale_sense)}."
        )
    if scale_sense.shape not in ((), (1,)):
        raise errors.InvalidValue(
            "For 'TrainOneStepWithLossScaleCell', the shape of 'scale_sense' must be (1,) or (), "
            f"but got {scale_sense.shape}."
        )
    return scale_sense
