"""Which random numbers does a weight begin with? Those that MindSpore draws for the same seed.

Philox4x32-10 (Salmon et al., SC 2011) makes of a counter and a key four numbers of 32 bits; both
hold the seed. The seeds come from NumPy's own stream, which ``set_seed`` begins.

>>> bits(1, 4).tolist()
[117906450, 1115841718, 956895307, 1839381922]
"""

from statistics import NormalDist

import numpy as np

_FACTORS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEPS = 0x9E3779B9, 0xBB67AE85
_LOW, _HIGH = np.uint64(0xFFFFFFFF), np.uint64(32)
_SMALLEST = np.float32(1e-7)
_PI = np.float32(3.1415926)


def next_seed():
    """One seed from NumPy's stream, which ``np.random.seed`` and ``set_seed`` begin.

    >>> np.random.seed(1)
    >>> next_seed()
    7692698082559361260
    """
    return int(np.random.randint(low=1, high=1 << 63, dtype=np.int64))


def bits(seed, count):
    """``count`` numbers of 32 bits."""
    blocks = -(-count // 4)
    key = [seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF]
    c0, c1 = np.arange(blocks, dtype=np.uint64), np.zeros(blocks, np.uint64)
    c2, c3 = np.full(blocks, key[0], np.uint64), np.full(blocks, key[1], np.uint64)
    for _ in range(10):
        one, two = c0 * _FACTORS[0], c2 * _FACTORS[1]
        c0, c2 = (
            two >> _HIGH ^ c1 ^ np.uint64(key[0]),
            one >> _HIGH ^ c3 ^ np.uint64(key[1]),
        )
        c1, c3 = two & _LOW, one & _LOW
        key = [(k + step) & 0xFFFFFFFF for k, step in zip(key, _STEPS, strict=True)]
    return np.stack([c0, c1, c2, c3], 1).reshape(-1)[:count].astype(np.uint32)


def uniform(seed, low, high, count):
    """Numbers from ``low`` to ``high``, in float32.

    >>> uniform(7, 0.0, 1.0, 2)
    array([0.48102772, 0.84285593], dtype=float32)
    """
    share = bits(seed, count).astype(np.float32) / np.float32(2**32)
    share = np.minimum(share, np.nextafter(np.float32(1), np.float32(0)))
    low, high = np.float32(low), np.float32(high)
    return (high - low) * share + low


def normal(seed, mean, sigma, count):
    """Numbers from the bell curve, two of each two (Box and Muller), in float32.

    >>> normal(7, 0.0, 1.0, 2)
    array([-1.5264574 , -0.41483256], dtype=float32)
    """
    drawn = bits(seed, count + count % 2) & np.uint32(0x7FFFFF)
    share = np.maximum(drawn.astype(np.float32) / np.float32(2**23), _SMALLEST)
    length = np.sqrt(np.float32(-2) * np.log(share[0::2])) * np.float32(sigma)
    angle = np.float32(2) * _PI * share[1::2]
    pairs = np.stack([length * np.cos(angle), length * np.sin(angle)], 1)
    return pairs.reshape(-1)[:count] + np.float32(mean)


def truncated(seed, mean, sigma, low, high, count):
    """Numbers from the bell curve between ``low`` and ``high``, in float32.

    Each is where the area to its left is what was drawn (the inverse of the distribution).

    >>> truncated(7, 0.0, 1.0, -2.0, 2.0, 2)
    array([-0.04540822,  0.9433768 ], dtype=float32)
    """
    curve = NormalDist(mean, sigma)
    left, right = curve.cdf(low), curve.cdf(high)
    area = left + uniform(seed, 0.0, 1.0, count).astype(np.float64) * (right - left)
    inside = np.clip(area, 1e-12, 1 - 1e-12)
    drawn = np.fromiter(map(curve.inv_cdf, inside), np.float64, count)
    return np.clip(drawn, low, high).astype(np.float32)
