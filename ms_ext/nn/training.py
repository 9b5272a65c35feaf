"""Cells around a network: with its loss, with its gradients, with one step of an optimizer.

>>> from ms_ext import Tensor, nn
>>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
>>> with_loss = WithLossCell(net, nn.MSELoss())
>>> with_loss(Tensor([[1.0, 2.0]]), Tensor([[0.0]]))
Tensor(shape=[], dtype=Float32, value= 9)
"""

import types

from .. import ops
from ..common.parameter import ParameterTuple
from ..engine import errors
from ..engine.gradients.gradient import value_and_grad
from .cell import Cell


class WithLossCell(Cell):
    """A network and its loss as one Cell: ``loss_fn(backbone(data), label)``.

    >>> from ms_ext import Tensor, nn
    >>> WithLossCell(nn.ReLU(), nn.L1Loss())(Tensor([2.0]), Tensor([0.5]))
    Tensor(shape=[], dtype=Float32, value= 1.5)
    """

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = backbone, loss_fn

    def construct(self, data, label):
        """The loss."""
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self):
        """The network."""
        return self._backbone


class WithEvalCell(Cell):
    """A network and its loss as one Cell that gives ``(loss, outputs, label)``.

    ``add_cast_fp32``: outputs and label are cast to Float32 before the loss.

    >>> from ms_ext import Tensor, nn
    >>> loss, outputs, label = WithEvalCell(nn.ReLU(), nn.L1Loss())(Tensor([2.0]), Tensor([0.5]))
    >>> float(loss), float(outputs.sum())
    (1.5, 2.0)
    """

    def __init__(self, network, loss_fn, add_cast_fp32=False):
        super().__init__(auto_prefix=False)
        if not isinstance(add_cast_fp32, bool):
            raise errors.InvalidType("add_cast_fp32 must be a bool.", given=repr(add_cast_fp32))
        self._network, self._loss_fn, self.add_cast_fp32 = network, loss_fn, add_cast_fp32

    def construct(self, data, label):
        """The loss, what it was calculated from."""
        outputs = self._network(data)
        if self.add_cast_fp32:
            label = ops.mixed_precision_cast("float32", label)
            outputs = ops.mixed_precision_cast("float32", outputs)
        return self._loss_fn(outputs, label), outputs, label


class WithGradCell(Cell):
    """The gradients of a network's Parameters: of its loss, or weighed with ``sens``.

    >>> from ms_ext import Tensor, nn
    >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
    >>> WithGradCell(net, nn.MSELoss())(Tensor([[3.0]]), Tensor([[1.0]]))[0]
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 1.20000000e+01]])
    """

    def __init__(self, network, loss_fn=None, sens=None):
        super().__init__(auto_prefix=False)
        self.network, self.loss_fn, self.sens = network, loss_fn, sens
        self.weights = ParameterTuple(network.trainable_params())
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.network_with_loss.set_train()
        self.grad = value_and_grad(
            self.network_with_loss, None, self.weights, sens_param=sens is not None
        )

    def construct(self, *inputs):
        """A gradient for each Parameter that is trained."""
        return self.grad(*inputs)[1] if self.sens is None else self.grad(*inputs, self.sens)[1]


class ForwardValueAndGrad(Cell):
    """What a network gives, and gradients: of the first input, of all (``get_all``), of weights.

    ``get_by_list``: of ``weights``. ``sens_param``: the last input weighs the outputs.

    >>> from ms_ext import Tensor, nn
    >>> value, gradient = ForwardValueAndGrad(nn.ReLU())(Tensor([2.0, -1.0]))
    >>> gradient
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  0.00000000e+00])
    """

    def __init__(self, network, weights=None, get_all=False, get_by_list=False, sens_param=False):
        super().__init__(auto_prefix=False)
        if not isinstance(network, Cell | types.FunctionType | types.MethodType):
            raise errors.InvalidType(
                "For 'ForwardValueAndGrad', the argument 'network' must be cell, function type or "
                f"method type, but got '{type(network)}'"
            )
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list)):
            if not isinstance(value, bool):
                raise errors.InvalidType(
                    f"For 'ForwardValueAndGrad', the type of '{name}' must be bool, "
                    f"but got '{type(value)}'"
                )
        if get_by_list and not isinstance(weights, tuple | list):
            raise errors.InvalidType(
                "For 'ForwardValueAndGrad', when 'get_by_list' is set to True, the argument "
                f"'weights' must be Parameters array, but got '{type(weights)}'"
            )
        if isinstance(network, Cell):
            network.set_grad()
        self.network, self.weights = network, weights
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def construct(self, *inputs):
        """``(value, gradients)``."""
        weights = self.weights if self.get_by_list else None
        places = None if self.get_by_list else 0
        if self.get_all:
            places = tuple(range(len(inputs) - int(self.sens_param)))
        found = value_and_grad(self.network, places, weights, sens_param=self.sens_param)
        return found(*inputs)


class TrainOneStepCell(Cell):
    """One step of training: the loss, its gradients, an update by the optimizer; gives the loss.

    ``sens`` is what the gradients are multiplied by. ``return_grad``: gives ``(loss, gradients by
    name)``. Errors: ValueError for ``sens`` 0.

    >>> from ms_ext import Tensor, nn
    >>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    >>> optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1)
    >>> step = TrainOneStepCell(WithLossCell(net, nn.MSELoss()), optimizer)
    >>> step(Tensor([[1.0, 2.0]]), Tensor([[0.0]]))
    Tensor(shape=[], dtype=Float32, value= 9)
    >>> net.bias.value()
    Tensor(shape=[1], dtype=Float32, value= [-6.00000024e-01])
    """

    def __init__(self, network, optimizer, sens=None, return_grad=False):
        super().__init__(auto_prefix=False)
        if sens == 0:
            raise errors.InvalidValue("The input argument of 'sens' can not be 0.")
        self.network, self.optimizer = network, optimizer
        network.set_grad()
        self.weights = optimizer.parameters
        self.sens, self.return_grad = 1.0 if sens is None else sens, return_grad
        self.names = tuple(p.name for p in self.weights)
        self.grad = value_and_grad(
            network if sens is None else self.scaled, None, self.weights, sens is not None
        )

    def scaled(self, *inputs):
        """The loss times ``sens``, which the gradients are taken of, and the loss."""
        loss = self.network(*inputs)
        return loss * self.sens, loss

    def construct(self, *inputs):
        """The loss before the step."""
        value, gradients = self.grad(*inputs)
        loss = value[1] if isinstance(value, tuple) else value
        self.optimizer(gradients)
        if self.return_grad:
            return loss, dict(zip(self.names, gradients, strict=True))
        return loss
