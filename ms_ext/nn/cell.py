"""What is a Cell? An object with Parameters, Cells inside it, and a ``construct`` that uses them.

>>> class Net(Cell):
...     def __init__(self):
...         super().__init__()
...         self.w = Parameter(Tensor([2.0]))
...     def construct(self, x):
...         return x * self.w
>>> net = Net()
>>> net(Tensor([3.0])), [p.name for p in net.get_parameters()]
(Tensor(shape=[1], dtype=Float32, value= [ 6.00000000e+00]), ['w'])
"""

from .. import context
from ..common.parameter import Parameter, ParameterTuple
from ..engine import errors
from ..engine.declared_inputs import declare_inputs
from .cell_graphs import CellGraph
from .cell_members import Members, children
from .cell_state import Stateful
from .hookable import Hookable
from .precision import Precise

_told = [0]  # how often any Cell was told whether it is being trained, or got a Cell inside


class Cell(Members, Stateful, Hookable, Precise):
    """The parent of every network and layer: write ``__init__`` and ``construct``.

    A Cell with a method ``bprop(self, *inputs, out, dout)`` has that for its gradient: one for each
    input of ``construct``, in a tuple. Its Parameters get none. ``nn.hookable`` tells of hooks,
    ``nn.cell_members`` of names, ``nn.cell_state`` of buffers and ``state_dict``.
    """

    def __init__(self, auto_prefix=True, flags=None):
        vars(self).update(
            _auto_prefix=auto_prefix, training=False, requires_grad=False, _compiled=None,
            _ways={}, _known=None, _hooks=None, _again=None, _plain=not self.has_bprop,
        )  # fmt: skip

    @property
    def cls_name(self):
        """The name of the class."""
        return type(self).__name__

    def construct(self, *inputs):
        """What the Cell calculates; every Cell that is called has its own."""
        raise errors.UnknownAttribute(
            "For 'Cell', the method 'construct' is not defined.",
            given=f"a {type(self).__name__}",
            hint="Define `def construct(self, x): ...` in the class.",
        )

    def __call__(self, *args, **kwargs):
        if "_auto_prefix" not in vars(self):
            raise _not_initialized(self, "_auto_prefix")
        if (
            context.get_context("mode") != context.GRAPH_MODE
            or type(self).construct is Cell.construct
        ):
            return self.construct(*args, **kwargs) if self._plain else self._run(args, kwargs)
        return self._in_graph_mode()(*args, **kwargs)

    def _in_graph_mode(self):
        """What is compiled: once for the Cells inside and for what ``training`` is there."""
        if self._compiled is None or self._known != _told[0]:
            from ..engine.jit import jit

            way = tuple([(cell, cell.training) for _, cell in self.cells_and_names()])
            if way not in self._ways:
                self._ways[way] = jit(self.graph_function())
            vars(self).update(_compiled=self._ways[way], _known=_told[0])
        return self._compiled

    def graph(self, *inputs, **kwargs):
        """The optimised graph that runs for these inputs in graph mode, or under ``jit``.

        >>> from ms_ext.nn import ReLU
        >>> [node.primitive.name for node in ReLU().graph(Tensor([1.0])).order()]
        ['ReLU']
        """
        compiled = self.construct if hasattr(self.construct, "graph") else self._in_graph_mode()
        return compiled.graph(*inputs, **kwargs)

    def graph_function(self):
        """What graph mode reads where the Cell is called."""
        return self.construct if self._plain else CellGraph(self)

    def set_inputs(self, *inputs, **kwargs):
        """Say what the inputs of ``construct`` are like: the Cell is compiled once for all such.

        Each is a Tensor made of a shape and a dtype, with None for a size that may be any; what is
        no Tensor stays as it comes. By position all of them, by name those that are given.

        >>> import ms_ext as ms
        >>> from ms_ext import nn
        >>> net = nn.ReLU()
        >>> net.set_inputs(ms.Tensor(shape=[None, 2], dtype=ms.float32))
        >>> net.get_inputs()[0].shape
        (-1, 2)
        """
        declared = declare_inputs(self.construct, inputs, kwargs)
        vars(self).update(inputs_declared=declared, _inputs=inputs or kwargs)
        vars(self).update(_compiled=None, _ways={})

    def get_inputs(self):
        """What ``set_inputs`` was given; None before."""
        return vars(self).get("_inputs")

    # attributes ---------------------------------------------------------------------------------

    def __setattr__(self, name, value):
        mine = vars(self)
        if "_auto_prefix" not in mine:
            raise _not_initialized(
                self, "_auto_prefix" if isinstance(value, Cell) else "_cells", value
            )
        known = mine.get(name)
        if known is None and "_listed" in mine:
            known = mine["_listed"].get(name)
        _check_replacement(mine, known, name, value)
        if name == "training" or isinstance(value, Cell):
            self.forget_compiled()
        if isinstance(value, Parameter):
            if value.is_unnamed:
                value.name = name
        elif isinstance(value, Cell):
            if self._auto_prefix:
                value.update_parameters_name(f"{name}.")
        elif isinstance(value, list | tuple) and value and isinstance(value[0], Parameter):
            self._keep_several(value)
        elif isinstance(known, Parameter) and value is not None:
            known.set_data(value)
            return
        mine[name] = value

    def _keep_several(self, value):
        """The items of a ParameterTuple are Parameters of the Cell; those of a list are not."""
        if any(not isinstance(item, Parameter) for item in value):
            return
        names: dict = {}
        for item in value:
            if item.is_unnamed and isinstance(value, ParameterTuple):
                vars(self)["_unnamed"] = vars(self).get("_unnamed", 0) + 1
                item.name = f"Parameter${self._unnamed}"
            if names.setdefault(item.name, item) is not item:
                raise errors.InvalidValue(
                    f"The value {value} , its name '{item.name}' already exists. "
                    "Please set a unique name for the parameter."
                )
        if isinstance(value, ParameterTuple):
            vars(self)["_listed"] = vars(self).get("_listed", {}) | names

    def forget_compiled(self):
        """What is compiled may have changed: a Cell in the tree, or whether it is trained."""
        _told[0] += 1

    def __getattr__(self, name):
        if "_auto_prefix" not in vars(self):
            raise _not_initialized(self, name)
        if name in vars(self).get("_listed", ()):
            return self._listed[name]
        known = [k for k in (*vars(self), *dir(type(self))) if not k.startswith("_")]
        hint = errors.did_you_mean(name, known)
        raise errors.UnknownAttribute(
            f"The '{type(self).__name__}' object has no attribute '{name}'.", hint=hint
        )

    # how it looks and whether it is trained -------------------------------------------------------

    def set_train(self, mode=True):
        """Say whether the network is being trained, here and in the Cells inside; returns the Cell.

        In graph mode a Cell is compiled for each, so a layer as Dropout does what it says by then.
        A function with ``@jit`` keeps what it was when the function was compiled.

        >>> from ms_ext.nn import Dense
        >>> Dense(1, 1).set_train().training
        True
        """
        self.forget_compiled()
        return self.add_flags_recursive(training=bool(mode))

    def extend_repr(self):
        """What a layer says of itself between the brackets."""
        return ""

    def __repr__(self):
        own, inside = self.extend_repr(), children(self)
        if not inside:
            return f"{type(self).__name__}({own})"
        lines = [f"({name}): {cell!r}".replace("\n", "\n  ") for name, cell in inside.items()]
        body = "".join(f"  {line}\n" for line in ([own] if own else []) + lines)
        return f"{type(self).__name__}(\n{body})"


def _check_replacement(mine, old, name, new):
    if old is None or new is None:
        return
    if isinstance(old, Cell) and not isinstance(new, Cell):
        raise errors.InvalidType(
            f"Sub cell '{name}' already exists in network, "
            f"can not assign this type: '{type(new)}' as a cell."
        )
    if isinstance(old, Parameter) and not hasattr(new, "asnumpy"):
        raise errors.InvalidType(
            f"Parameter '{name}' already exists in network, "
            f"can not assign this type: '{type(new)}' as a parameter."
        )
    if name in mine.get("_buffers", ()):
        raise errors.InvalidType(
            f"Buffer '{name}' already exists in network, "
            f"can not assign this type: '{type(new)}' as a buffer.",
            hint="Write into it: ops.assign(self.buffer, value), or register_buffer again.",
        )


def _not_initialized(cell, missing, value=None):
    message = f"The '{type(cell).__name__}' object has no attribute '{missing}'."
    if isinstance(value, Parameter):
        message = "For 'insert_param_to_cell', please call Cell.__init__() firstly."
    hint = "Call super().__init__() first in the Cell's __init__."
    return errors.UnknownAttribute(message, hint=hint)
