"""Calls on arrays whose results, and gradients, are compared with MindSpore or torch.

A case is a text of ``ms``, ``ops``, ``mint`` and operands by name. A tuple is a shape, drawn from
a coarse grid so that ties are many; a list is Float32; arrays are taken as they are.
"""

from array_cases_forms import DRAWN_FORMS, FORMS
from array_cases_new import CREATING
from array_cases_new import DRAWING as DRAWN_CASES
from array_cases_order import RUNNING, SORTING, TURNING
from array_cases_place import CHOOSING, SCATTERING, WRITING
from array_cases_shape import DIAGONALS, SHAPING, STACKING
from array_cases_torch import MORE, TORCH
from gradient_cases import drawn

__all__ = ["CASES", "DRAWING", "TORCH", "WRITING", "operands_of"]

DRAWING = DRAWN_CASES | DRAWN_FORMS
FAMILIES = (
    SORTING, RUNNING, TURNING, STACKING, SHAPING, DIAGONALS, SCATTERING, CHOOSING, CREATING,
    DRAWING, WRITING, FORMS,
)  # fmt: skip
CASES = {text: given for family in FAMILIES for text, given in family.items()}


def operands_of(text):
    """name -> array, of a case that MindSpore or torch answers."""
    return drawn(text, (CASES | MORE)[text])
