"""Imports point down the table: a module imports only from its own row and the rows below it."""

import ast
from pathlib import Path

import pytest

from ms_ext import ops
from ms_ext.engine import primitive
from ms_ext.ops import composite, later

ROOT = Path(__file__).parents[1]

#: The house, lowest first. A name stands for a module or for a package with all it holds.
ROWS = [
    [
        "engine.errors",
        "engine.registry",
        "engine.events",
        "engine.toolchain",
        "engine.making",
        "engine.strict",
        "kernels",
    ],
    [
        "dtype",
        "engine.arrays",
        "engine.quiet",
        "engine.dims",
        "engine.printing",
        "engine.operands",
        "engine.tensor",
        "engine.tensor_methods",
        "engine.tensor_reference",
        "engine.calling_reference",
        "engine.storage_reference",
        "engine.operators_reference",
        "engine.tape_reference",
        "engine.again_reference",
        "engine.aside_reference",
        "engine.walk_reference",
    ],
    ["engine.declaration", "engine.binding", "engine.later", "engine.primitive"],
    ["engine.infer", "engine.mutable"],
    ["engine.ir", "engine.symbol"],
    ["ops"],
    ["engine.frontend"],
    ["engine.forward_eager", "engine.hooks", "engine.tape", "engine.tape_memory", "common"],
    ["engine.autodiff"],
    ["engine.patterns"],
    ["engine.passes", "engine.pipeline"],
    ["engine.lowering"],
    ["engine.backends"],
    ["engine.stages", "engine.streams", "engine.memory"],
    [
        "engine.batching",
        "engine.calling",
        "engine.compiled",
        "engine.declared_inputs",
        "engine.dynamic",
        "engine.halves",
        "engine.resizing",
        "engine.signatures",
        "engine.gradients",
        "engine.eager",
        "engine.jit",
        "engine.jit_options",
        "engine.saving",
        "engine.checkpoints",
        "engine.compilations",
        "context",
        "log",
        "resolve",
        "session",
    ],
    ["engine.custom", "ops.custom", "engine.libraries"],
    ["engine.planner"],
    ["engine.data", "mindrecord"],
    ["nn", "graph", "runtime", "libraries", "dataset"],
    ["experimental"],
    ["mint"],
    ["viz"],
    ["amp"],
    ["train"],
    ["grading"],
    ["book"],
    ["cli"],
]
#: What shows MindSpore's names or draws: the engine knows nothing of it.
MIRRORS_AND_LEAVES = [
    "nn", "mint", "graph", "runtime", "libraries", "mindrecord", "dataset", "amp", "experimental",
    "train", "viz", "grading", "book", "cli",
]  # fmt: skip


def modules():
    """Dotted name below ms_ext -> its path, without the package's own __init__."""
    for path in sorted((ROOT / "ms_ext").rglob("*.py")):
        parts = path.relative_to(ROOT / "ms_ext").with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name not in ("", "engine"):
            yield name, path


MODULES = dict(modules())


def row(name):
    """The row of the longest entry that `name` is or lies in; None if the table has none."""
    found = [
        (len(entry), number)
        for number, entries in enumerate(ROWS)
        for entry in entries
        if name == entry or name.startswith(entry + ".")
    ]
    return max(found)[1] if found else None


def imports(path, importer):
    """The dotted names below ms_ext that a file imports anywhere, functions included."""
    inside = importer if path.name == "__init__.py" else importer.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (absolute(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = absolute(node.module or "") if node.level == 0 else relative(node, inside)
            if source is not None:
                yield from (deepest(source, alias.name) for alias in node.names)


def absolute(name):
    """ "ms_ext.engine.ir" -> "engine.ir"; None for what is not ours."""
    return name.partition(".")[2] if name.partition(".")[0] == "ms_ext" else None


def relative(node, inside):
    """The dotted name that `from .x import y` means inside a package."""
    parts = inside.split(".") if inside else []
    kept = parts[: len(parts) - node.level + 1]
    return ".".join([*kept, *filter(None, [node.module])])


def deepest(source, name):
    """`from source import name` imports the module source.name if there is one, else source."""
    inner = f"{source}.{name}" if source else name
    return inner if inner in MODULES or row(inner) is not None and not source else source


def test_every_module_has_its_row():
    assert [name for name in MODULES if row(name) is None] == []


@pytest.mark.parametrize("importer", [name for name in MODULES if row(name) is not None])
def test_imports_point_down(importer):
    rows = {name: row(name) for name in imports(MODULES[importer], importer) if name}
    placed = {name: number for name, number in rows.items() if number is not None}
    assert [name for name, number in placed.items() if number > row(importer)] == []


@pytest.mark.parametrize("importer", [name for name in MODULES if name.startswith("engine.")])
def test_the_engine_knows_no_mirror_and_no_leaf(importer):
    known = [name for name in imports(MODULES[importer], importer) if name]
    assert [name for name in known if name.partition(".")[0] in MIRRORS_AND_LEAVES] == []


def test_nothing_imports_the_whole_package():
    """`import ms_ext` inside ms_ext would hide which part is meant."""
    whole = [name for name, path in MODULES.items() if "" in set(imports(path, name))]
    assert [name for name in whole if not name.startswith(("book", "cli", "grading"))] == []


def test_no_file_of_ops_is_named_as_what_ops_shows():
    """Python binds an imported file to its package, in the place of the function of that name."""
    shown = {*composite.names(""), *primitive.OPS.names()}
    assert sorted({path.stem for path in (ROOT / "ms_ext" / "ops").glob("*.py")} & shown) == []


def test_the_list_of_what_ops_declare_is_up_to_date():
    """Where not: ms-ext sync."""
    assert later.text() == ops.DECLARED.read_text(encoding="utf-8")


def test_the_table_itself():
    assert row("engine.infer") < row("engine.ir") == row("engine.ir.node") < row("ops.arithmetic")
    assert row("nonsense") is None
