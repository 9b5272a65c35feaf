"""A value that waits for an effect: who uses it has the effect, too.

| node | operands | results |
|---|---|---|
| Depend | value, state | the value, the state: for the next one that waits |
"""

from ..infer import AbstractTuple
from .control import runs


@runs("Depend", lambda inputs, attrs, graphs: AbstractTuple([node.abstract for node in inputs]))
def DEPEND(node):
    """The value, once the State is there."""
    return lambda value, state: (value, state)
