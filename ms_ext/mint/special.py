"""``ms.mint.special``: special functions, derived from the names that ops declare.

>>> from ms_ext.mint import special
>>> special.exp2.name
'Exp2'
"""

from .. import ops  # noqa: F401  (declares the ops)
from ..ops.composite import showing

__getattr__, __dir__ = showing("mint.special", globals())
