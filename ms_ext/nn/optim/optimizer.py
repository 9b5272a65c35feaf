"""What do all optimizers share? The Parameters, what is remembered of each, rates and decays.

>>> import ms_ext as ms
>>> from ms_ext import nn, ops
>>> class Descent(Optimizer):
...     def __init__(self, params, learning_rate=0.1):
...         super().__init__(learning_rate, params)
...     def construct(self, gradients):
...         lr = self.get_lr()
...         for i, parameter in enumerate(self.parameters):
...             ops.assign_sub(parameter, lr * gradients[i])
...         return True
>>> weight = ms.Parameter(ms.Tensor([1.0]), name="weight")
>>> Descent([weight])((ms.Tensor([5.0]),)), weight.asnumpy()
(True, array([0.5], dtype=float32))
"""

from ... import ops
from ...common.initializer import initializer
from ...common.parameter import Parameter, ParameterTuple
from ...common.tensor import Tensor
from ...dtype import float32, int32
from ...engine import errors
from ...engine.jit import jit
from ..arguments import check_number
from ..cell import Cell
from ..containers import CellList
from . import groups


class Optimizer(Cell):
    """The parent of optimizers: called with a tuple of gradients, one for each Parameter.

    A subclass says with ``state`` what it remembers of each Parameter, and in ``update`` how one
    moves; or it writes ``construct`` anew. What is here is compiled at the first step, in both
    modes: rates and decays, then ``update`` for every Parameter, in as few kernels as possible.
    """

    def __init__(self, learning_rate, parameters, weight_decay=0.0, loss_scale=1.0):
        super().__init__(auto_prefix=False)
        owner = self.cls_name
        self.loss_scale = check_number(owner, "loss_scale", loss_scale, above=0.0, whole_too=True)
        self.global_step = Parameter(initializer(0, [1], int32), name="global_step")
        parameters = groups.listed(parameters)  # a generator is read once
        found, self.is_group_lr = groups.settings(owner, parameters, learning_rate, weight_decay)
        rates = [each.rate for each in found]
        self.is_group = bool(isinstance(parameters[0], dict))
        self.dynamic_lr = any(isinstance(rate, Cell) for rate in rates)
        self._keep_rates(rates)
        self.parameters = self._parameters = groups.tuple_of([each.parameter for each in found])
        self._keep_decays(found)
        self.param_length = len(found)

    def _keep_rates(self, rates):
        if not self.is_group_lr:
            self.learning_rate = rates[0]
        elif self.dynamic_lr:
            cells = [rate if isinstance(rate, Cell) else _Constant(rate) for rate in rates]
            self.learning_rate = CellList(cells, auto_prefix=False)
        else:
            self.learning_rate = ParameterTuple(rates)

    def _keep_decays(self, found):
        decays = [each.decay for each in found]
        self.dynamic_weight_decay = any(isinstance(decay, Cell) for decay in decays)
        self._decays = [d if isinstance(d, Cell) else Tensor(d, float32) for d in decays]
        self.weight_decay = tuple(self._decays) if self.is_group else self._decays[0]
        wanted = [isinstance(decay, Cell) or decay > 0 for decay in decays]
        if not self.is_group:  # the scale and shift of a normalization layer are left alone
            names = [each.parameter.name for each in found]
            wanted = [
                flag and "beta" not in name and "gamma" not in name
                for flag, name in zip(wanted, names, strict=True)
            ]
        self.decay_flags = tuple(wanted)
        self.exec_weight_decay = any(wanted)
        self.grad_centralization_flags = tuple(each.centralized for each in found)

    def state(self, prefix, init="zeros"):
        """Parameters like those that are optimized, which begin with ``init``.

        Their names are ``prefix``, a dot, and the Parameter's name.
        """
        return groups.state_of(self.parameters, prefix, init)

    # one step -----------------------------------------------------------------------------------

    @jit
    def construct(self, gradients):
        """Move every Parameter along its gradient."""
        gradients, each = self.prepared(gradients), range(self.param_length)
        rates, decays = self.rates(), self.decays()  # of the steps before this one
        self.begin_step()
        return tuple([self.update(i, gradients[i], rates[i], decays[i]) for i in each])

    def begin_step(self):
        """What is counted once a step."""
        ops.assign_add(self.global_step, 1)

    def update(self, index, gradient, lr, decay):
        """Move ``self.parameters[index]``; True.

        ``decay`` is part of the gradient already, unless the subclass writes ``prepared`` anew.
        """
        raise errors.NotOffered(
            f"A {type(self).__name__} has neither update(self, index, gradient, lr, decay) nor "
            "construct.",
            hint="Write one of them; SGD is an example.",
        )

    def prepared(self, gradients):
        """The gradients with decay, centralized, without the loss scale."""
        self.check(gradients)
        gradients = self.decay_weight(gradients)
        return self.scale_grad(self.gradients_centralization(gradients))

    def check(self, gradients):
        """Refuse gradients that are not one for each Parameter, of its shape."""
        if not isinstance(gradients, (tuple, list)) or len(gradients) != self.param_length:
            count = len(gradients) if isinstance(gradients, (tuple, list)) else "one value"
            raise errors.NotRunnable(
                f"For '{type(self).__name__}', there must be one gradient for each Parameter.",
                given=f"{count}, and {self.param_length} Parameters",
                hint="Take them with value_and_grad(forward, None, optimizer.parameters).",
            )
        for i in range(self.param_length):
            if gradients[i].shape != self.parameters[i].shape:
                raise errors.ShapeMismatch(
                    f"For '{type(self).__name__}', a gradient has another shape than the Parameter "
                    f"{self.parameters[i].name!r}.",
                    given=f"{list(gradients[i].shape)} and {list(self.parameters[i].shape)}",
                    hint="Give the gradients in the order of optimizer.parameters.",
                )

    def decay_weight(self, gradients):
        """gradient + weight_decay * Parameter, where there is decay.

        The gradient is loss_scale times too large still, and so is what is added.
        """
        if not self.exec_weight_decay:
            return gradients
        decays = self.decays()
        return tuple(
            [
                gradients[i] + self._scaled_decay(decays[i], gradients[i]) * self.parameters[i]
                if self.decay_flags[i]
                else gradients[i]
                for i in range(self.param_length)
            ]
        )

    def _scaled_decay(self, decay, gradient):
        return ops.cast(decay * self.loss_scale, gradient.dtype)

    def gradients_centralization(self, gradients):
        """Each gradient minus its mean over all axes but the first, in the groups that say so.

        Where the second size is no multiple of 16 it stays, as in MindSpore.
        """
        if True not in self.grad_centralization_flags:
            return gradients
        return tuple(
            [
                _centralized(gradients[i]) if self.grad_centralization_flags[i] else gradients[i]
                for i in range(self.param_length)
            ]
        )

    def scale_grad(self, gradients):
        """The gradients divided by the loss scale."""
        if self.loss_scale == 1.0:
            return gradients
        factor = 1.0 / self.loss_scale
        return tuple([gradients[i] * factor for i in range(self.param_length)])

    # rates --------------------------------------------------------------------------------------

    def get_lr(self):
        """The learning rate now: a Tensor, or a tuple of one for each Parameter if groups differ.

        >>> from ms_ext import nn
        >>> nn.SGD(nn.Dense(1, 1).trainable_params(), learning_rate=0.5).get_lr().item()
        0.5
        """
        if not self.is_group_lr:
            return self._rate(self.learning_rate) if self.dynamic_lr else self.learning_rate
        if not self.dynamic_lr:
            return self.learning_rate
        return tuple([self._rate(each) for each in self.learning_rate])

    def _rate(self, schedule):
        return ops.reshape(schedule(self.global_step), ())

    def rates(self):
        """The learning rate of each Parameter."""
        lr = self.get_lr()
        return lr if self.is_group_lr else [lr] * self.param_length

    def get_weight_decay(self):
        """The weight decay now, or a tuple of one for each Parameter where there are groups."""
        return tuple(self.decays()) if self.is_group else self.decays()[0]

    def decays(self):
        """The weight decay of each Parameter."""
        return [self._rate(each) if isinstance(each, Cell) else each for each in self._decays]

    def get_lr_parameter(self, param):
        """The Parameter (or schedule) that holds the learning rate of a Parameter, or of a list.

        >>> from ms_ext import nn
        >>> layer = nn.Dense(1, 1)
        >>> nn.SGD(layer.trainable_params(), 0.5).get_lr_parameter(layer.weight).name
        'learning_rate'
        """
        if isinstance(param, list):
            return [self.get_lr_parameter(each) for each in param]
        if not isinstance(param, Parameter):
            raise errors.InvalidType(
                "For 'get_lr_parameter', the 'param' must be 'Parameter' or 'list' type, "
                f"but got {type(param)}."
            )
        places = [i for i, each in enumerate(self.parameters) if each is param]
        if not places:
            raise errors.InvalidValue(
                f"For 'get_lr_parameter', the parameter {param.name} is not in optimizer, please "
                "check whether the argument 'param' is correct."
            )
        rate = self.learning_rate[places[0]] if self.is_group_lr else self.learning_rate
        holds = isinstance(rate, _Constant | groups.IteratorLearningRate)
        return rate.learning_rate if holds else rate


class _Constant(Cell):
    """A learning rate that stays, among others that do not."""

    def __init__(self, learning_rate):
        super().__init__()
        self.learning_rate = learning_rate

    def construct(self, global_step):
        """The rate."""
        return self.learning_rate


def _centralized(gradient):
    if len(gradient.shape) < 2 or gradient.shape[1] % 16:
        return gradient
    axes = tuple(range(1, len(gradient.shape)))
    return gradient - ops.mean(gradient, axis=axes, keep_dims=True)
