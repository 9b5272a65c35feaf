"""Workers: the order stays, errors come with their own lines, and nothing is left behind."""

import os
import time
from pathlib import Path

import numpy as np
import pytest
from dataset_pipelines import KINDS, firsts, left, mapped, nothing_left, numbers

from ms_ext import dataset as ds
from ms_ext.engine import errors
from ms_ext.engine.data.failures import FunctionFailed


@pytest.fixture(autouse=True)
def as_before():
    """After every test the settings are as they were, and no worker is there."""
    with nothing_left():
        yield


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_stays(kind):
    def slow_at_first(x):
        time.sleep(0.03 if x == 0 else 0)
        return x * 10

    assert firsts(mapped(slow_at_first, kind, 3)) == [x * 10 for x in range(12)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_above_hands_over_whole_blocks(kind):
    data = mapped(lambda x: (x, x * 1.5), kind, output_columns=["x", "y"]).batch(5)
    assert firsts(data) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11]]


class HalfStacked:
    """A transform that says it takes the rows of a batch at once, and does not."""

    def __call__(self, row):
        return row * 10

    def over_rows(self, stack):
        raise ValueError("one row at a time")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_map_that_has_to_go_row_by_row_says_so(workers):
    data = numbers(4).map([HalfStacked()], num_parallel_workers=workers).batch(2)
    told = "'HalfStacked.over_rows' failed .ValueError: one row at a time"
    with pytest.warns(errors.MsExtWarning, match=told):
        assert firsts(data) == [[0, 10], [20, 30]]


def where(x):
    """The process that runs this."""
    return np.array([x, os.getpid()])


def marks(columns, info):
    """Where a batch is put together, and which it is."""
    return ([np.array([os.getpid(), info.get_batch_num()]) for _ in columns],)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_functions_of_batches_are_shared_too(kind):
    data = numbers(6).batch(
        2, per_batch_map=marks, num_parallel_workers=2, python_multiprocessing=KINDS[kind]
    )
    found = np.array(firsts(data))
    assert found[:, 0, 1].tolist() == [0, 1, 2]
    assert (os.getpid() in found[:, :, 0]) is (kind == "threads")


def test_processes_are_processes_and_threads_are_not():
    apart = {pid for _, pid in firsts(mapped(where, "processes"))}
    assert os.getpid() not in apart and len(apart) == 2
    assert {pid for _, pid in firsts(mapped(where))} == {os.getpid()}


class Rows:
    """A source that says which process reads it."""

    def __len__(self):
        return 6

    def __getitem__(self, index):
        return index, os.getpid()


@pytest.mark.parametrize(("in_processes", "count"), [(True, 2), (False, 1)])
def test_a_source_read_by_several(in_processes, count):
    data = ds.GeneratorDataset(
        Rows(), ["x", "pid"], num_parallel_workers=2, shuffle=False,
        python_multiprocessing=in_processes,
    )  # fmt: skip
    rows = list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert [int(x) for x, _ in rows] == list(range(6))
    assert len({int(pid) for _, pid in rows}) == count


def breaks(x):
    """Fails at 7."""
    values = {"count": 10}
    return values["nope"] if x == 7 else x


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 2])
def test_an_error_comes_with_the_functions_own_lines(kind, count):
    rows = mapped(breaks, kind, count).create_tuple_iterator(output_numpy=True)
    seen = []
    with pytest.raises(RuntimeError) as caught:
        seen.extend(row[0].item() for row in rows)
    assert seen == list(range(7))  # what came before it came out before it
    text = str(caught.value)
    assert "the function 'breaks' raised KeyError: 'nope' (row 7)" in text
    assert f"{Path(__file__).name}:" in text and 'values["nope"]' in text
    assert isinstance(caught.value.__cause__, KeyError)
    assert left() == []  # at once, though the iterator and the error are still held


def test_an_error_whose_class_the_loop_does_not_know():
    def strange(x):
        class Own(Exception):
            pass

        raise Own("only there")

    with pytest.raises(FunctionFailed, match="Own: only there"):
        firsts(mapped(strange, "processes"))


@pytest.mark.parametrize("kind", KINDS)
def test_rows_before_an_error_of_the_source_come_first(kind):
    def three():
        yield from ((i,) for i in range(3))
        raise OSError("the disk is gone")

    seen = []
    data = mapped(lambda x: x, kind, data=ds.GeneratorDataset(three, ["x"]))
    with pytest.raises(RuntimeError, match="OSError: the disk is gone"):
        seen.extend(x.item() for (x,) in data.create_tuple_iterator(output_numpy=True))
    assert seen == [0, 1, 2]


@pytest.mark.parametrize("kind", KINDS)
def test_a_loop_that_breaks_off(kind):
    for (_x,) in mapped(lambda x: x, kind, data=numbers(1000)):
        break
    del _x
    assert left() == []


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_in_the_loop(kind):
    with pytest.raises(ZeroDivisionError) as caught:
        for (x,) in mapped(lambda x: x, kind, data=numbers(1000)):
            1 / (x.item() - 3)  # noqa: B018
    assert left() == [] and caught.value is not None


def test_an_iterator_that_is_dropped_stopped_or_left_by_with():
    rows = mapped(lambda x: x, data=numbers(1000)).create_tuple_iterator()
    next(rows)
    assert left() != []
    del rows
    assert left() == []
    rows = mapped(lambda x: x, data=numbers(1000)).create_dict_iterator()
    next(rows)
    rows.stop()
    assert left() == []
    with pytest.raises(RuntimeError, match="stopped"):
        next(rows)
    with mapped(lambda x: x, data=numbers(1000)).create_tuple_iterator() as rows:
        next(rows)
    assert left() == []


def augment(data, count=1, kind="threads"):
    steps = [ds.vision.RandomCrop(3), ds.vision.RandomHorizontalFlip()]
    return data.map(steps, "image", num_parallel_workers=count, python_multiprocessing=KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_random_numbers_do_not_depend_on_the_workers(kind):
    images = np.arange(8 * 25, dtype=np.uint8).reshape(8, 5, 5, 1)

    def made(count, kind="threads"):
        ds.config.set_seed(4)
        data = ds.NumpySlicesDataset({"image": images}).shuffle(4)
        rows = augment(data, count, kind).batch(4).create_tuple_iterator(None, 2, True)
        return [np.concatenate([row[0] for row in rows]) for _ in range(2)]

    one, several = made(1), made(3, kind)
    assert all(np.array_equal(a, b) for a, b in zip(one, several, strict=True))
    assert not np.array_equal(one[0], one[1])  # another epoch, other draws


def test_prefetch_works_ahead_and_ends():
    made = []

    def note():
        for i in range(100):
            made.append(i)
            yield (i,)

    rows = ds.GeneratorDataset(note, ["x"]).prefetch(4).create_tuple_iterator(output_numpy=True)
    next(rows)
    until = time.monotonic() + 5
    while len(made) < 5 and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.05)
    assert 5 <= len(made) <= 6
    rows.stop()
    assert left() == []
    assert firsts(numbers(5).prefetch(2)) == [0, 1, 2, 3, 4]
    with pytest.raises(RuntimeError, match="KeyError"):
        firsts(numbers().map(breaks).prefetch(3))


def test_debug_mode_starts_nothing():
    ds.config.set_debug_mode(True)
    assert {pid for _, pid in firsts(mapped(where, "processes"))} == {os.getpid()}


def test_nothing_is_started_before_a_row_is_wanted():
    data = mapped(lambda x: x, "processes").batch(2).prefetch()
    rows = data.create_tuple_iterator()
    assert left() == [] and data.get_dataset_size() == 6 and rows is not None
