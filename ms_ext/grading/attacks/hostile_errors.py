"""Raises errors whose names and words run code and never end."""


class Loud(BaseException):
    """Its words are a gigabyte, or an end of the program."""

    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__
    __traceback__ = property(lambda self: self)
    __cause__ = property(lambda self: self)


Loud.__name__ = "Passed" * 1000


def attack(answer):
    """Instead of an answer."""
    raise Loud
