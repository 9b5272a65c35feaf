"""What is refused when a dataset is described, and as what."""

from dataset_programs import program, refused, rows


@program
def generators_refused(ms, ds, folder):
    made = ds.GeneratorDataset
    data = [1, 2, 3]
    yield (
        refused(lambda: made(3, ["x"])),
        refused(lambda: made(data)),
        refused(lambda: made(data, [])),
    )
    yield (
        refused(lambda: made(data, 3)),
        refused(lambda: made(data, [""])),
        refused(lambda: made(data, ["x", "x"])),
    )
    yield (
        refused(lambda: made(data, ["x"], num_samples="a")),
        refused(lambda: made(data, ["x"], num_samples=-1)),
    )
    yield (
        refused(lambda: made(data, ["x"], shuffle=3)),
        refused(lambda: made(data, ["x"], num_parallel_workers=0)),
    )
    yield (
        refused(lambda: made(data, ["x"], num_parallel_workers=99999)),
        refused(lambda: made(data, ["x"], num_shards=2)),
    )
    yield (
        refused(lambda: made(data, ["x"], num_shards=2, shard_id=2)),
        refused(lambda: made(data, ["x"], num_shards=0, shard_id=0)),
    )
    yield (
        refused(lambda: made(data, ["x"], sampler=3)),
        refused(lambda: made(data, ["x"], sampler=ds.PKSampler(1))),
    )
    yield refused(lambda: made(data, ["x"], shuffle=True, sampler=ds.SequentialSampler()))


@program
def generators_with_an_order_refused(ms, ds, folder):
    made = ds.GeneratorDataset
    data = [1, 2, 3]
    yield (
        refused(lambda: made(data, ["x"], num_shards=2, shard_id=-1)),
        refused(lambda: made(None, ["x"])),
    )
    yield refused(lambda: made(lambda: iter([(1,)]), ["x"], sampler=ds.SequentialSampler()))
    yield refused(lambda: made(lambda: iter([(1,)]), ["x"], num_shards=2, shard_id=0))
    yield refused(lambda: made(lambda: iter([(1,)]), ["x"], shuffle=True))


@program
def rows_refused(ms, ds, folder):
    made = ds.GeneratorDataset
    yield refused(lambda: rows(made([1, 2], ["x", "y"], shuffle=False)))
    yield refused(lambda: rows(made([(1, 2)], ["x"], shuffle=False)))
    yield refused(lambda: rows(made([object()], ["x"], shuffle=False)))
    yield refused(lambda: rows(made([None], ["x"], shuffle=False)))
    yield refused(lambda: rows(made([([1, [2, 3]],)], ["x"], shuffle=False)))
    yield refused(lambda: rows(made([], ["x"], shuffle=False)))

    class Broken:
        def __getitem__(self, index):
            return {0: 5}[index]

        def __len__(self):
            return 3

    class Endless:
        def __getitem__(self, index):
            return (index,)

    yield refused(lambda: rows(made(Broken(), ["x"], shuffle=False)))
    yield refused(lambda: rows(made(Endless(), ["x"], shuffle=False)))
    yield refused(lambda: made(lambda: iter([(1,)]), ["x"])[0])
    yield refused(lambda: rows(made(lambda: 3, ["x"])))


@program
def slices_refused(ms, ds, folder):
    made = ds.NumpySlicesDataset
    yield (
        refused(lambda: made(3)),
        refused(lambda: made([])),
        refused(lambda: made(([1], [2]), ["x"])),
    )
    yield refused(lambda: made({"a": [1]}, ["x", "y"])), refused(lambda: made([1], ["x", "y"]))
    yield (
        refused(lambda: rows(made(([1, 2], [1]), ["x", "y"]))),
        refused(lambda: made({"a": [1, 2], "b": [1]})),
    )
    yield refused(lambda: made((1, 2))), refused(lambda: made([1], 3)), refused(lambda: made("abc"))


@program
def batches_refused(ms, ds, folder):
    data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    yield (
        refused(lambda: data.batch(0)),
        refused(lambda: data.batch("a")),
        refused(lambda: data.batch(2, 3)),
    )
    yield (
        refused(lambda: data.batch(-2)),
        refused(lambda: data.batch(2.5)),
        refused(lambda: data.batch(lambda: 3)),
    )
    yield (
        refused(lambda: data.batch(2, input_columns=["x"])),
        refused(lambda: data.batch(2, nope=3)),
    )
    yield refused(lambda: data.batch(2, num_parallel_workers=0)), refused(lambda: data.batch(True))
    yield (
        refused(lambda: data.shuffle(1)),
        refused(lambda: data.shuffle("a")),
        refused(lambda: data.shuffle(0)),
    )


@program
def operations_refused(ms, ds, folder):
    data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    yield (
        refused(lambda: data.repeat(0)),
        refused(lambda: data.repeat(-2)),
        refused(lambda: data.repeat(1.5)),
    )
    yield (
        refused(lambda: data.take(0)),
        refused(lambda: data.take(-2)),
        refused(lambda: data.take("a")),
    )
    yield (
        refused(lambda: data.skip(-1)),
        refused(lambda: data.skip(1.5)),
        refused(lambda: data.filter(3)),
    )
    yield (
        refused(lambda: data.map(lambda x: x, ["x"], nope=1)),
        refused(lambda: data.map(lambda x: x, 3)),
    )
    yield (
        refused(lambda: data.map(lambda x: x, ["x"], num_parallel_workers=0)),
        refused(lambda: data.map([])),
    )
    yield (
        refused(lambda: data.map(lambda x: x, ["x", "x"])),
        refused(lambda: data.map(lambda x: x, ["x"], [])),
    )


@program
def iterators_refused(ms, ds, folder):
    data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    yield (
        refused(lambda: data.create_tuple_iterator(num_epochs=-2)),
        refused(lambda: data.create_tuple_iterator(num_epochs="a")),
    )
    yield (
        refused(lambda: data.create_tuple_iterator(columns=3)),
        refused(lambda: data.create_tuple_iterator(output_numpy=3)),
    )
    fresh = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    yield refused(lambda: fresh.create_tuple_iterator(columns=["nope"]))
    yield refused(lambda: data.create_dict_iterator(num_epochs=0))
    yield (
        refused(lambda: data.nope),
        refused(lambda: ds.Nope),
        refused(lambda: data.padded_batch(0)),
    )
    yield refused(lambda: data.create_tuple_iterator(columns=[]))


@program
def samplers_refused(ms, ds, folder):
    yield refused(lambda: ds.SequentialSampler("a")), refused(lambda: ds.RandomSampler("a"))
    yield (
        refused(lambda: ds.RandomSampler(num_samples=-1)),
        refused(lambda: ds.RandomSampler(num_samples="a")),
    )
    yield (
        refused(lambda: ds.SubsetSampler("ab")),
        refused(lambda: ds.SubsetSampler([1.5])),
        refused(lambda: ds.SubsetSampler(3)),
    )
    yield (
        refused(lambda: ds.WeightedRandomSampler(["a"])),
        refused(lambda: ds.WeightedRandomSampler([1.0], replacement=3)),
    )
    yield (
        refused(lambda: ds.DistributedSampler("a", 0)),
        refused(lambda: ds.DistributedSampler(2, "a")),
    )
    yield (
        refused(lambda: ds.DistributedSampler(2, 0, shuffle="a")),
        refused(lambda: ds.PKSampler("a")),
    )
    one = [1.0, 2.0]

    def drawn(sampler):
        return lambda: rows(ds.NumpySlicesDataset(one, ["x"], sampler=sampler()))

    yield refused(drawn(lambda: ds.SubsetSampler([5])))
