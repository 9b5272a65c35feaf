"""A Dim: a number of which only samples are known."""

import pytest

from ms_ext.engine import errors
from ms_ext.engine.dims import Dim, Opening, Sizes, Unsure, sampled


@pytest.fixture
def n():
    return Sizes([Opening([(0, 0)], 7)]).roots[0]


def test_numbers_made_of_a_size(n):
    for f in (
        lambda n: n + 1, lambda n: 10 - n, lambda n: n * n, lambda n: -n, lambda n: n // 2,
        lambda n: n / 4, lambda n: 2**n, lambda n: n % 3, lambda n: abs(-n), lambda n: (n, [n + 2]),
    ):  # fmt: skip
        made = f(n)
        values = {n: 12}
        got = made.value(values) if isinstance(made, Dim) else f(12)
        assert got == f(12)


def test_what_is_certain_is_a_bool(n):
    assert (n == 1) is False and (n > 1) is True and bool(n) and n == n and n != 0
    assert n * 2 is n + n and n - n == 0 and n // n == 1
    for asked in (lambda: n > 5, lambda: n == 9, lambda: int(n), lambda: range(n), lambda: n < 7.5):
        with pytest.raises(Unsure):
            asked()


def test_a_refusal_of_the_real_sizes_is_the_callers(n):
    def refuse(size):
        raise errors.InvalidValue(f"not {size}")

    with pytest.raises(ValueError, match="not 7"):
        sampled(refuse, n)


def test_equal_texts_are_not_equal_sizes(n):
    one, other = sampled(lambda s: min(s, 5), n), sampled(lambda s: max(s, 50), n)
    assert one is not other and str(one) != str(other)
