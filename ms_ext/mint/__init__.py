"""``ms.mint``: the functions with PyTorch's names, derived from the names that ops declare.

Some are other primitives than in ``ops``: ``mint.add`` is AddExt, which a pass for Add does not
match.

>>> mint.add.name, mint.mul.name
('AddExt', 'Mul')
"""

from .. import ops  # noqa: F401  (declares the ops)
from ..ops.composite import showing

__getattr__, __dir__ = showing("mint", globals(), ("linalg", "nn", "optim", "special"))
