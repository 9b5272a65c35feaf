"""What the operations of a pipeline give."""

import numpy as np
from dataset_programs import firsts, program, refused, rows


def numbers(ds, n=5, **more):
    """A dataset of the numbers up to n."""
    return ds.NumpySlicesDataset(list(range(n)), ["x"], shuffle=False, **more)


def pairs(ds, n=4):
    """A dataset of two columns."""
    return ds.NumpySlicesDataset((np.arange(n), np.arange(n) * 1.5), ["x", "y"], shuffle=False)


@program
def batches(ms, ds, folder):
    yield rows(numbers(ds).batch(2))
    yield firsts(numbers(ds).batch(2, drop_remainder=True))
    yield [numbers(ds).batch(2).get_dataset_size(), numbers(ds).batch(2, True).get_dataset_size()]
    yield numbers(ds).batch(2).get_batch_size(), numbers(ds).batch(2).output_shapes()
    yield (
        numbers(ds).batch(2, True).repeat(3).get_dataset_size(),
        numbers(ds).batch(2).repeat(3).get_dataset_size(),
    )
    yield numbers(ds).repeat(3).batch(2).get_dataset_size(), firsts(numbers(ds).repeat(2).batch(4))
    yield (
        numbers(ds).repeat(3).get_repeat_count(),
        numbers(ds).repeat(3).batch(2).get_repeat_count(),
    )
    yield firsts(numbers(ds).batch(2, True).batch(2))
    yield firsts(numbers(ds).batch(100)), firsts(numbers(ds).batch(100, True))
    yield firsts(numbers(ds).batch(2, num_parallel_workers=2))


@program
def batch_of_a_size_that_changes(ms, ds, folder):
    yield firsts(numbers(ds, 9).batch(lambda info: info.get_batch_num() + 1))
    yield firsts(numbers(ds, 6).batch(lambda info: info.get_epoch_num() + 2))


@program
def batch_with_a_function(ms, ds, folder):
    def add(xs, info):
        return ([x + info.get_batch_num() for x in xs],)

    def both(xs, ys, info):
        return xs, [x + y for x, y in zip(xs, ys, strict=True)], [x * 2 for x in xs]

    yield firsts(numbers(ds).batch(2, per_batch_map=add))
    yield firsts(numbers(ds).batch(2, per_batch_map=add, input_columns=["x"]))
    data = pairs(ds).batch(
        2, per_batch_map=both, input_columns=["x", "y"], output_columns=["x", "s", "d"]
    )
    yield rows(data), data.get_col_names()


@program
def batch_of_what_does_not_fit(ms, ds, folder):
    ragged = ds.GeneratorDataset([np.ones(1), np.ones(2)], ["x"], shuffle=False)
    yield refused(lambda: rows(ragged.batch(2)))
    mixed = ds.GeneratorDataset(
        [np.ones(1, np.int32), np.ones(1, np.float32)], ["x"], shuffle=False
    )
    yield refused(lambda: rows(mixed.batch(2)))


@program
def padded_batches(ms, ds, folder):
    def ragged():
        return ds.GeneratorDataset([np.ones(1), np.ones(3)], ["x"], shuffle=False)

    yield refused(lambda: rows(ragged().padded_batch(2)))
    yield rows(ragged().padded_batch(2, pad_info={}))
    yield rows(ragged().padded_batch(2, pad_info={"x": ([4], -1)}))
    yield rows(ragged().padded_batch(1, pad_info={"x": ([None], 0)}))
    yield rows(ragged().padded_batch(2, drop_remainder=True, pad_info={}))


@program
def maps(ms, ds, folder):
    yield rows(numbers(ds).map(lambda x: x * 2, ["x"]))
    yield rows(numbers(ds).map(lambda x: x * 2))
    yield rows(numbers(ds).map([lambda x: x + 1, lambda x: x * 2.0], "x"))
    data = pairs(ds).map(lambda x, y: (y, x), ["x", "y"])
    yield rows(data)
    data = pairs(ds).map(lambda x: (x, x + 1), ["x"], ["x", "z"])
    yield rows(data), data.get_col_names(), data.output_types(), data.output_shapes()
    data = pairs(ds).map(lambda x, y: x + y, ["x", "y"], ["s"])
    yield rows(data), data.get_col_names()
    yield (
        rows(pairs(ds).map(lambda x: x * 2, ["y"], ["w"])),
        pairs(ds).map(lambda x: x * 2, ["y"], ["w"]).get_col_names(),
    )
    yield rows(pairs(ds).map(lambda x: x * 10))
    yield firsts(numbers(ds, 7).map(lambda x: x * 2, num_parallel_workers=2))


@program
def map_returns(ms, ds, folder):
    for value in (1, 2.5, True, "a", [1, 2], np.float32(3), (4,), ms.Tensor([1.0])):
        yield rows(numbers(ds, 1).map(lambda x, v=value: v))
    yield rows(numbers(ds, 1).map(lambda x: {"a": x}))


