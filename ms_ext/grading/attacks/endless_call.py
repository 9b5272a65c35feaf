"""Never comes back from one call in C, where no handler of Python's can run."""

import re

SLOW = True
NEEDS = ("processor",)


def attack(answer):
    """This match takes two to the power of sixty steps."""
    re.match(r"(x+x+)+y", "x" * 60)
