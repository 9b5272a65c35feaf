"""Pooling, padding and resizing against direct loops and NumPy in float64, in both modes."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, nn, ops

SIXTEEN = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)


def pooled(function, x, kernel, stride, pad, fill):
    """A pooling of images by its definition."""
    x = np.pad(x, ((0, 0), (0, 0), pad, pad), constant_values=fill)
    rows = range(0, x.shape[2] - kernel[0] + 1, stride)
    columns = range(0, x.shape[3] - kernel[1] + 1, stride)
    parts = [
        [function(x[:, :, r : r + kernel[0], c : c + kernel[1]], (2, 3)) for c in columns]
        for r in rows
    ]
    return np.moveaxis(np.array(parts), (0, 1), (2, 3))


def test_the_largest_and_the_mean_of_sixteen_numbers(mode):
    """N12: two by two; and the stride is 1 unless another is given."""
    x = Tensor(SIXTEEN)
    assert nn.MaxPool2d(2, 2)(x).asnumpy()[0, 0].tolist() == [[5, 7], [13, 15]]
    assert nn.AvgPool2d(2, 2)(x).asnumpy()[0, 0].tolist() == [[2.5, 4.5], [10.5, 12.5]]
    for kind in (nn.MaxPool2d, nn.AvgPool2d):
        assert kind(2)(x).shape == (1, 1, 3, 3) and kind()(x).shape == (1, 1, 4, 4)


@pytest.mark.parametrize("seed", range(10))
def test_drawn_windows(seed, mode):
    rng = np.random.default_rng(seed)
    kernel, stride = tuple(map(int, rng.integers(1, 4, 2))), int(rng.integers(1, 4))
    pad = int(rng.integers(0, min(kernel) // 2 + 1))
    x = rng.uniform(-2, 2, (2, 3, *map(int, rng.integers(3, 8, 2))))
    largest = nn.MaxPool2d(kernel, stride, "pad", pad)(Tensor(x))
    want = pooled(np.max, x, kernel, stride, (pad, pad), -np.inf)
    np.testing.assert_array_equal(largest.asnumpy(), want)
    mean = nn.AvgPool2d(kernel, stride, "pad", pad)(Tensor(x))
    want = pooled(np.mean, x, kernel, stride, (pad, pad), 0)
    np.testing.assert_allclose(mean.asnumpy(), want, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float32, ms.float64])
def test_dtypes(dtype):
    x = Tensor(SIXTEEN).astype(dtype)
    for layer in (nn.MaxPool2d(2, 2), nn.AvgPool2d(2, 2), nn.MaxPool2d(2, 2, "pad", 1)):
        assert layer(x).dtype is dtype
        assert ms.grad(layer)(x).dtype is dtype


def test_equal_elements_leave_the_gradient_to_the_first():
    x = Tensor(np.ones((1, 1, 2, 4), np.float32))
    dx = ms.grad(nn.MaxPool2d(2, 2))(x).asnumpy()[0, 0]
    assert dx.tolist() == [[1, 0, 1, 0], [0, 0, 0, 0]]


def test_not_a_number_is_the_largest():
    x = SIXTEEN.copy()
    x[0, 0, 0, 1] = np.nan
    y = nn.MaxPool2d(2, 2)(Tensor(x)).asnumpy()[0, 0]
    assert np.isnan(y[0, 0]) and y[1].tolist() == [13, 15]
    y, where = ops.max_pool2d(Tensor(x), 2, 2, return_indices=True)
    assert np.isnan(y.asnumpy()[0, 0, 0, 0]) and where.asnumpy()[0, 0, 0, 0] == 1


def test_no_samples():
    x = ops.ones((0, 3, 4, 4))
    assert nn.MaxPool2d(2, 2)(x).shape == nn.AvgPool2d(2, 2)(x).shape == (0, 3, 2, 2)
    assert ms.grad(nn.MaxPool2d(2, 2))(x).shape == (0, 3, 4, 4)
    assert ops.interpolate(x, (8, 8), mode="bilinear").shape == (0, 3, 8, 8)


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_the_largest_goes_back_where_it_was(axes):
    rng = np.random.default_rng(axes)
    x = rng.permutation(np.arange(1.0, 2 * 4**axes + 1)).reshape(1, 2, *(4,) * axes)
    x = Tensor(x.astype(np.float32))
    pool = getattr(nn, f"MaxPool{axes}d")(2, 2, "pad", return_indices=True)
    y, where = pool(x)
    back = getattr(nn, f"MaxUnpool{axes}d")(2)(y, where).asnumpy()
    kept = back != 0
    assert kept.sum() == 2 * 2**axes and (back[kept] == x.asnumpy()[kept]).all()


@pytest.mark.parametrize(
    "mode_name, numpy_name", [("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")]
)
def test_padding_modes(mode_name, numpy_name, mode):
    x = np.random.default_rng(0).uniform(-1, 1, (2, 3, 4, 5)).astype(np.float32)
    want = np.pad(x, ((0, 0), (0, 0), (1, 2), (3, 0)), mode=numpy_name)
    pad = ms.jit(lambda x: ops.pad(x, (3, 0, 1, 2), mode_name)) if mode else ops.pad
    got = pad(Tensor(x)) if mode else pad(Tensor(x), (3, 0, 1, 2), mode_name)
    np.testing.assert_array_equal(got.asnumpy(), want)


def test_unfold_of_a_convolution_is_the_convolution(mode):
    rng = np.random.default_rng(2)
    x, w = rng.uniform(-1, 1, (2, 3, 5, 4)), rng.uniform(-1, 1, (4, 3, 2, 3))
    x, w = Tensor(x), Tensor(w)
    columns = ops.unfold(x, (2, 3), padding=1)
    by_columns = ops.matmul(w.reshape(4, -1), columns).reshape(2, 4, 6, 4)
    by_op = ops.conv2d(x, w, pad_mode="pad", padding=1)
    np.testing.assert_allclose(by_columns.asnumpy(), by_op.asnumpy(), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("padding", ["valid", "same"])
def test_patches_keep_the_channels_of_a_tap_together(padding):
    x = np.random.default_rng(3).uniform(-1, 1, (1, 2, 4, 5)).astype(np.float32)
    got = nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], padding)(Tensor(x)).asnumpy()
    whole = np.pad(x, ((0, 0), (0, 0), (0, 1), (0, 1))) if padding == "same" else x
    rows, columns = whole.shape[2] - 1, whole.shape[3] - 1
    taps = [whole[:, :, i : i + rows, j : j + columns] for i in (0, 1) for j in (0, 1)]
    np.testing.assert_array_equal(got, np.concatenate(taps, 1))


def test_shuffled_pixels_come_back(mode):
    x = Tensor(np.arange(72, dtype=np.float32).reshape(1, 2, 6, 6))
    back = nn.PixelShuffle(3)(nn.PixelUnshuffle(3)(x))
    assert (back == x).asnumpy().all()
    shuffled = nn.ChannelShuffle(2)(Tensor(np.arange(4, dtype=np.float32).reshape(1, 4, 1, 1)))
    assert shuffled.asnumpy().ravel().tolist() == [0, 2, 1, 3]


@pytest.mark.parametrize("size", [(4, 5), (7, 3), (1, 1)])
@pytest.mark.parametrize("name", ["nearest", "bilinear", "bicubic", "area"])
def test_resizing_keeps_what_is_constant_and_its_gradient_adds_up(name, size, mode):
    x = ops.ones((1, 2, 4, 5), ms.float64) * 3
    y = ops.interpolate(x, size, mode=name)
    np.testing.assert_allclose(y.asnumpy(), np.full((1, 2, *size), 3.0), rtol=1e-12)
    dx = ms.grad(lambda x: ops.interpolate(x, size, mode=name).sum())(x)
    assert float(dx.sum()) == pytest.approx(2 * size[0] * size[1])


def test_open_sizes_of_a_graph():
    """A batch of any size is served by one compilation."""
    net = nn.SequentialCell(
        nn.Conv2d(1, 2, 3, pad_mode="valid"), nn.MaxPool2d(2, 2), nn.AvgPool2d(2)
    )
    f = ms.jit(lambda x: net(x), dynamic=1)
    for n in (2, 3, 5, 7):
        x = Tensor(np.random.default_rng(n).uniform(-1, 1, (n, 1, 8, 8)).astype(np.float32))
        np.testing.assert_allclose(f(x).asnumpy(), net(x).asnumpy(), rtol=1e-5, atol=1e-6)
    assert f.compiled <= 2
