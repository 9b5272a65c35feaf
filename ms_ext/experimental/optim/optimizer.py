"""What do these optimizers share? Groups: dicts of Parameters and of what holds for them.

>>> import ms_ext as ms
>>> from ms_ext.experimental.optim import SGD
>>> a, b = [ms.Parameter(ms.Tensor([1.0]), name=name) for name in "ab"]
>>> optimizer = SGD([{"params": [a]}, {"params": [b], "lr": 0.5}], lr=0.1)
>>> [group["lr"].asnumpy().item() for group in optimizer.param_groups]
[0.10000000149011612, 0.5]
"""

from ... import ops
from ...common.parameter import Parameter, ParameterTuple
from ...common.tensor import Tensor
from ...dtype import float32, int32
from ...engine import errors
from ...engine.jit import jit
from ...nn.cell import Cell
from ...nn.optim import groups


class Optimizer(Cell):
    """The parent of optimizers with groups; a subclass writes ``update`` for one Parameter.

    ``defaults``: what holds where a group does not say it. Called with a tuple of gradients, one
    for each Parameter, in the order of the groups.
    """

    def __init__(self, params, defaults):
        super().__init__(auto_prefix=False)
        self.defaults, self.param_groups, self.parameters = defaults, [], ()
        self.starts = [0]  # where the Parameters of each group begin, and where the last ends
        given = groups.listed(params, "params")
        for group in given if isinstance(given[0], dict) else [{"params": given}]:
            self.add_param_group(group)
        self.parameters = ParameterTuple(self.parameters)
        self.state_step = Parameter(Tensor(0, int32), name="state_step")

    def add_param_group(self, param_group):
        """One more group; its learning rate becomes a Parameter, which a schedule writes to."""
        if not isinstance(param_group, dict):
            raise errors.InvalidType("Param group must be a dict.")
        members = _members(param_group["params"])
        if {id(p) for p in members} & {id(p) for p in self.parameters}:
            raise errors.InvalidValue("some parameters appear in more than one parameter group.")
        group = {**self.defaults, **param_group, "params": members}
        name = f"learning_rate_group_{len(self.param_groups)}"
        group["lr"] = Parameter(Tensor(_rate(group["lr"]), float32), name=name)
        self.param_groups.append(group)
        self.parameters = (*self.parameters, *members)
        self.starts.append(len(self.parameters))

    def state(self, prefix, init="zeros"):
        """Parameters like those that are optimized, which begin with ``init``."""
        return groups.state_of(self.parameters, prefix, init)

    def construct(self, gradients):
        """Move every Parameter along its gradient; True."""
        if not isinstance(gradients, (tuple, list)) or len(gradients) != self.starts[-1]:
            raise errors.NotRunnable(
                f"For '{type(self).__name__}', there must be one gradient for each Parameter.",
                given=f"{self.starts[-1]} Parameters",
                hint="Take them with value_and_grad(forward, None, optimizer.parameters).",
            )
        ops.assign_add(self.state_step, 1)
        for number, group in enumerate(self.param_groups):
            own = tuple(gradients[self.starts[number] : self.starts[number + 1]])
            rest = {key: group[key] for key in self.defaults if key != "lr"}
            self.implementation(number, own, group["lr"], rest)
        return True

    @jit
    def implementation(self, number, gradients, lr, group):
        """One group's step, compiled."""
        start = self.starts[number]
        for i, gradient in enumerate(gradients):
            self.update(start + i, -gradient if group["maximize"] else gradient, lr, group)

    def update(self, index, gradient, lr, group):
        """Move ``self.parameters[index]``; ``group`` tells what holds for it."""
        raise errors.NotOffered(
            f"A {type(self).__name__} has no update(self, index, gradient, lr, group).",
            hint="Write one that moves self.parameters[index].",
        )

    def extend_repr(self):
        """The groups, without their Parameters."""
        return "; ".join(_said(group) for group in self.param_groups)


def _said(group):
    told = {key: value for key, value in group.items() if key != "params"}
    told["lr"] = group["lr"].asnumpy().item()
    return ", ".join(f"{key}={value}" for key, value in sorted(told.items()))


def _members(given):
    members = [given] if isinstance(given, Parameter) else list(given)
    for each in members:
        if not isinstance(each, Parameter):
            raise errors.InvalidType(
                "Optimizer can only optimize Parameters, but one of the params is "
                f"{type(each).__name__}."
            )
    return members


def _rate(given):
    if isinstance(given, bool) or not isinstance(given, int | float | Tensor):
        raise errors.InvalidType(
            "For 'Optimizer', the argument 'learning_rate' must be int, float or Tensor, "
            f"but got {type(given)}."
        )
    if isinstance(given, Tensor) and given.ndim:
        raise errors.InvalidValue(
            "For 'Optimizer', if 'learning_rate' is a Tensor, then it should be scalar Tensor."
        )
    return not_below_zero("learning rate", float(given))


def not_below_zero(name, value):
    """A number that is 0 or more.

    >>> not_below_zero("epsilon value", 0.5)
    0.5
    """
    if not value >= 0:
        raise errors.InvalidValue(f"Invalid {name}: {value}", hint="It must be 0 or more.")
    return value
