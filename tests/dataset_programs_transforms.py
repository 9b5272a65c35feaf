"""What transforms of one value or one image give."""

import numpy as np
from dataset_programs import program, refused, rows


def image(height=4, width=5, channels=3, dtype=np.uint8):
    """Numbers that look like an image."""
    count = height * width * channels
    return ((np.arange(count) * 37) % 256).reshape(height, width, channels).astype(dtype)


@program
def casts(ms, ds, folder):
    t = ds.transforms
    for dtype in (ms.float32, ms.int32, np.uint8, "int64", np.float16, ms.bool_, np.float64):
        yield t.TypeCast(dtype)(np.array([1.7, -2.0, 0.0]))
    yield t.TypeCast(ms.int32)(3.9), t.TypeCast(ms.float32)([1, 2])
    yield refused(lambda: t.TypeCast("nope")), refused(lambda: t.TypeCast(3))
    yield refused(lambda: t.TypeCast(ms.int32)(None))


@program
def one_hots(ms, ds, folder):
    t = ds.transforms
    yield t.OneHot(4)(np.array(2)), t.OneHot(4)(np.array([0, 3])), t.OneHot(3)(1)
    yield (
        t.OneHot(4, 0.1)(np.array(2)),
        t.OneHot(3)(np.array(1, np.uint8)),
        t.OneHot(3)(np.array([1], np.int32)),
    )
    yield refused(lambda: t.OneHot(2)(np.array(2))), refused(lambda: t.OneHot(2)(np.array(0.5)))
    yield (
        refused(lambda: t.OneHot(0)),
        refused(lambda: t.OneHot(2.5)),
        refused(lambda: t.OneHot(2, 1.5)),
    )


@program
def composed(ms, ds, folder):
    t = ds.transforms
    made = t.Compose([t.TypeCast(ms.float32), lambda x: x * 2])
    yield made(np.array([1, 2])), made([3])
    yield rows(ds.NumpySlicesDataset([[1], [2]], ["x"], shuffle=False).map(made, ["x"]))
    yield (
        refused(lambda: t.Compose([])),
        refused(lambda: t.Compose(3)),
        refused(lambda: t.Compose([3])),
    )
    yield t.Compose([lambda x: (x, x + 1), lambda x, y: x + y])(np.array([1]))


@program
def arrays(ms, ds, folder):
    t = ds.transforms
    yield (
        t.Concatenate(0, np.array([9.0]), np.array([8.0]))(np.array([1.0, 2.0])),
        t.Concatenate()(np.array([1])),
    )
    yield (
        t.Fill(7)(np.zeros((2, 2), np.int32)),
        t.Fill(2.5)(np.zeros(2, np.float32)),
        t.Fill(3.7)(np.zeros(2, np.int8)),
    )
    yield (
        t.Mask(t.Relational.GT, 2)(np.array([1, 2, 3])),
        t.Mask(t.Relational.EQ, 2, ms.int32)(np.array([1, 2, 3])),
    )
    yield t.Mask(t.Relational.LE, 2.0, ms.float32)(np.array([1.0, 2.0, 3.0]))
    yield (
        t.PadEnd([4], -1)(np.array([1, 2])),
        t.PadEnd([2, 3])(np.ones((1, 2), np.float32)),
        t.PadEnd([1])(np.array([1, 2])),
    )
    yield t.Duplicate()(np.array([1, 2]))
    yield (
        t.Slice(slice(1, 3))(np.arange(5)),
        t.Slice([0, 2])(np.arange(5)),
        t.Slice(1)(np.arange(5)),
    )
    yield t.Slice(slice(0, 1), slice(0, 3))(np.arange(6).reshape(2, 3))
    yield t.Slice(...)(np.arange(3))