@program
def map_columns_in_between(ms, ds, folder):
    def data():
        return ds.NumpySlicesDataset(([1], [2], [3]), ["a", "b", "c"], shuffle=False)

    for made in (
        data().map(lambda b: (b, b), ["b"], ["p", "q"]),
        data().map(lambda a, c: a + c, ["a", "c"], ["s"]),
        data().map(lambda c, a: (c, a), ["c", "a"], ["c", "a"]),
        data().map(lambda c, a: (c, a), ["c", "a"]),
        data().map(lambda b: b, ["b"], ["z"]),
    ):
        yield made.get_col_names(), rows(made)


@program
def map_refused(ms, ds, folder):
    yield refused(lambda: rows(numbers(ds).map(lambda x: x, ["nope"])))
    yield refused(lambda: rows(numbers(ds).map(lambda x: None)))
    yield refused(lambda: rows(numbers(ds).map(lambda x: x[100])))
    yield refused(lambda: rows(numbers(ds).map(lambda x: (x, x))))
    yield refused(lambda: rows(pairs(ds).map(lambda x, y: x, ["x", "y"])))
    yield refused(lambda: rows(pairs(ds).map(lambda x: x, ["x"], ["y"])))
    yield refused(lambda: rows(pairs(ds).map(lambda x: x, ["x", "y"])))
    yield refused(lambda: numbers(ds).map(3))
    yield refused(lambda: numbers(ds).map(None))
    yield refused(lambda: numbers(ds).map(lambda x: x, [1]))


@program
def takes_and_skips(ms, ds, folder):
    yield firsts(numbers(ds).take(2)), firsts(numbers(ds).take(-1)), firsts(numbers(ds).take(9))
    yield firsts(numbers(ds).skip(3)), firsts(numbers(ds).skip(0)), firsts(numbers(ds).skip(9))
    yield firsts(numbers(ds).skip(1).take(2)), firsts(numbers(ds).take(3).skip(1))
    yield numbers(ds).take(2).get_dataset_size(), numbers(ds).skip(2).get_dataset_size()
    yield numbers(ds).take(9).get_dataset_size(), numbers(ds).skip(9).get_dataset_size()
    yield firsts(numbers(ds).batch(2).take(1)), firsts(numbers(ds).take(3).batch(2))
    yield firsts(numbers(ds, 3).repeat(2).take(4)), firsts(numbers(ds, 3).take(2).repeat(2))
    yield firsts(numbers(ds, 3).repeat(2).skip(2))
    yield numbers(ds).take(-1).get_dataset_size()


@program
def repeats(ms, ds, folder):
    yield firsts(numbers(ds, 3).repeat(2)), numbers(ds, 3).repeat(2).get_dataset_size()
    yield firsts(numbers(ds, 3).repeat(1)), firsts(numbers(ds, 2).repeat(2).repeat(2))
    yield numbers(ds, 2).repeat(2).repeat(3).get_repeat_count()
    yield numbers(ds).get_repeat_count()


@program
def filters(ms, ds, folder):
    yield firsts(numbers(ds).filter(lambda x: x % 2 == 0))
    yield firsts(numbers(ds).filter(lambda x: x > 2, ["x"], num_parallel_workers=2))
    yield rows(pairs(ds).filter(lambda y: y > 2, ["y"])), rows(pairs(ds).filter(lambda x, y: x > 2))
    yield numbers(ds).filter(lambda x: x > 2).get_dataset_size()
    yield firsts(numbers(ds).filter(lambda x: x > 99))
    yield rows(numbers(ds).filter(lambda x: x)), rows(numbers(ds).filter(lambda x: x * 0.5))
    yield rows(numbers(ds).filter(lambda x: bool(x > 2)))
    yield refused(lambda: rows(numbers(ds).filter(lambda x: x, ["nope"])))
    yield refused(lambda: rows(numbers(ds).filter(lambda x: 1 / 0)))


@program
def shuffles(ms, ds, folder):
    ds.config.set_seed(3)
    data = numbers(ds, 30).shuffle(10)
    found = firsts(data)
    yield sorted(found), found == sorted(found), data.get_dataset_size()
    yield [number < place + 10 for place, number in enumerate(found)].count(False)
    yield firsts(data) == found
    yield len(set(firsts(numbers(ds, 5).shuffle(100))))


@program
def zips(ms, ds, folder):
    def other():
        return ds.NumpySlicesDataset(["a", "b", "c"], ["w"], shuffle=False)

    made = ds.zip((numbers(ds), other()))
    yield rows(made), made.get_col_names(), made.get_dataset_size()
    yield (
        rows(numbers(ds).zip(other())) == rows(made),
        rows(numbers(ds).zip((other(),))) == rows(made),
    )
    yield refused(lambda: rows(numbers(ds).zip(numbers(ds))))
    yield refused(lambda: ds.zip(numbers(ds))), refused(lambda: ds.zip((numbers(ds), 3)))
    yield refused(lambda: ds.zip((numbers(ds),))), refused(lambda: numbers(ds).zip([other()]))


