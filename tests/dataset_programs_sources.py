"""What sources, samplers and iterators give."""

import numpy as np
from dataset_programs import firsts, program, refused, rows


class Accessible:
    """Rows by number."""

    def __init__(self, n=5):
        self.n = n

    def __getitem__(self, index):
        return np.array([index, index * 10]), np.array(index, np.float32)

    def __len__(self):
        return self.n


class Iterable:
    """Rows one after the other, from the start each time."""

    def __iter__(self):
        return iter([(np.array([i]),) for i in range(4)])


def generator():
    """Rows from a function."""
    for i in range(4):
        yield (np.array([i], np.int32), float(i))


@program
def source_with_getitem(ms, ds, folder):
    data = ds.GeneratorDataset(Accessible(), ["x", "y"], shuffle=False)
    yield rows(data)
    yield data.get_dataset_size(), len(data), data.get_col_names(), data.get_batch_size()
    yield data.get_repeat_count(), data.output_shapes(), data.output_types()
    yield [str(t.dtype) for t in next(iter(data))]
    yield type(next(iter(data))).__name__


@program
def source_with_getitem_is_shuffled(ms, ds, folder):
    ds.config.set_seed(1)
    data = ds.GeneratorDataset(Accessible(50), ["x", "y"])
    once, twice = firsts(data), firsts(data)
    yield once == sorted(once), sorted(once) == sorted(twice), once == twice
    passes = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    yield [r[0].tolist() for r in passes] == [r[0].tolist() for r in passes]


@program
def source_iterable(ms, ds, folder):
    data = ds.GeneratorDataset(Iterable(), "x")
    yield rows(data)
    yield data.get_dataset_size()
    yield rows(data)


@program
def source_generator_function(ms, ds, folder):
    data = ds.GeneratorDataset(generator, ["x", "y"])
    yield rows(data)
    yield rows(data)
    yield data.get_dataset_size(), data.output_shapes(), data.output_types()


@program
def source_generator_itself(ms, ds, folder):
    data = ds.GeneratorDataset(generator(), ["x", "y"])
    yield rows(data)
    yield rows(data)


@program
def source_list(ms, ds, folder):
    yield rows(ds.GeneratorDataset([1, 2, 3], ["x"], shuffle=False))
    yield rows(ds.GeneratorDataset([(1, 2.5), (3, 4.5)], ["x", "y"], shuffle=False))
    yield rows(ds.GeneratorDataset(["a", "bc"], ["x"], shuffle=False))
    yield rows(ds.GeneratorDataset([True, False], ["x"], shuffle=False))
    yield rows(ds.GeneratorDataset(np.arange(6).reshape(3, 2), ["x"], shuffle=False))
    yield rows(ds.GeneratorDataset(zip([1, 2], [3, 4], strict=True), ["x", "y"], shuffle=False))
    yield rows(ds.GeneratorDataset([ms.Tensor([1.0])], ["x"], shuffle=False))
    yield rows(ds.GeneratorDataset([[1, 2], [3, 4]], ["x", "y"], shuffle=False))
    yield rows(ds.GeneratorDataset([([1, 2], 3)], ["x", "y"], shuffle=False))


@program
def source_dicts(ms, ds, folder):
    data = ds.GeneratorDataset([{"a": 1}, {"a": 2}], ["x"], shuffle=False)
    yield [row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@program
def source_num_samples(ms, ds, folder):
    yield firsts(ds.GeneratorDataset(Accessible(), ["x", "y"], num_samples=3, shuffle=False))
    yield firsts(ds.GeneratorDataset(generator, ["x", "y"], num_samples=3))
    yield firsts(ds.GeneratorDataset(Accessible(), ["x", "y"], num_samples=9, shuffle=False))
    data = ds.GeneratorDataset(Accessible(), ["x", "y"], num_samples=3, shuffle=False)
    yield data.get_dataset_size()


@program
def source_column_types(ms, ds, folder):
    data = ds.GeneratorDataset([1, 2], ["x"], column_types=[ms.int64], shuffle=False)
    yield rows(data), data.output_types()


@program
def source_workers(ms, ds, folder):
    kept = {"num_parallel_workers": 2, "python_multiprocessing": False, "shuffle": False}
    yield firsts(ds.GeneratorDataset(Accessible(7), ["x", "y"], **kept))


@program
def sharded(ms, ds, folder):
    for shard in range(2):
        data = ds.GeneratorDataset(
            Accessible(), ["x", "y"], num_shards=2, shard_id=shard, shuffle=False
        )
        yield firsts(data), data.get_dataset_size()
    data = [
        ds.GeneratorDataset(Accessible(6), ["x", "y"], num_shards=3, shard_id=i) for i in range(3)
    ]
    ds.config.set_seed(5)
    yield sorted(sum((firsts(each) for each in data), []))


@program
def source_item(ms, ds, folder):
    data = ds.GeneratorDataset(Accessible(), ["x", "y"], shuffle=False)
    yield data[2], data[0]


@program
def slices(ms, ds, folder):
    yield rows(ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False))
    yield rows(ds.NumpySlicesDataset([[1, 2], [3, 4]], ["x"], shuffle=False))
    yield rows(ds.NumpySlicesDataset(([1, 2], [3.0, 4.0]), ["x", "y"], shuffle=False))
    yield rows(ds.NumpySlicesDataset({"a": [1, 2], "b": [[3], [4]]}, shuffle=False))
    yield rows(ds.NumpySlicesDataset(np.ones((2, 3), np.float32), shuffle=False))
    yield ds.NumpySlicesDataset({"a": [1, 2], "b": [[3], [4]]}).get_col_names()
    yield ds.NumpySlicesDataset(([1, 2], [3.0, 4.0])).get_col_names()
    yield (
        ds.NumpySlicesDataset([1, 2]).get_col_names(),
        ds.NumpySlicesDataset([1, 2]).get_dataset_size(),
    )
    yield rows(ds.NumpySlicesDataset((np.arange(4), np.arange(4.0)), ["x", "y"], shuffle=False))


