"""``ms.mint.nn.functional``: what layers do, as functions, derived from the names that ops declare.

>>> from ms_ext.mint.nn import functional
>>> functional.relu.name
'ReLU'
"""

from ... import ops  # noqa: F401  (declares the ops)
from ...ops.composite import showing

__getattr__, __dir__ = showing("mint.nn.functional", globals())
