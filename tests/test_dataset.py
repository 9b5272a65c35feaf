"""What datasets do beyond what is recorded of MindSpore: our own names, texts, and safeguards."""

import builtins
import io
import sys

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import dataset as ds
from ms_ext.dataset import progress_bar
from ms_ext.dataset.progress_bar import progress
from ms_ext.engine.data import settings


@pytest.fixture(autouse=True)
def settings_as_they_were():
    before = dict(vars(settings.settings))
    yield
    vars(settings.settings).update(before)


def numbers(count=5):
    return ds.NumpySlicesDataset(list(range(count)), ["x"], shuffle=False)


def firsts(data):
    return [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def typed(types):
    return ds.GeneratorDataset([1, 2], ["x"], column_types=types, shuffle=False)


# errors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "kind", "says"),
    [
        (
            lambda: numbers().map(abs, ["xx"]),
            RuntimeError,
            "xx doesn't exist.*\n.*Did you mean 'x'",
        ),
        (lambda: numbers().bach(2), AttributeError, "Did you mean 'batch'"),
        (lambda: ds.GeneratorDatset, AttributeError, "Did you mean 'GeneratorDataset'"),
        (lambda: numbers().map(abs, ["x"], workers=2), TypeError, "'workers'"),
        (lambda: firsts(numbers().map(lambda x: (x, x))), RuntimeError, "2, the number of 'output"),
        (lambda: firsts(numbers().filter(lambda x: x / [])), RuntimeError, "filter: the function"),
        (lambda: firsts(numbers().batch(lambda info: 0)), RuntimeError, "greater than 0"),
        (lambda: firsts(numbers().batch(lambda info: -1)), RuntimeError, "greater than 0"),
        (lambda: numbers().batch(-1), RuntimeError, "cannot be -1"),
        (lambda: firsts(numbers().map([])), RuntimeError, "No 'operations' are specified"),
        (lambda: firsts(ds.GeneratorDataset([1j], ["x"])), RuntimeError, "int, float, bool or str"),
        (lambda: firsts(numbers().map(lambda x: x * 1j)), RuntimeError, "int, float, bool or str"),
        (lambda: numbers().map(abs, ["x"], cache=3), ValueError, "cache is not there"),
        (lambda: firsts(typed([ms.float32])), RuntimeError, "x is int64, and column_types says fl"),
        (lambda: typed([]), ValueError, "as many column_types"),
        (lambda: ds.MnistDataset("/nowhere"), ValueError, "ms-ext data digits"),
        (lambda: ds.vision.Resize(3, ds.vision.Inter.AREA), ValueError, "NEAREST"),
    ],
)
def test_what_an_error_says(call, kind, says):
    with pytest.raises(kind, match=says):
        call()


def test_ragged_rows_are_told_in_mindspores_words():
    ragged = ds.GeneratorDataset([np.ones(1), np.ones(2)], ["x"], shuffle=False)
    with pytest.raises(
        RuntimeError, match="column 0. First element had shape <1> and this element"
    ):
        firsts(ragged.batch(2))


def test_a_second_pass_over_one_epoch_is_told():
    rows = numbers().create_tuple_iterator(num_epochs=1)
    assert len(list(rows)) == 5
    with pytest.raises(RuntimeError, match="EOF buffer encountered"):
        next(rows)


# the pipeline -------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_a_block_at_once_gives_what_the_rows_give(count):
    rng = np.random.default_rng(0)
    images = rng.integers(0, 256, (10, 5, 6, 3), dtype=np.uint8)
    vision, transforms = ds.vision, ds.transforms
    steps = [
        transforms.Compose([vision.Rescale(1 / 255, 0.1), vision.Normalize([0.1] * 3, [0.3] * 3)]),
        vision.HWC2CHW(), transforms.TypeCast(ms.float16),
    ]  # fmt: skip
    data = ds.NumpySlicesDataset((images, np.arange(10)), ["image", "label"], shuffle=False)
    data = data.map(steps, "image").map(transforms.OneHot(10), "label")
    blocks = rows_of(data.batch(count))
    one_by_one = [steps[2](steps[1](steps[0](image))) for image in images]
    assert np.array_equal(np.concatenate([x for x, _ in blocks]), one_by_one)
    assert np.array_equal(np.concatenate([y for _, y in blocks]), np.eye(10, dtype=int))
    assert blocks[0][0].dtype == np.float16 and blocks[0][0].flags.c_contiguous


