"""``ms.mint.linalg``: linear algebra, derived from the names that ops declare.

>>> from ms_ext.mint import linalg
>>> linalg.inv.name
'MatrixInverseExt'
"""

from .. import ops  # noqa: F401  (declares the ops)
from ..ops.composite import showing

__getattr__, __dir__ = showing("mint.linalg", globals())
