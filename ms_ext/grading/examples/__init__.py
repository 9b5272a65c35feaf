"""Which answer gets which diagnosis code? One small wrong answer for every code there is.

The page of all codes is made from these, and a test holds that each example gets its code. The
exercises here are as small as can be; those of the chapters add codes of their own.
"""

from .answers import EXAMPLES

__all__ = ["EXAMPLES"]