@program
def random_choices(ms, ds, folder):
    t = ds.transforms
    one = [lambda x: x + 1]
    yield t.RandomApply(one, 1.0)(np.array([1])), t.RandomApply(one, 0.0)(np.array([1]))
    yield (
        t.RandomChoice(one)(np.array([1])),
        t.RandomOrder([lambda x: x + 1, lambda x: x + 2])(np.array([1])),
    )
    yield (
        refused(lambda: t.RandomApply(one, 1.5)),
        refused(lambda: t.RandomChoice([])),
        refused(lambda: t.RandomApply([])),
    )


@program
def layouts(ms, ds, folder):
    v = ds.vision
    yield (
        v.HWC2CHW()(image(2, 2)),
        v.HWC2CHW()(image(2, 3, 1)),
        v.HWC2CHW()(image(2, 2, 3, np.float32)),
    )
    yield v.HWC2CHW()(np.ones((2, 3), np.float32))
    yield (
        refused(lambda: v.HWC2CHW()(np.ones(3))),
        refused(lambda: v.HWC2CHW()(np.ones((1, 2, 2, 3)))),
    )
    yield refused(lambda: v.HWC2CHW()("a"))


@program
def rescales(ms, ds, folder):
    v = ds.vision
    yield v.Rescale(1 / 255, 0)(image(2, 2)), v.Rescale(2.0, -1.0)(image(1, 2, 3, np.float32))
    yield (
        v.Rescale(1 / 255.0, 0.5)(np.array([1.0, 2.0])),
        v.Rescale(1 / 255.0, 0.5)(np.array([[1, 2]], np.int32)),
    )
    yield v.Rescale(1.0 / 255, 0.0)(image(2, 2, 1, np.float64))
    yield (
        refused(lambda: v.Rescale("a", 0)),
        refused(lambda: v.Rescale(1.0)),
        refused(lambda: v.Rescale(1, 0)("a")),
    )


@program
def normalizes(ms, ds, folder):
    v = ds.vision
    yield v.Normalize([0.1307], [0.3081])(image(2, 2, 1, np.float32) / np.float32(255))
    yield v.Normalize([121.0, 115.0, 100.0], [70.0, 68.0, 71.0])(image(2, 2))
    yield v.Normalize([121.0, 115.0, 100.0], [70.0, 68.0, 71.0], False)(
        image(2, 2).transpose(2, 0, 1).copy()
    )
    yield v.Normalize((0.5,), (0.25,))(np.ones((2, 2), np.float32))
    yield v.Normalize((0.5,), (0.25,))(image(1, 2, 3, np.float32))
    yield v.Normalize((0.5, 0.5, 0.5), (0.25, 0.5, 1))(image(1, 2, 3, np.float64))
    for mean, std in (
        ([1, 2], [1]),
        ([-1.0], [1.0]),
        ([300.0], [1.0]),
        ([1.0], [0.0]),
        (1.0, 1.0),
        ([1.0], [-1.0]),
        ([1.0], [300.0]),
    ):
        yield refused(lambda m=mean, s=std: v.Normalize(m, s))
    yield refused(lambda: v.Normalize((0.5, 0.5), (1.0, 1.0))(image(2, 2)))
    yield refused(lambda: v.Normalize((0.5,), (1.0,))(np.ones(3, np.float32)))


@program
def tutorial_pipeline(ms, ds, folder):
    v, t = ds.vision, ds.transforms
    data = ds.GeneratorDataset(
        [(np.full((4, 4, 1), 255, np.uint8), 3)], ["image", "label"], shuffle=False
    )
    steps = [v.Rescale(1.0 / 255.0, 0), v.Normalize(mean=(0.1307,), std=(0.3081,)), v.HWC2CHW()]
    data = data.map(steps, "image").map(t.TypeCast(ms.int32), "label").batch(1)
    yield rows(data), data.output_shapes(), data.output_types()


