"""Every op, composite, Cell and module of ops, mint and nn has a doc with an example that runs."""

import doctest
import importlib
import pkgutil

import pytest
from test_ops import OPS

import ms_ext as ms
from ms_ext import Parameter, Tensor, mint, nn, ops
from ms_ext.ops.composite import COMPOSITES

NAMES = {"ops": ops, "mint": mint, "nn": nn, "Tensor": Tensor, "Parameter": Parameter, "ms": ms}
FUNCTIONS = {f: name for name, f in COMPOSITES.items() if f.__module__.startswith("ms_ext.ops.")}
DOCS = {op.name: op.doc for op in OPS.values()} | {name: f.__doc__ for f, name in FUNCTIONS.items()}


def failures(test):
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    return "".join(report)


@pytest.mark.parametrize("name", DOCS)
def test_example_of_an_op(name):
    test = doctest.DocTestParser().get_doctest(DOCS[name], dict(NAMES), name, None, 0)
    assert test.examples, "the doc needs an example"
    assert not failures(test)


def modules():
    """The files of ops, nn and mint."""
    for package in (ops, nn, mint):
        yield package.__name__
        inside = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        yield from (module.name for module in inside)
    for name in ("", "_rule", "_constants", "_draws"):
        yield f"ms_ext.common.initializer{name}"
    yield "ms_ext.common.philox"


def names_of(module):
    """What an example may use without importing it: the module's names, those of lazy ones too."""
    lazy = getattr(module, "__all__", ()) if hasattr(module, "__getattr__") else ()
    return NAMES | vars(module) | {name: getattr(module, name) for name in lazy}


@pytest.mark.parametrize("name", sorted(set(modules())))
def test_examples_of_a_module(name):
    module = importlib.import_module(name)
    names = names_of(module)
    mine = [f for f in FUNCTIONS if f.__module__ == name]
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name, globs=names):
        if not any(test.name == f"{name}.{f.__name__}" for f in mine):  # those were run above
            assert not failures(test)
