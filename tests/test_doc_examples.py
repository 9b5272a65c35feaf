"""The examples in every module's docstrings run and print what they say."""

import doctest
import importlib
import pkgutil

import pytest

import ms_ext
from ms_ext.engine import backends, passes

APART = ("ms_ext.ops", "ms_ext.nn", "ms_ext.mint")  # theirs are in test_op_docs


def modules():
    """Every module of the package, by name."""
    for found in pkgutil.walk_packages(ms_ext.__path__, "ms_ext."):
        if not found.name.startswith((*APART, "ms_ext.kernels.")):
            yield found.name


@pytest.fixture
def clean_registries():
    """What an example registers is gone behind it."""
    registries = (passes.REGISTRY, backends.REGISTRY)
    before = [registry.names() for registry in registries]
    yield
    for registry, names in zip(registries, before, strict=True):
        for name in set(registry.names()) - set(names):
            registry.discard(name)


@pytest.mark.usefixtures(clean_registries.__name__)
@pytest.mark.parametrize("name", ["ms_ext", *modules()])
def test_examples(name):
    report = []
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(verbose=False)
    for test in finder.find(importlib.import_module(name)):
        runner.run(test, out=report.append)
    assert not report, "".join(report)
