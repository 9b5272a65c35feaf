"""The packages are named once, bounded once and pinned together; what is imported is declared."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

from ms_ext.cli import config, environment, notice

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
#: Names in environment.yml that are no Python packages of pyproject, and what they bring.
SYSTEM = {"python", "pip", "cxx-compiler", "graphviz"}
#: conda-forge's name where it differs from PyPI's.
PYPI_NAMES = {"python-graphviz": "graphviz"}
#: What pyproject declares and conda does not bring: pip installs it in both routes.
PIP_ONLY = {"playwright"}
#: Import name -> package name where they differ; None: it comes with another declared package.
PACKAGES = {
    "xdist": "pytest-xdist",
    "Cython": "cython",
    "IPython": "ipykernel",
    "PIL": "pillow",
    "docutils": "sphinx",
    "google": "protobuf",
    "sklearn": "scikit-learn",
    "traitlets": "ipywidgets",
}


def requirements():
    """Every requirement of pyproject.toml, as text."""
    project = PROJECT["project"]
    extras = [text for listed in project["optional-dependencies"].values() for text in listed]
    return [*PROJECT["build-system"]["requires"], *project["dependencies"], *extras]


def name_of(requirement):
    """The package a requirement names, in its normal spelling."""
    return re.match(r"[\w.-]+", requirement)[0].lower().replace("_", "-")


def conda_names():
    """The names in environment.yml, without the pip part."""
    text = (ROOT / "environment.yml").read_text().partition("dependencies:")[2]
    return re.findall(r"^  - ([^\s:]+)$", text, re.MULTILINE)


def pinned():
    """Package -> version in the constraints file."""
    lines = (ROOT / "constraints" / "py311.txt").read_text().splitlines()
    return {name_of(line): line.partition("==")[2] for line in lines if re.match(r"\w", line)}


def test_environment_yml_has_names_without_versions():
    names = conda_names()
    assert len(names) > 10
    assert [name for name in names if re.search(r"[<>=]", name)] == []


def test_what_the_user_asked_for_is_there():
    asked = {"numpy", "cython", "jupyterlab", "ipywidgets", "matplotlib", "graphviz"}
    assert asked | {"python-graphviz", "python", "cxx-compiler"} <= set(conda_names())


def test_conda_and_pip_name_the_same_packages():
    conda = {name_of(PYPI_NAMES.get(name, name)) for name in set(conda_names()) - SYSTEM}
    assert conda == set(map(name_of, requirements())) - PIP_ONLY


def test_no_bound_occurs_twice():
    bounded = [name_of(text) for text in requirements() if re.search(r"[<>=~!]", text)]
    assert sorted(bounded) == sorted(set(bounded))


def test_numpy_is_the_only_hard_dependency():
    assert list(map(name_of, PROJECT["project"]["dependencies"])) == ["numpy"]


def test_the_pip_line_of_environment_yml_installs_every_extra():
    words = environment.editable_line((ROOT / "environment.yml").read_text())
    extras = words[1].removeprefix(".[").removesuffix("]").split(",")
    assert words[0] == "-e" and set(extras) == set(PROJECT["project"]["optional-dependencies"])


@pytest.mark.parametrize("requirement", requirements())
def test_every_requirement_is_pinned_within_its_bound(requirement):
    bound = re.search(r">=([\d.]+)", requirement)
    version = pinned()[name_of(requirement)]
    assert not bound or numbers(version) >= numbers(bound[1])


def numbers(version):
    """ "4.2.0" -> (4, 2, 0)"""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def test_the_installed_lab_is_the_pinned_set():
    installed = {name: config.version(name) for name in map(name_of, requirements())}
    if "not installed" in installed.values() or environment.made_by_conda():
        pytest.skip("not the environment that ./lab makes with venv")
    assert installed == {name: pinned()[name] for name in installed}


def test_notice_names_every_pinned_package():
    listed = {line.partition(":")[0] for line in (ROOT / "NOTICE").read_text().splitlines()}
    assert set(notice.pinned(ROOT)) <= listed


def test_contributing_says_what_each_dependency_is_for():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    rows = ",".join(re.findall(r"^\| ([a-z0-9_, -]+) \| .+ \|$", text, re.MULTILINE))
    named = {name_of(name.strip()) for name in rows.split(",")}
    assert set(map(name_of, requirements())) <= named


def third_party_imports(path):
    """The top-level names that a Python file imports from outside itself and the library."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.partition(".")[0]


def test_every_imported_package_is_declared():
    own = {"ms_ext", "tests", "benchmarks", "conftest", "__future__"}
    own |= {path.stem for path in (ROOT / "tests").rglob("*.py")}
    own |= {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()}
    own |= {path.stem for path in (ROOT / "tests" / "extension_sources").glob("*.cpp")}
    own |= {"mindspore", "torch", "jax", "mpmath"}  # recorders compare with them, never needed
    declared = set(map(name_of, requirements()))
    undeclared = {}
    for folder in ("ms_ext", "tests", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            for name in set(third_party_imports(path)) - sys.stdlib_module_names - own:
                if PACKAGES.get(name, name_of(name)) not in declared:
                    undeclared.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert undeclared == {}


def test_settings_that_the_code_reads_are_listed_by_ms_ext_config():
    read = set()
    for path in [*(ROOT / "ms_ext").rglob("*.py"), ROOT / "setup.py"]:
        read |= set(re.findall(r"[\"'](MS_EXT_[A-Z_]+)[\"']", path.read_text()))
    assert read <= set(config.SETTINGS)
