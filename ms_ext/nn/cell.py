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
from ..common.parameter import Parameter
from ..engine import errors
from ..engine.declared_inputs import declare_inputs
from .cell_graphs import CellGraph
from .hookable import Hookable

_UNNAMED = "Parameter#"  # how the name of a Parameter begins that was given none
_told = [0]  # how often any Cell was told whether it is being trained, or got a Cell inside


class Cell(Hookable):
    """The parent of every network and layer: write ``__init__`` and ``construct``.

    A Cell with a method ``bprop(self, *inputs, out, dout)`` has that for its gradient: one for each
    input of ``construct``, in a tuple. Its Parameters get none. ``nn.hookable`` tells of hooks.
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
        """What is compiled: once for what ``training`` is here and in the Cells inside."""
        if self._compiled is None or self._known != _told[0]:
            from ..engine.jit import jit

            way = tuple([cell.training for _, cell in self.cells_and_names()])
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
        _check_replacement(mine.get(name), name, value)
        if name == "training" or isinstance(value, Cell):
            _told[0] += 1
        if isinstance(value, Parameter):
            if value.name.startswith(_UNNAMED):
                value.name = name
        elif isinstance(value, Cell) and self._auto_prefix:
            value.update_parameters_name(f"{name}.")
        elif isinstance(mine.get(name), Parameter) and value is not None:
            mine[name].set_data(value)
            return
        mine[name] = value

    def __getattr__(self, name):
        if "_auto_prefix" not in vars(self):
            raise _not_initialized(self, name)
        known = [k for k in (*vars(self), *dir(type(self))) if not k.startswith("_")]
        hint = errors.did_you_mean(name, known)
        raise errors.UnknownAttribute(
            f"The '{type(self).__name__}' object has no attribute '{name}'.", hint=hint
        )

    # what is inside -----------------------------------------------------------------------------

    def name_cells(self):
        """The Cells directly inside, by attribute name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, Cell)}

    def cells(self):
        """The Cells directly inside."""
        return iter(self.name_cells().values())

    def cells_and_names(self, name_prefix=""):
        """Every Cell in the tree with its path; the Cell itself comes first, with an empty path."""
        yield name_prefix, self
        for name, cell in self.name_cells().items():
            yield from cell.cells_and_names(f"{name_prefix}.{name}" if name_prefix else name)

    def parameters_and_names(self, name_prefix="", expand=True):
        """Every Parameter with its path of attribute names; one that is shared comes once.

        >>> from ms_ext.nn import Dense
        >>> [name for name, _ in Dense(1, 1).parameters_and_names()]
        ['weight', 'bias']
        """
        seen = set()
        cells = self.cells_and_names(name_prefix) if expand else [(name_prefix, self)]
        for path, cell in cells:
            for name, parameter in _own_parameters(cell):
                if id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield f"{path}.{name}" if path else name, parameter

    def get_parameters(self, expand=True):
        """Every Parameter, of the Cells inside too unless ``expand`` is False."""
        return (parameter for _, parameter in self.parameters_and_names(expand=expand))

    def trainable_params(self, recurse=True):
        """The Parameters that a gradient is wanted of."""
        return [p for p in self.get_parameters(recurse) if p.requires_grad]

    def untrainable_params(self, recurse=True):
        """The Parameters that stay as they are."""
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def parameters_dict(self, recurse=True):
        """The Parameters by their own names."""
        return {p.name: p for p in self.get_parameters(recurse)}

    def update_parameters_name(self, prefix="", recurse=True):
        """Name every Parameter after its path, behind ``prefix``."""
        for path, parameter in self.parameters_and_names(expand=recurse):
            parameter.name = prefix + path

    def set_train(self, mode=True):
        """Say whether the network is being trained, here and in the Cells inside; returns the Cell.

        In graph mode a Cell is compiled for each, so a layer as Dropout does what it says by then.
        A function with ``@jit`` keeps what it was when the function was compiled.

        >>> from ms_ext.nn import Dense
        >>> Dense(1, 1).set_train().training
        True
        """
        _told[0] += 1
        for _, cell in self.cells_and_names():
            vars(cell)["training"] = bool(mode)
        return self

    # how it looks -------------------------------------------------------------------------------

    def extend_repr(self):
        """What a layer says of itself between the brackets."""
        return ""

    def __repr__(self):
        own, inside = self.extend_repr(), self.name_cells()
        if not inside:
            return f"{type(self).__name__}({own})"
        lines = [f"({name}): {cell!r}".replace("\n", "\n  ") for name, cell in inside.items()]
        body = "".join(f"  {line}\n" for line in ([own] if own else []) + lines)
        return f"{type(self).__name__}(\n{body})"


def _own_parameters(cell):
    """Parameters that are attributes, or items of a tuple of Parameters (under their own names)."""
    for name, value in vars(cell).items():
        if isinstance(value, Parameter):
            yield name, value
        elif isinstance(value, tuple):
            yield from ((item.name, item) for item in value if isinstance(item, Parameter))


def _check_replacement(old, name, new):
    if isinstance(old, Cell) and not isinstance(new, Cell) and new is not None:
        raise errors.InvalidType(
            f"Sub cell '{name}' already exists in network, "
            f"can not assign this type: '{type(new)}' as a cell."
        )
    if isinstance(old, Parameter) and not (hasattr(new, "asnumpy") or new is None):
        raise errors.InvalidType(
            f"Parameter '{name}' already exists in network, "
            f"can not assign this type: '{type(new)}' as a parameter."
        )


def _not_initialized(cell, missing, value=None):
    message = f"The '{type(cell).__name__}' object has no attribute '{missing}'."
    if isinstance(value, Parameter):
        message = "For 'insert_param_to_cell', please call Cell.__init__() firstly."
    hint = "Call super().__init__() first in the Cell's __init__."
    return errors.UnknownAttribute(message, hint=hint)