@program
def crops(ms, ds, folder):
    v = ds.vision
    yield (
        v.CenterCrop(2)(image(4, 6)),
        v.CenterCrop((3, 2))(image(4, 5)),
        v.CenterCrop(6)(image(3, 3)),
    )
    yield v.CenterCrop(2)(image(4, 4, 1)), v.CenterCrop((3, 3))(image(4, 4)[:, :, 0].copy())
    yield v.Crop((1, 2), (2, 3))(image(4, 6)), v.Crop((0, 0), 2)(image(3, 3))
    yield (
        v.RandomCrop(4)(image(4, 4)),
        v.RandomCrop((2, 3))(image(5, 5)).shape,
        v.RandomCrop(3, 2)(image(3, 3)).shape,
    )
    yield v.RandomCrop(5, pad_if_needed=True)(image(3, 3)).shape
    yield (
        refused(lambda: v.RandomCrop(5)(image(3, 3))),
        refused(lambda: v.CenterCrop(0)),
        refused(lambda: v.CenterCrop((1, 2, 3))),
    )
    yield refused(lambda: v.Crop((3, 3), 4)(image(4, 4)))


@program
def flips(ms, ds, folder):
    v = ds.vision
    yield v.RandomHorizontalFlip(1.0)(image(2, 3)), v.RandomHorizontalFlip(0.0)(image(2, 3))
    yield (
        v.RandomVerticalFlip(1.0)(image(2, 3)),
        v.HorizontalFlip()(image(2, 2)),
        v.VerticalFlip()(image(2, 2)),
    )
    yield v.RandomHorizontalFlip(1.0)(image(2, 3)[:, :, 0].copy())
    yield refused(lambda: v.RandomHorizontalFlip(2)), refused(lambda: v.RandomVerticalFlip("a"))


@program
def pads(ms, ds, folder):
    v = ds.vision
    yield (
        v.Pad(1)(image(2, 2)),
        v.Pad((1, 2))(image(2, 2, 1)),
        v.Pad((1, 2, 3, 0), 7)(image(2, 2, 1)),
    )
    for border in ("EDGE", "REFLECT", "SYMMETRIC"):
        yield v.Pad(1, padding_mode=v.Border[border])(image(3, 3, 1))
    yield v.Pad([1, 1], (1, 2, 3))(image(2, 2))
    yield v.Pad(1)(image(2, 2)[:, :, 0].copy())
    yield refused(lambda: v.Pad(-1)), refused(lambda: v.Pad((1, 2, 3))), refused(lambda: v.Pad("a"))


@program
def resizes(ms, ds, folder):
    v = ds.vision
    for inter in ("BILINEAR", "NEAREST"):
        kind = v.Inter[inter]
        for size in ((8, 8), (2, 3), 2, 6, (1, 1), (7, 3)):
            yield (
                v.Resize(size, kind)(image(4, 5)),
                v.Resize(size, kind)(image(4, 6, 1, np.float32)),
            )
        yield v.Resize((3, 3), kind)(image(5, 4)[:, :, 0].copy())
    yield v.Resize((28, 28))(image(8, 8, 1))
    yield (
        refused(lambda: v.Resize(0)),
        refused(lambda: v.Resize((1, 2, 3))),
        refused(lambda: v.Resize("a")),
    )
    yield refused(lambda: v.Resize(3, "linear")), refused(lambda: v.Resize(3)(np.ones(3)))
    yield refused(lambda: v.Resize(1.5))


@program
def to_tensors(ms, ds, folder):
    v = ds.vision
    yield (
        v.ToTensor()(image(2, 3)),
        v.ToTensor()(image(2, 3)[:, :, 0].copy()),
        v.ToTensor(np.float64)(image(2, 2, 1)),
    )
    yield v.ToTensor()(image(2, 2, 3, np.float32))
    yield v.ToType(np.float32)(image(1, 1)), v.HWC2CHW()(v.ToTensor()(image(2, 2))).shape
    yield refused(lambda: v.ToTensor()(np.ones(3)))
    yield [int(x) for x in v.Inter], [x.value for x in v.Border]