@program
def samplers(ms, ds, folder):
    def given(sampler, n=6, **more):
        return firsts(ds.NumpySlicesDataset(list(range(n)), ["x"], sampler=sampler, **more))

    yield (
        given(ds.SequentialSampler()),
        given(ds.SequentialSampler(2)),
        given(ds.SequentialSampler(1, 3)),
        given(ds.SequentialSampler(4, 9)),
    )
    yield given(ds.SubsetSampler([4, 1, 1])), given(ds.SubsetSampler([3, 2, 0], 2))
    yield (
        sorted(given(ds.SubsetRandomSampler([4, 1, 3]))),
        len(given(ds.SubsetRandomSampler([4, 1], 1))),
    )
    yield sorted(given(ds.RandomSampler())), len(given(ds.RandomSampler(num_samples=4)))
    yield len(set(given(ds.RandomSampler(num_samples=6)))), len(given(ds.RandomSampler(True, 9)))
    yield (
        given(ds.WeightedRandomSampler([0, 0, 1, 0, 0, 0], 4)),
        len(given(ds.WeightedRandomSampler([1.0] * 6))),
    )
    yield sorted(given(ds.WeightedRandomSampler([1.0] * 6, 6, replacement=False)))
    for shard in range(4):
        yield given(ds.DistributedSampler(4, shard, shuffle=False))
    yield given(ds.DistributedSampler(2, 0, shuffle=False, num_samples=2))
    yield given(ds.DistributedSampler(4, 1, shuffle=False, offset=0))
    yield (
        given(ds.DistributedSampler(4, 1, shuffle=False, offset=1)),
        given(ds.DistributedSampler(4, 0, shuffle=False, offset=1)),
    )
    yield given([5, 0]), given((3, 3, 1))
    chained = ds.SequentialSampler(1, 4)
    chained.add_child(ds.SubsetSampler([5, 4, 3, 2, 1]))
    yield given(chained)


@program
def sampler_of_the_user(ms, ds, folder):
    class Odd(ds.Sampler):
        def __iter__(self):
            yield from range(1, self.num_samples_or(7), 2)

        def num_samples_or(self, n):
            return n

    class Plain:
        def __iter__(self):
            return iter([3, 1])

    yield firsts(ds.NumpySlicesDataset(list(range(8)), ["x"], sampler=Odd()))
    yield firsts(ds.NumpySlicesDataset(list(range(8)), ["x"], sampler=Plain()))


@program
def sampler_out_of_range(ms, ds, folder):
    yield refused(
        lambda: firsts(ds.NumpySlicesDataset([1, 2], ["x"], sampler=ds.SubsetSampler([5])))
    )
    yield refused(
        lambda: firsts(ds.NumpySlicesDataset([1, 2], ["x"], sampler=ds.SubsetSampler([-1])))
    )
    yield refused(
        lambda: firsts(ds.NumpySlicesDataset([1, 2], ["x"], sampler=ds.SequentialSampler(7)))
    )
    yield refused(
        lambda: firsts(
            ds.NumpySlicesDataset([1, 2], ["x"], sampler=ds.RandomSampler(num_samples=3))
        )
    )
    yield refused(
        lambda: firsts(
            ds.NumpySlicesDataset([1, 2], ["x"], sampler=ds.WeightedRandomSampler([1.0]))
        )
    )


@program
def iterators(ms, ds, folder):
    def data():
        return ds.NumpySlicesDataset(([1, 2], [3.0, 4.0]), ["x", "y"], shuffle=False)

    yield list(data().create_dict_iterator(num_epochs=1, output_numpy=True))
    yield list(data().create_tuple_iterator(num_epochs=1))
    yield list(data().create_tuple_iterator(columns=["y"], num_epochs=1, output_numpy=True))
    yield list(data().create_tuple_iterator(columns="y", num_epochs=1, output_numpy=True))
    yield list(data()), list(data())
    forever = data().create_tuple_iterator(output_numpy=True)
    yield [len(list(forever)) for _ in range(3)]
    twice = data().create_tuple_iterator(num_epochs=2)
    yield len(list(twice)), len(list(twice))
    once = data().create_dict_iterator(num_epochs=1)
    yield once.get_col_names(), len(list(once)), refused(lambda: next(once))


@program
def iterator_stopped(ms, ds, folder):
    data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    rows_of = data.create_tuple_iterator(output_numpy=True)
    yield next(rows_of)
    rows_of.stop()


@program
def strings_stay_arrays(ms, ds, folder):
    data = ds.NumpySlicesDataset(["a", "bc"], ["x"], shuffle=False)
    yield list(data), list(data.batch(2))
    yield data.output_types()