def rows_of(data):
    return list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))


def test_rows_of_different_types_are_cast_before_they_are_stacked():
    mixed = [np.ones(1, np.int32), np.ones(1, np.float64)]
    data = ds.GeneratorDataset(mixed, ["x"], shuffle=False)
    ((x,),) = rows_of(data.map(ds.transforms.TypeCast(np.float32)).batch(2))
    assert x.dtype == np.float32 and x.shape == (2, 1)


SOURCES = {
    "arrays": lambda a: ds.NumpySlicesDataset(a, ["x"], shuffle=False),
    "list": lambda a: ds.GeneratorDataset(list(a), ["x"], shuffle=False),
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_function_that_changes_its_row_does_not_change_the_data(source):
    def in_place(x):
        x += 100
        return x

    held = np.zeros((3, 2))
    data = SOURCES[source](held)
    assert firsts(data.map(in_place)) == [[100, 100]] * 3
    for (x,) in data:
        x += 1
    assert firsts(data) == [[0, 0]] * 3 and not held.any()


def test_the_seed_of_the_whole_package_counts_too():
    settings.set_seed(None)
    data = ds.NumpySlicesDataset(list(range(20)), ["x"])
    ms.set_seed(3)
    one = firsts(data)
    ms.set_seed(4)
    other = firsts(data)
    ms.set_seed(3)
    assert firsts(data) == one != other


def test_a_repeat_shuffles_anew():
    ds.config.set_seed(1)
    twice = firsts(numbers(20).shuffle(20).repeat(2))
    assert sorted(twice[:20]) == sorted(twice[20:]) and twice[:20] != twice[20:]


def test_shards_are_disjoint_without_a_seed():
    settings.set_seed(None)
    parts = [ds.NumpySlicesDataset(list(range(12)), ["x"], num_shards=3, shard_id=i)
             for i in range(3)]  # fmt: skip
    assert sorted(x for part in parts for x in firsts(part)) == list(range(12))


def test_the_parts_of_a_split_stay_apart_in_every_epoch():
    train, test = ds.NumpySlicesDataset(list(range(30)), ["x"]).split([0.7, 0.3])
    rows = train.create_tuple_iterator(num_epochs=3, output_numpy=True)
    seen = {x.item() for _ in range(3) for (x,) in rows}
    assert len(seen) == 21 and seen.isdisjoint(firsts(test)) and len(firsts(test)) == 9


def test_one_dataset_can_be_used_in_two_pipelines():
    data = numbers(3)
    double = data.map(lambda x: x * 2, ["x"], ["y"])
    assert firsts(data.zip(double).batch(3)) == [[0, 1, 2]] and firsts(double) == [0, 2, 4]


def test_dicts_and_texts():
    data = ds.GeneratorDataset([({"a": 1}, "one")], ["d", "t"], shuffle=False)
    ((d, t),) = list(data)
    assert isinstance(d["a"], ms.Tensor) and t == "one"


def test_labels_of_files_become_tensors():
    data = ds.NumpySlicesDataset(np.array([1, 2], np.uint32), ["x"], shuffle=False)
    assert [str(x.dtype) for (x,) in data] == ["Int64", "Int64"]
    assert str(data.output_types()[0]) == "uint32"


def test_a_training_loop():
    ds.config.set_seed(0)
    points = np.linspace(-1, 1, 32, dtype=np.float32)[:, None]
    data = ds.NumpySlicesDataset((points, 3 * points + 1), ["x", "y"]).batch(8)
    w, b = ms.Parameter(ms.Tensor([0.0]), name="w"), ms.Parameter(ms.Tensor([0.0]), name="b")
    step = ms.value_and_grad(lambda x, y: ((x * w + b - y) ** 2).mean(), None, [w, b])
    for _ in range(40):
        for x, y in data:
            _, (dw, db) = step(x, y)
            w.set_data(w - 0.3 * dw)
            b.set_data(b - 0.3 * db)
    assert abs(w.item() - 3) < 0.01 and abs(b.item() - 1) < 0.01


# progress -----------------------------------------------------------------------------------------


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_progress_says_nothing_where_nobody_looks(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert len(list(progress(numbers().batch(2), "epoch 1"))) == 3
    assert sys.stderr.getvalue() == "" and capsys.readouterr().out == ""


def test_progress_in_a_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    monkeypatch.setattr(progress_bar, "EVERY", 0)
    bar = progress(numbers(2), "epoch 1")
    for number, _ in enumerate(bar):
        bar.note(loss=0.5 - number / 4)
    pictures = screen.getvalue().split("\r")[1:]
    assert pictures[0].startswith(f"[{'.' * 24}] epoch 1  0/2  0%")
    assert pictures[1].startswith(f"[{'#' * 12}{'.' * 12}] epoch 1  1/2  50%")
    assert pictures[-1].startswith(f"[{'#' * 24}] epoch 1  2/2  100%")
    assert "loss 0.25" in pictures[-1] and pictures[-1].endswith("\n")


def test_progress_of_a_loop_that_breaks_off_ends_its_line(monkeypatch):
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    for _ in progress(iter(range(9))):
        break
    assert screen.getvalue().endswith("\n")


def test_progress_in_a_notebook(monkeypatch):
    display = pytest.importorskip("IPython.display")
    shown = []

    class Handle:
        def update(self, data, raw):
            shown.append(data)

    def show(data, raw, display_id):
        shown.append(data)
        return Handle()

    shell = type("Shell", (), {"kernel": object()})()
    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", lambda: shell)
    monkeypatch.setattr(display, "display", show)
    assert list(progress([1, 2], "<b>")) == [1, 2]
    assert shown[0]["text/plain"].startswith("<b>  0/2") and "&lt;b&gt;" in shown[0]["text/html"]
    assert 'value="1.000"' in shown[-1]["text/html"]


# images -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(8, 8), (3, 7), (5, 5), (1, 1), (10, 12)])
def test_a_linear_picture_stays_linear(size):
    """Bilinear numbers lie on the plane that the picture is, but for the clamped edges."""
    y, x = np.mgrid[:5, :6].astype(np.float32)
    made = ds.vision.Resize(size)(2 * x + 3 * y)
    rows = ((np.arange(size[0]) + 0.5) * 5 / size[0] - 0.5).clip(0, 4)
    columns = ((np.arange(size[1]) + 0.5) * 6 / size[1] - 0.5).clip(0, 5)
    assert np.allclose(made, 2 * columns + 3 * rows[:, None], atol=1e-5)


def test_a_picture_of_pillows():
    pytest.importorskip("PIL")
    picture = ds.vision.ToPIL()(np.full((4, 6, 3), 7, np.uint8))
    assert picture.size == (6, 4)
    assert np.array_equal(ds.vision.Resize(2)(picture), np.full((2, 3, 3), 7))
    assert np.array_equal(ds.vision.ToNumpy()(picture), np.full((4, 6, 3), 7))


def test_without_pillow_it_is_told(monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name == "PIL":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(RuntimeError, match="pip install pillow"):
        ds.vision.ToPIL()(np.zeros((2, 2), np.uint8))


def test_random_transforms_outside_a_pipeline_follow_the_seed():
    crop, image = ds.vision.RandomCrop(3), np.arange(400).reshape(20, 20)

    def drawn():
        ds.config.set_seed(2)
        return [crop(image)[0, 0].item() for _ in range(5)]

    assert drawn() == drawn() and len(set(drawn())) > 1
