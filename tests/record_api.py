"""Record MindSpore's public names and what they take: python tests/record_api.py

To be run with a Python that has MindSpore 2.10. Writes ms_ext/cli/portability/api.json, which
``ms-ext portable`` reads: for each module its names, and for each name the number of its signature
(-1: nothing is known of it), beside the modules that can be imported.
"""

import importlib
import inspect
import json
import pkgutil
import re
import types
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = ROOT / "ms_ext" / "cli" / "portability" / "api.json"

#: Modules whose names are kept.
MODULES = (
    "", "amp", "common", "common.api", "common.dtype", "common.initializer", "common.parameter",
    "common.tensor", "communication", "context", "dataset", "dataset.audio", "dataset.config",
    "dataset.text", "dataset.transforms", "dataset.vision", "experimental", "graph", "hal", "log",
    "mindrecord", "mint", "mint.distributed", "mint.linalg", "mint.nn", "mint.nn.functional",
    "mint.optim", "mint.special", "nn", "nn.cell", "nn.layer", "nn.learning_rate_schedule",
    "nn.loss", "nn.metrics", "nn.optim", "nn.wrap", "numpy", "ops", "ops.composite",
    "ops.function", "ops.functional", "ops.operations", "ops.primitive", "parallel", "profiler",
    "runtime", "scipy", "train", "train.amp", "train.callback", "train.metrics",
    "train.serialization", "utils",
)  # fmt: skip
#: Classes whose attributes are kept.
CLASSES = ("Parameter", "Tensor", "nn.Cell", "train.Model", "dataset.GeneratorDataset")
SIMPLE = (bool, int, float, str, type(None))


def names_of(thing):
    """The public names of a module or class; some modules tell them in ``__all__`` only."""
    told = {*dir(thing), *getattr(thing, "__all__", ())}
    return sorted(n for n in told if not n.startswith("_") and hasattr(thing, n))


def signature(thing):
    """What a call takes, in short: ``x,axis=0,*,out=None``; None if it is not known."""
    if not callable(thing):
        return None
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return None
    if _says_nothing(found):
        return _inside(thing) or _documented(thing)
    return _written(found)


def _says_nothing(found):
    kinds = {p.kind for p in found.parameters.values()} - {inspect.Parameter.POSITIONAL_ONLY}
    return inspect.Parameter.VAR_KEYWORD in kinds and len(found.parameters) <= 2


def _written(found):
    parts, named = [], False
    for p in found.parameters.values():
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        if p.kind == p.KEYWORD_ONLY and not named:
            parts.append("*")
        named |= p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        parts.append(star + p.name + ("" if p.default is p.empty else f"={_default(p.default)}"))
    return ",".join(parts)


def _default(value):
    plain = type(value) in SIMPLE and len(repr(value)) < 20
    return repr(value).replace(",", "") if plain else "..."


def _inside(thing):
    """The signature of what a wrapper without a name for it calls."""
    function = thing.__init__ if isinstance(thing, type) else thing
    names = (thing.__name__, "__init__") if hasattr(thing, "__name__") else ()
    for cell in getattr(function, "__closure__", None) or ():
        inner = cell.cell_contents
        if isinstance(inner, types.FunctionType) and inner.__name__ in names:
            found = inspect.signature(inner)
            kept = list(found.parameters.values())[isinstance(thing, type) :]
            return _written(found.replace(parameters=kept))
    return None


def _documented(thing):
    """The signature that the documentation begins with, if it is the only one."""
    told = re.findall(rf"\b{re.escape(thing.__name__)}\((.*?)\) ->", inspect.getdoc(thing) or "")
    if len(told) != 1:
        return None
    try:
        made = eval(f"lambda {told[0]}: 0", {})
    except (NameError, SyntaxError):
        return None
    return _written(inspect.signature(made))


def modules(package):
    """The paths of all modules of MindSpore that do not call themselves private."""
    found = []
    for each in pkgutil.iter_modules(package):
        if each.name.startswith("_"):
            continue
        found.append(each.name)
        if each.ispkg:
            below = [str(Path(folder) / each.name) for folder in package]
            found += [f"{each.name}.{name}" for name in modules(below)]
    return sorted(found)


def module(mindspore, path):
    """A module, or an attribute that stands for one."""
    try:
        return importlib.import_module(f"mindspore.{path}" if path else "mindspore")
    except ModuleNotFoundError:
        found = mindspore
        for part in path.split("."):
            found = getattr(found, part)
        return found


def main():
    """Ask MindSpore, write what it has."""
    import mindspore

    table: dict = {}

    def row(thing):
        taken = {}
        for name in names_of(thing):
            text = signature(getattr(thing, name))
            taken[name] = -1 if text is None else table.setdefault(text, len(table))
        return taken

    found = {path: row(module(mindspore, path)) for path in MODULES}
    classes = {path: row(module(mindspore, path)) for path in CLASSES}
    kept = {
        "version": mindspore.__version__,
        "modules": modules(mindspore.__path__),
        "names": found,
        "classes": classes,
        "signatures": list(table),
    }
    if FILE.exists():  # tests/record_no_cpu.py asks this
        kept["no_cpu"] = json.loads(FILE.read_text()).get("no_cpu", [])
    FILE.write_text(json.dumps(kept, separators=(",", ":")) + "\n")
    print(FILE, FILE.stat().st_size)


if __name__ == "__main__":
    main()
