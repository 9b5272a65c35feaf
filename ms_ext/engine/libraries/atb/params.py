"""Which Params are there, and how does a Param become a hash?

The fields are those of the real library that a kernel here reads. A Param's hash is made of what
its owner adds to the buffer: with ``@HashOpParam(ActivationParam)`` before a function that calls
``add_param_to_buf`` for each field. A Param without one cannot be used, as in MindSpore.
"""

import hashlib
import struct
import threading
from dataclasses import dataclass, field
from enum import IntEnum

from ... import errors


class ActivationType(IntEnum):
    """What an activation calculates."""

    ACTIVATION_UNDEFINED = 0
    ACTIVATION_RELU = 1
    ACTIVATION_GELU = 2
    ACTIVATION_FAST_GELU = 3
    ACTIVATION_SWISH = 4
    ACTIVATION_LOG = 5
    ACTIVATION_SWIGLU_FORWARD = 6
    ACTIVATION_SWIGLU_BACKWARD = 7
    ACTIVATION_SIGMOID = 8
    ACTIVATION_FASTER_GELU_FORWARD = 9


class GeluMode(IntEnum):
    """How GELU is calculated."""

    TANH_MODE = 0
    NONE_MODE = 1


@dataclass
class ActivationParam:
    """An activation; SwiGLU halves axis ``dim``, swish multiplies by ``scale``."""

    activationType: int = ActivationType.ACTIVATION_UNDEFINED
    scale: float = 1.0
    dim: int = -1
    geluMode: int = GeluMode.TANH_MODE


class RmsNormType(IntEnum):
    """Which norm: of x alone, or of x and a residual, before or after they are added."""

    RMS_NORM_UNDEFINED = 0
    RMS_NORM_NORM = 1
    RMS_NORM_PRENORM = 2
    RMS_NORM_POSTNORM = 3


@dataclass
class NormParam:
    """``rstd``: whether one over the root is a second result."""

    epsilon: float = 1e-5
    rstd: bool = False


@dataclass
class PreNormParam:
    """Of PRENORM, which adds a residual first."""

    epsilon: float = 1e-5


@dataclass
class RmsNormParam:
    """Inputs x, gamma; with PRENORM also a residual, and x + residual is the second result."""

    layerType: int = RmsNormType.RMS_NORM_UNDEFINED
    normParam: NormParam = field(default_factory=NormParam)
    preNormParam: PreNormParam = field(default_factory=PreNormParam)


@dataclass
class RopeParam:
    """Inputs query, key [tokens, features], cos, sin [tokens, features of a head].

    ``rotaryCoeff``: pairs lie in blocks of 2 / rotaryCoeff of a head: 2 halves the head, its own
    size pairs neighbours.
    """

    rotaryCoeff: int = 4
    cosFormat: int = 0


@dataclass
class SoftmaxParam:
    """``axes``: over which the results add up to 1."""

    axes: tuple = ()


@dataclass
class LinearParam:
    """Inputs x, weight and, with ``hasBias``, a bias."""

    transposeA: bool = False
    transposeB: bool = True
    hasBias: bool = True


class MaskType(IntEnum):
    """What the mask of an attention is."""

    MASK_TYPE_UNDEFINED = 0
    MASK_TYPE_NORM = 1


@dataclass
class SelfAttentionParam:
    """Inputs query, key, value [batch, length, features], perhaps a mask that is added.

    ``kvHeadNum`` heads of keys serve ``headNum`` of queries; 0 is as many. ``isTriuMask``: what
    comes later is hidden.
    """

    headNum: int = 1
    kvHeadNum: int = 0
    qkScale: float = 1.0
    maskType: int = MaskType.MASK_TYPE_UNDEFINED
    isTriuMask: int = 0


class _Buffer(threading.local):
    parts = None


_buffer = _Buffer()
_hashes: dict = {}  # type of a Param -> the function that adds its fields


def HashOpParam(param_type):
    """A decorator: the function adds the fields of a ``param_type`` to the buffer."""

    def enter(function):
        _hashes[param_type] = function
        return function

    return enter


def forget_hash(param_type):
    """Undo ``HashOpParam``; whether there was one."""
    return _hashes.pop(param_type, None) is not None


def add_param_to_buf(name, value):
    """Add a field to the hash that is being made."""
    if _buffer.parts is None:
        raise errors.NotRunnable(
            "No hash is being made here.",
            given=f"add_param_to_buf({name!r}, ...)",
            hint="Call it in the function after @HashOpParam(YourParam); Init calls that.",
        )
    _buffer.parts.append(name.encode() + b"\0" + _bytes_of(name, value))


def compute_hash(param):
    """The hash of a Param.

    >>> @HashOpParam(SoftmaxParam)
    ... def of_softmax(param):
    ...     add_param_to_buf("axes", param.axes)
    >>> compute_hash(SoftmaxParam((0,))) == compute_hash(SoftmaxParam((1,)))
    False
    >>> forget_hash(SoftmaxParam)
    True
    """
    found = _hashes.get(type(param))
    if found is None:
        name = f"atb::infer::{type(param).__name__}"
        raise errors.NotOffered(
            f"The atb::HashOpParam<{name}> is not defined.",
            given=f"{param!r:.80}",
            hint=f"Write it: @HashOpParam({type(param).__name__}) before a function of the Param "
            "that calls add_param_to_buf(name, value) for each field.",
        )
    outer, _buffer.parts = _buffer.parts, []
    try:
        found(param)
        text = b"".join(_buffer.parts)
    finally:
        _buffer.parts = outer
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def _bytes_of(name, value):
    if isinstance(value, str):
        return value.encode() + b"\0"
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, int):  # bool and the enums too
        return struct.pack("<q", value)
    if isinstance(value, list | tuple):
        return struct.pack("<q", len(value)) + b"".join(_bytes_of(name, each) for each in value)
    raise errors.InvalidType(
        f"{name!r} cannot be added to a hash.",
        given=f"{value!r:.60} of type {type(value).__name__}",
        hint="Add numbers, texts, or lists of them; of another object its fields, one by one.",
    )
