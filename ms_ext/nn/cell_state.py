"""The state of a Cell: ``state_dict``, and buffers, which are tensors that are not trained.

>>> from ms_ext import Tensor, nn
>>> net = nn.Dense(1, 1)
>>> net.register_buffer("seen", Tensor([0.0]))
>>> list(net.state_dict())
['weight', 'bias', 'seen']
"""

import collections
from collections.abc import Mapping

from ..engine import errors
from ..engine.tensor import Tensor
from .cell_members import children, own_parameters


class _IncompatibleKeys(
    collections.namedtuple("_IncompatibleKeys", ["missing_keys", "unexpected_keys"])
):
    """What ``load_state_dict`` returns: which keys were missing, which of no use."""

    __slots__ = ()

    def __repr__(self):
        return super().__repr__() if any(self) else "<All keys matched successfully>"


class Stateful:
    """The part of a Cell that keeps buffers, and gives and takes its state."""

    def register_buffer(self, name, tensor, persistent=True):
        """Keep a tensor, or None, as the attribute ``name``: no Parameter, but part of the state.

        ``persistent=False``: not part of ``state_dict()``. Errors: TypeError for another type,
        KeyError for a name that is empty, taken or has a dot.
        """
        if not isinstance(name, str):
            raise errors.InvalidType(
                f"buffer name should be a string. But got this type: {type(name)}"
            )
        if "." in name or not name:
            what = 'contain "."' if name else 'be empty string ""'
            raise errors.MissingKey(f"buffer name can't {what}")
        known = vars(self).setdefault("_buffers", {})
        if hasattr(self, name) and name not in known:
            raise errors.MissingKey(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise errors.InvalidType(
                f"cannot assign '{type(tensor)}' object to buffer '{name}' "
                "(mindspore Tensor or None required)"
            )
        known[name] = persistent
        vars(self)[name] = tensor

    def get_buffer(self, target):
        """The buffer at a path."""
        path, _, name = target.rpartition(".")
        cell = self.get_sub_cell(path)
        if not hasattr(cell, name):
            raise errors.UnknownAttribute(f"{type(cell).__name__} has no attribute `{name}`")
        if name not in vars(cell).get("_buffers", {}):
            raise errors.UnknownAttribute(f"`{name}` is not a buffer")
        return vars(cell)[name]

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """Every buffer with its path; one that is shared comes once.

        >>> from ms_ext import Tensor, nn
        >>> net = nn.SequentialCell(nn.ReLU())
        >>> net[0].register_buffer("seen", Tensor(0.0))
        >>> [name for name, _ in net.named_buffers()]
        ['0.seen']
        """
        seen = set()
        cells = self.cells_and_names(None, prefix) if recurse else [(prefix, self)]
        for path, cell in cells:
            for name, buffer, _ in _buffers(cell):
                if buffer is not None and id(buffer) not in seen:
                    if remove_duplicate:
                        seen.add(id(buffer))
                    yield f"{path}.{name}" if path else name, buffer

    def buffers(self, recurse=True):
        """Every buffer."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def state_dict(self, *, destination=None, prefix="", keep_vars=False):
        """The Parameters and lasting buffers by their paths, the same objects, not copies.

        >>> from ms_ext import nn
        >>> list(nn.Dense(1, 1).state_dict(prefix="layer."))
        ['layer.weight', 'layer.bias']
        """
        for name, value, kind, word in (
            ("destination", destination, dict, "OrderedDict"), ("prefix", prefix, str, "string"),
            ("keep_vars", keep_vars, bool, "bool"),
        ):  # fmt: skip
            if value is not None and not isinstance(value, kind):
                raise errors.InvalidType(
                    f"The type of {name} must be {word}, but got {type(value)}"
                )
        if destination is None:
            destination = collections.OrderedDict()
            destination._metadata = collections.OrderedDict()
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = {}
        destination.update({prefix + name: value for name, value in _own_state(self)})
        for name, cell in children(self).items():
            cell.state_dict(destination=destination, prefix=f"{prefix}{name}.")
        return destination

    def load_state_dict(self, state_dict, strict=True):
        """Take the values of a ``state_dict``; returns the keys that were missing or too many.

        Errors: RuntimeError for a value of another shape, that is no tensor, or, if ``strict``,
        for keys that are missing or too many.

        >>> from ms_ext import Tensor, nn
        >>> layer = nn.Dense(1, 1)
        >>> layer.load_state_dict({"weight": Tensor([[2.0]]), "bias": Tensor([1.0])})
        <All keys matched successfully>
        """
        if not isinstance(state_dict, Mapping):
            raise errors.InvalidType(
                f"Expected state_dict to be dict-like, got {type(state_dict)}."
            )
        known = dict(self.state_dict())
        missing = [key for key in known if key not in state_dict]
        unexpected = [key for key in state_dict if key not in known]
        found = [_key_error("Unexpected", unexpected)] if strict and unexpected else []
        if strict and missing:
            found.insert(0, _key_error("Missing", missing))
        for key, own in known.items():
            if key in state_dict:
                found += _loaded(key, own, state_dict[key])
        if found:
            listed = "\n\t".join(found)
            raise errors.NotRunnable(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{listed}"
            )
        return _IncompatibleKeys(missing, unexpected)


def _own_state(cell):
    yield from own_parameters(cell)
    for name, buffer, persistent in _buffers(cell):
        if buffer is not None and persistent:
            yield name, buffer


def _buffers(cell):
    for name, persistent in vars(cell).get("_buffers", {}).items():
        if name in vars(cell):
            yield name, vars(cell)[name], persistent


def _key_error(what, keys):
    return f"{what} key(s) in state_dict: {', '.join(f'{chr(34)}{key}{chr(34)}' for key in keys)}. "


def _loaded(key, own, given):
    """Write the values into a tensor; what is wrong with them, in a list."""
    if not isinstance(given, Tensor):
        return [
            f'While copying the parameter named "{key}", expected Tensor or Tensor-like object '
            f"from checkpoint but received {type(given)}"
        ]
    if given.shape != own.shape:
        return [
            f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, "
            f"the shape in current model is {own.shape}."
        ]
    own.assign_value(Tensor(given.asnumpy(), own.dtype))
    return []
