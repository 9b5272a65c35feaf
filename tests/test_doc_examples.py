"""The examples in every module's docstrings run and print what they say."""

import doctest
import importlib
import pkgutil

import pytest

import ms_ext

APART = ("ms_ext.ops", "ms_ext.nn", "ms_ext.mint")  # theirs are in test_op_docs


def modules():
    """Every module of the package, by name."""
    for found in pkgutil.walk_packages(ms_ext.__path__, "ms_ext."):
        if not found.name.startswith((*APART, "ms_ext.kernels.")):
            yield found.name


@pytest.mark.parametrize("name", ["ms_ext", *modules()])
def test_examples(name):
    report = []
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(verbose=False)
    for test in finder.find(importlib.import_module(name)):
        runner.run(test, out=report.append)
    assert not report, "".join(report)