@program
def concats(ms, ds, folder):
    yield firsts(numbers(ds, 2) + numbers(ds, 3)), firsts(numbers(ds, 2).concat(numbers(ds, 1)))
    yield firsts(numbers(ds, 2).concat([numbers(ds, 1), numbers(ds, 2)]))
    yield (numbers(ds, 2) + numbers(ds, 3)).get_dataset_size()
    yield refused(lambda: numbers(ds, 2) + [3]), refused(lambda: numbers(ds, 2) + 3)
    renamed = numbers(ds, 2).rename("x", "z")
    yield refused(lambda: rows(numbers(ds, 2) + renamed))
    yield refused(lambda: rows(numbers(ds, 2) + ds.NumpySlicesDataset([1.5], ["x"])))
    yield refused(lambda: rows(numbers(ds, 2) + pairs(ds)))
    yield refused(lambda: rows(numbers(ds, 2) + ds.NumpySlicesDataset([[1, 2]], ["x"])))


@program
def splits(ms, ds, folder):
    first, second = numbers(ds, 10).split([7, 3], randomize=False)
    yield firsts(first), firsts(second)
    parts = numbers(ds, 10).split([0.5, 0.25, 0.25], randomize=False)
    yield [firsts(part) for part in parts], [part.get_dataset_size() for part in parts]
    ds.config.set_seed(1)
    first, second = numbers(ds, 10).split([0.7, 0.3])
    yield len(firsts(first)), sorted(firsts(first) + firsts(second))
    for sizes in ([], [1, 0.5], [5, 6], [0, 10], [1.5, -0.5], [0.5, 0.6], [0.01, 0.99], 3):
        yield refused(lambda s=sizes: numbers(ds, 10).split(s))
    batched = numbers(ds, 10).batch(3).split([3, 1], randomize=False)
    yield [firsts(part) for part in batched]


@program
def columns(ms, ds, folder):
    def data():
        return ds.NumpySlicesDataset(([1], [2], [3]), ["a", "b", "c"], shuffle=False)

    yield rows(data().project(["c", "a"])), data().project("b").get_col_names()
    yield (
        data().rename(["a", "b"], ["p", "q"]).get_col_names(),
        data().rename("c", "z").get_col_names(),
    )
    yield data().rename(["a", "b"], ["b", "a"]).get_col_names()
    yield (
        refused(lambda: rows(data().project("nope"))),
        refused(lambda: rows(data().rename("n", "m"))),
    )
    yield (
        refused(lambda: data().rename(["a", "b"], ["p"])),
        refused(lambda: rows(data().rename("a", "b"))),
    )
    yield refused(lambda: data().project([])), refused(lambda: data().project(["a", "a"]))


@program
def applied(ms, ds, folder):
    yield firsts(numbers(ds).apply(lambda data: data.batch(2)))
    yield refused(lambda: numbers(ds).apply(3)), refused(lambda: numbers(ds).apply(lambda data: 3))
    made = numbers(ds, 2).flat_map(lambda *row: ds.NumpySlicesDataset([row[0], row[0]], ["x"]))
    yield firsts(made)
    yield (
        refused(lambda: numbers(ds).flat_map(3)),
        refused(lambda: numbers(ds).flat_map(lambda *row: 3)),
    )


@program
def a_dataset_used_twice(ms, ds, folder):
    data = numbers(ds, 3)
    yield firsts(data), firsts(data.map(lambda x: x * 2))
    double = data.map(lambda x: x * 2)
    yield refused(lambda: firsts(double)), refused(lambda: firsts(data.batch(2)))


@program
def sizes_of_unknown(ms, ds, folder):
    def few():
        yield from ((i,) for i in range(4))

    def data():
        return ds.GeneratorDataset(few, ["x"])

    yield data().get_dataset_size(), data().batch(3).get_dataset_size()
    yield data().take(2).get_dataset_size()


@program
def settings(ms, ds, folder):
    config = ds.config
    yield config.get_prefetch_size(), config.get_seed(), config.get_monitor_sampling_interval()
    yield config.get_auto_num_workers(), config.get_debug_mode()
    config.set_seed(9)
    config.set_prefetch_size(4)
    config.set_num_parallel_workers(1)
    yield config.get_seed(), config.get_prefetch_size(), config.get_num_parallel_workers()
    yield refused(lambda: config.set_seed(-1)), refused(lambda: config.set_seed("a"))
    yield (
        refused(lambda: config.set_prefetch_size(0)),
        refused(lambda: config.set_prefetch_size(1.5)),
    )
    yield (
        refused(lambda: config.set_num_parallel_workers(0)),
        refused(lambda: config.set_seed(2**33)),
    )
    config.set_prefetch_size(16)
