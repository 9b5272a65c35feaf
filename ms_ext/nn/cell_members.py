"""What is inside a Cell? Cells and Parameters, by their attribute names, and the names they get.

>>> from ms_ext.nn import Dense, SequentialCell
>>> net = SequentialCell(Dense(2, 1))
>>> [(path, parameter.name) for path, parameter in net.parameters_and_names()]
[('0.weight', '0.weight'), ('0.bias', '0.bias')]
"""

import re

from ..common.parameter import Parameter, ParameterTuple
from ..engine import errors

_NAME = re.compile(r"[\w.\-]*", re.ASCII)


class Members:
    """The part of a Cell that knows its tree: Cells, Parameters, names, flags."""

    def name_cells(self):
        """The Cells directly inside, by attribute name; one that is there twice comes once."""
        seen, found = set(), {}
        for name, cell in children(self).items():
            if id(cell) not in seen:
                seen.add(id(cell))
                found[name] = cell
        return found

    def cells(self):
        """The Cells directly inside."""
        return self.name_cells().values()

    def cells_and_names(self, cells=None, name_prefix=""):
        """Every Cell in the tree with its path; the Cell itself comes first, with an empty path.

        One that is shared comes once; those in ``cells``, a set, do not come.
        """
        seen = set() if cells is None else cells
        if self in seen:
            return
        seen.add(self)
        yield name_prefix, self
        for name, cell in children(self).items():
            path = f"{name_prefix}.{name}" if name_prefix else name
            yield from cell.cells_and_names(seen, path)

    def get_sub_cell(self, target):
        """The Cell at a path.

        >>> from ms_ext.nn import ReLU, SequentialCell
        >>> SequentialCell(ReLU()).get_sub_cell("0")
        ReLU()
        """
        cell = self
        for name in target.split(".") if target else ():
            found = vars(cell).get(name, getattr(type(cell), name, None))
            if found is None:
                hint = errors.did_you_mean(name, list(children(cell)))
                message = f"{type(cell).__name__} has no attribute `{name}`"
                raise errors.UnknownAttribute(message, hint=hint)
            if not isinstance(found, Members):
                raise errors.UnknownAttribute(f"`{name}` is not an nn.Cell")
            cell = found
        return cell

    def apply(self, fn):
        """Call ``fn`` with every Cell in the tree, this one last; returns the Cell.

        >>> from ms_ext.nn import Dense
        >>> layer = Dense(1, 1).apply(lambda cell: cell.weight.set_data(0.0))
        >>> float(layer.weight.sum())
        0.0
        """
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    # parameters ---------------------------------------------------------------------------------

    def parameters_and_names(self, name_prefix="", expand=True):
        """Every Parameter with its path of attribute names; one that is shared comes once.

        >>> from ms_ext.nn import Dense
        >>> [name for name, _ in Dense(1, 1).parameters_and_names()]
        ['weight', 'bias']
        """
        seen = set()
        cells = self.cells_and_names(None, name_prefix) if expand else [(name_prefix, self)]
        for path, cell in cells:
            for name, parameter in own_parameters(cell):
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

    def parameters_broadcast_dict(self, recurse=True):
        """Those by name that every device has the same of (all, unless layerwise_parallel)."""
        return {p.name: p for p in self.get_parameters(recurse) if not p.layerwise_parallel} or None

    def init_parameters_data(self, auto_parallel_mode=False):
        """Every Parameter, by itself: here they have their first numbers from the beginning."""
        return {p: p for p in self.get_parameters()}

    # names --------------------------------------------------------------------------------------

    def update_parameters_name(self, prefix="", recurse=True):
        """Name every Parameter after its path, behind ``prefix``.

        >>> from ms_ext.nn import Dense
        >>> layer = Dense(1, 1)
        >>> layer.update_parameters_name("first.")
        >>> list(layer.parameters_dict())
        ['first.weight', 'first.bias']
        """
        if not isinstance(prefix, str):
            raise errors.InvalidType("The prefix of names must be a string.", given=repr(prefix))
        if not _NAME.fullmatch(prefix):
            raise errors.InvalidValue(
                f"The '{prefix}' is illegal, a name has letters, digits and . _ - only."
            )
        for path, parameter in self.parameters_and_names(expand=recurse):
            parameter.name = prefix + path

    def check_names(self):
        """ValueError if two Parameters have one name.

        >>> from ms_ext.nn import Dense
        >>> Dense(1, 1).check_names()
        """
        names = set()
        for path, parameter in self.parameters_and_names():
            if parameter.name in names:
                raise errors.InvalidValue(
                    f"The value of {path} is {parameter}, its name '{parameter.name}' already "
                    "exists. Please set a unique name for the parameter.",
                    hint="net.update_parameters_name() names them after their paths.",
                )
            names.add(parameter.name)

    def check_names_and_refresh_name(self):
        """Name the Parameters after their paths, if two have one name."""
        names = [p.name for p in self.get_parameters()]
        if len(set(names)) < len(names):
            self.update_parameters_name()

    @property
    def param_prefix(self):
        """The path that ``update_cell_prefix`` of the network kept here; "" before."""
        return vars(self).get("_param_prefix", "")

    def update_cell_prefix(self):
        """Keep with every Cell its path from here: ``param_prefix``."""
        for path, cell in self.cells_and_names():
            vars(cell)["_param_prefix"] = path

    # what is put in -----------------------------------------------------------------------------

    def insert_param_to_cell(self, param_name, param, check_name_contain_dot=True):
        """Enter a Parameter, or None, under a name that is free or a Parameter's.

        >>> from ms_ext import nn
        >>> net = nn.Cell()
        >>> net.insert_param_to_cell("w", Parameter([1.0]))
        >>> net.w.name
        'w'
        """
        what = "For 'insert_param_to_cell', the"
        if not param_name:
            raise errors.MissingKey(f"{what} argument 'param_name' should not be None.")
        if check_name_contain_dot and "." in param_name:
            raise errors.MissingKey(f"{what} argument 'param_name' should not contain '.'")
        if self._is_taken(param_name, Parameter):
            raise errors.MissingKey(
                f"{what} {param_name} parameter already exists in the network. "
                "Cannot insert another parameter with the same name."
            )
        if param is not None and not isinstance(param, Parameter):
            raise errors.InvalidType(
                f"{what} argument 'param' must be 'Parameter' if not None, but got {type(param)}."
            )
        if param is not None and param.is_unnamed:
            param.name = param_name
        vars(self)[param_name] = param

    def insert_child_to_cell(self, child_name, child_cell):
        """Enter a Cell, or None, under a name that is free or a Cell's; names stay as they are.

        >>> from ms_ext import nn
        >>> net = nn.Cell()
        >>> net.insert_child_to_cell("layer", nn.ReLU())
        >>> net.layer
        ReLU()
        """
        what = "For 'insert_child_to_cell', the"
        if not isinstance(child_name, str):
            raise errors.InvalidType(
                f"{what} type of parameter 'child_name' must be str, but got {type(child_name)}."
            )
        if not child_name or "." in child_name:
            raise errors.MissingKey(
                f"{what} parameter 'child_name' can not be None and can not contain '.'"
            )
        if self._is_taken(child_name, Members):
            raise errors.MissingKey(
                f"{what} {child_name} child cell already exists in the network. "
                "Cannot insert another child cell with the same name."
            )
        if child_cell is not None and not isinstance(child_cell, Members):
            raise errors.InvalidType(
                f"{what} argument 'child_cell' must be 'Cell' if not None, but got type "
                f"{type(child_cell)}."
            )
        self.forget_compiled()
        vars(self)[child_name] = child_cell

    def _is_taken(self, name, kind):
        """Whether a name has a value of another kind."""
        found = vars(self).get(name)
        return found is not None and not isinstance(found, kind) or hasattr(type(self), name)

    # flags --------------------------------------------------------------------------------------

    def add_flags(self, **flags):
        """Keep values as attributes, and in ``get_flags()``; returns the Cell.

        >>> from ms_ext import nn
        >>> nn.ReLU().add_flags(fast=True).fast
        True
        """
        vars(self)["_flags"] = self.get_flags() | flags
        vars(self).update(flags)
        return self

    def add_flags_recursive(self, **flags):
        """As ``add_flags``, here and in the Cells inside."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self):
        """What ``add_flags`` and ``set_train`` kept."""
        return vars(self).get("_flags", {})


def children(cell):
    """The Cells directly inside, by attribute name, however often one is there.

    >>> from ms_ext import nn
    >>> list(children(nn.SequentialCell(nn.ReLU(), nn.Tanh())))
    ['0', '1']
    """
    return {name: value for name, value in vars(cell).items() if isinstance(value, Members)}


def own_parameters(cell):
    """(name, Parameter) of attributes, and of the items of ParameterTuples, in order.

    An item goes by the name that it had when the tuple became an attribute.

    >>> from ms_ext import nn
    >>> [name for name, _ in own_parameters(nn.GRU(1, 1, has_bias=False))]
    ['weight_ih_l0', 'weight_hh_l0']
    """
    listed = {id(item): name for name, item in vars(cell).get("_listed", {}).items()}
    for name, value in vars(cell).items():
        if isinstance(value, Parameter):
            yield name, value
        elif isinstance(value, ParameterTuple):
            yield from ((listed[id(item)], item) for item in value)


def prefix_of(cell):
    """What stands before the names of the Cells inside in those of Parameters: "net.layers.".

    >>> from ms_ext import nn
    >>> net = nn.SequentialCell(nn.SequentialCell(nn.Dense(1, 1)))
    >>> prefix_of(net[0])
    '0.'
    """
    for name, inner in children(cell).items():
        for path, parameter in inner.parameters_and_names():
            end = f"{name}.{path}"
            return parameter.name[: -len(end)] if parameter.name.endswith(end) else ""
    return ""
