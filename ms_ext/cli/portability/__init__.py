"""What would real MindSpore refuse, or answer differently? ``ms-ext portable`` reads programs.

``reading`` gives the Python of a file, ``scopes`` what its names mean, ``compiled`` which of its
functions are compiled; ``names`` compares with MindSpore's own names (api.json, made by
tests/record_api.py), and the rules of ``syntax``, ``builtin_calls``, ``lambdas``, ``changes`` and
``customs`` know one form each. Nothing is run.
"""

from .findings import Finding
from .program import examine

__all__ = ["Finding", "examine"]
