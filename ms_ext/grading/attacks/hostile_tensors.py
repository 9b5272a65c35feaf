"""Answers with tensors of its own class, and with things that only claim to be tensors."""

import inspect

import ms_ext as ms


class Claims:
    """Claims to be a Tensor, and to equal everything."""

    __class__ = ms.Tensor
    shape, dtype = (1,), ms.float32

    def __eq__(self, other):
        return True

    def __getattr__(self, name):
        return lambda *arguments, **options: self

    __hash__ = None


def attack(answer):
    """One of them for each gradient."""
    if not inspect.isfunction(answer):
        return answer
    return lambda *operands: (Claims(), Claims())
