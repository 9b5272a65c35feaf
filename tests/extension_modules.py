"""The operators in C++ of extension_sources: each is built once and kept below build/."""

from pathlib import Path

import pytest
from builder_sources import KEPT, needs_compiler, needs_pybind11

from ms_ext.ops import CustomOpBuilder

SOURCES = Path(__file__).parent / "extension_sources"

__all__ = [
    "KEPT",
    "SOURCES",
    "gradients",
    "load",
    "needs_compiler",
    "needs_pybind11",
    "surface",
    "tutorial",
]


def load(source, cflags=None):
    """The module of one source; compiled if the source or a header has changed."""
    name = f"extension_{source}"
    path = str(SOURCES / f"{source}.cpp")
    builder = CustomOpBuilder(
        name, [path], backend="CPU", cflags=cflags, build_dir=str(KEPT / name)
    )
    return builder.load()


@pytest.fixture(scope="session")
def surface():
    """What ms_extension/api.h offers, called in every way."""
    return load("surface")


@pytest.fixture(scope="session")
def gradients():
    """Operators with a gradient of their own."""
    return load("gradients")


@pytest.fixture(scope="session")
def tutorial():
    """The source of MindSpore's tutorial op_customopbuilder, letter by letter."""
    return load("tutorial_add3")
