"""The pool: blocks are used again only when nobody can see them any more."""

import numpy as np
import pytest

from ms_ext.engine.memory import SMALLEST, Pool

COUNT = SMALLEST  # float32 elements: four times the smallest block


def place(array):
    return array.ctypes.data


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "float32", "int64"])
def test_an_array_of_the_pool_is_an_ordinary_one(dtype):
    array = Pool().empty((3, COUNT), dtype)
    array[:] = 1
    assert (array.shape, array.dtype, array.flags.c_contiguous) == (
        (3, COUNT),
        np.dtype(dtype),
        True,
    )
    assert array.flags.writeable and array.flags.aligned and array.all()


def test_a_block_is_used_again_when_its_array_is_gone():
    pool = Pool()
    first = pool.empty((COUNT,), "f4")
    old = place(first)
    del first
    assert (pool.allocated(), pool.reserved()) == (0, 4 * COUNT)
    assert place(pool.empty((COUNT,), "f4")) == old


@pytest.mark.parametrize(
    "keep",
    [
        lambda a: a,
        lambda a: a[5:7],
        lambda a: a.reshape(2, -1).T,
        memoryview,
        lambda a: a.view("u1")[::2],
    ],
    ids=["array", "slice", "transpose", "memoryview", "other dtype"],
)
def test_a_block_that_anybody_can_see_is_not_used_again(keep):
    pool = Pool()
    kept = keep(pool.empty((COUNT,), "f4"))
    assert pool.allocated() == 4 * COUNT
    second = pool.empty((COUNT,), "f4")
    assert not np.shares_memory(np.asarray(kept), second)
    assert pool.allocated() == 8 * COUNT


def test_small_arrays_do_not_come_from_the_pool():
    pool = Pool()
    kept = pool.empty((10,), "f4")
    assert pool.reserved() == 0 and kept.shape == (10,)


def test_above_the_limit_free_blocks_go_and_then_malloc_helps():
    pool = Pool(limit=8 * COUNT)
    pool.empty((COUNT,), "f4")
    kept = pool.empty((2 * COUNT,), "f4")
    assert pool.reserved() == 8 * COUNT
    more = pool.empty((COUNT,), "f4")
    assert pool.reserved() == 8 * COUNT and more.shape == (COUNT,)
    del kept
    pool.release()
    assert pool.reserved() == 0


def test_a_copy_is_ordered_and_its_own():
    source = np.arange(2 * COUNT, dtype="f4").reshape(2, COUNT).T
    copied = Pool().copy(source)
    assert copied.flags.c_contiguous and np.array_equal(copied, source)
    assert not np.shares_memory(copied, source)
