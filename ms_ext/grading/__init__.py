"""Is this answer right, and if not, on which smallest case is it wrong?

``check("tour.add_neg_to_sub")`` finds the learner's definitions in the session (or in a file), has
them run in a process of their own and judged in another, and answers with a Verdict.
"""

from .session import check
from .verdict import Verdict, Witness

__all__ = ["Verdict", "Witness", "check"]
