"""One source, two engines: ``import mindspore`` finds ms_ext, or the other way round.

>>> here()
>>> import mindspore as ms
>>> ms.__name__, ms.ops.add(ms.Tensor(1), 2)
('ms_ext', Tensor(shape=[], dtype=Int64, value= 3))
>>> withdraw()

``ms-ext run script.py`` and ``%load_ext ms_ext`` call ``here``. With MS_EXT_ENGINE=mindspore the
package calls ``there`` when it is imported: the names that MindSpore has too come from it then.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types

from .engine import errors

OURS, THEIRS = "ms_ext", "mindspore"
#: What MindSpore has not: it works on ms_ext's own engine only.
EXTRAS = frozenset({"book", "check", "engine", "grading", "graph", "hint", "kernels", "viz"})
#: The MindSpore whose names and answers these are: its ``__version__`` while ``here`` is on.
VERSION = "2.10.0"
#: Where names are that MindSpore keeps in files of its own: path there -> path here.
SHOWN_BY = {
    "common.api": "", "common.seed": "", "communication.management": "communication",
    "dataset.engine": "dataset", "dataset.transforms.transforms": "dataset.transforms",
    "dataset.vision.transforms": "dataset.vision", "dataset.vision.utils": "dataset.vision",
    "nn.dynamic_lr": "nn", "nn.layer": "nn", "nn.learning_rate_schedule": "nn", "nn.loss": "nn",
    "nn.metrics": "train", "nn.wrap": "nn", "ops.function": "ops", "ops.functional": "ops",
    "ops.operations": "ops", "train.amp": "amp", "train.loss_scale_manager": "amp",
    "train.model": "train",
}  # fmt: skip
#: What is itself wherever the names come from; importing a command withdraws what is here.
NEUTRAL = frozenset({"ms_ext.cli", "ms_ext.engine", "ms_ext.engine.errors", "ms_ext.resolve"})


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives a module of one package for the name of the same module in the other."""

    def __init__(self, asked, given):
        self.asked, self.given = asked, given

    def find_spec(self, name, path=None, target=None):
        """A module of the asked package is the given package's module of the same path."""
        if name != self.asked and not name.startswith(f"{self.asked}.") or name in NEUTRAL:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        """The module itself, not a copy; what the import system writes on it is put back."""
        path = spec.name.removeprefix(self.asked).removeprefix(".")
        try:
            module = _mindspores(path) if self.given == THEIRS else _ours(path)
        except ModuleNotFoundError as error:
            if error.name == f"{self.given}.{path}":
                error.name = spec.name  # `from ms_ext import _` asks whether it is a module
            raise
        self.kept = {key: getattr(module, key, None) for key in ("__spec__", "__loader__")}
        _name_below(module.__name__, spec.name)
        return module

    def exec_module(self, module):
        """It has run already."""
        vars(module).update(self.kept)


class _Within(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """``from mindspore.nn import layer``: Python looks for a module below the package's own name.

    It is asked last, so that what is really there wins.
    """

    def __init__(self):
        self.names = []

    def find_spec(self, name, path=None, target=None):
        """What MindSpore keeps in a file of its own, if no file here is called so."""
        package, _, below = name.partition(".")
        if package != OURS or _shown_by(below) is None:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        """The module that shows its names."""
        module = _module(_shown_by(spec.name.removeprefix(f"{OURS}.")))
        self.kept = {key: getattr(module, key, None) for key in ("__spec__", "__loader__")}
        self.names.append(spec.name)
        return module

    def exec_module(self, module):
        """It has run already."""
        vars(module).update(self.kept)

    def forget(self):
        """Nothing has these names any more."""
        for name in reversed(self.names):
            package, _, last = name.rpartition(".")
            sys.modules.pop(name, None)
            vars(sys.modules.get(package)).pop(last, None)


def _name_below(given, asked):
    """Modules below one that is there get their name now, or the first import of one would rebind
    what its package calls so: ``common.tensor`` is a function, and a module below ``common``."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{given}."):
            sys.modules.setdefault(asked + name.removeprefix(given), module)


def _ours(path):
    """The module of ms_ext that has the path of one of MindSpore's."""
    name = ".".join(filter(None, [OURS, path]))
    try:
        return _module(name)
    except ModuleNotFoundError as error:
        if error.name and not error.name.startswith(OURS):
            raise
        if (shown := _shown_by(path)) is not None:
            return _module(shown)
        raise errors.NoModule(
            f"There is no '{THEIRS}.{path}' here: ms_ext has no module '{name}'.",
            hint="Leave it away, or run it there: ms-ext run --engine mindspore script.py",
        ) from None


def _shown_by(path):
    """The module here that shows the names of a file of MindSpore, or of one in its folder."""
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        found = SHOWN_BY.get(".".join(parts[:count]))
        if found is not None:
            return ".".join(filter(None, [OURS, found]))
    return None


def _mindspores(path):
    """The module of MindSpore that has the path of one of ms_ext's."""
    if path.partition(".")[0] in EXTRAS:
        raise _needs_ours(path)
    _mindspore()
    return _module(f"{THEIRS}.{path}")


def _module(name):
    """A module by its path; `dtype` is a module that its package names, with a path elsewhere."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        package, _, last = name.rpartition(".")
        found = getattr(sys.modules.get(package), last, None)
        if error.name != name or not isinstance(found, types.ModuleType):
            raise
        return found


def here():
    """From here on ``import mindspore`` and its modules are ms_ext and its own."""
    loaded = sys.modules.get(THEIRS)
    if loaded is not None and loaded.__name__ != OURS:
        raise errors.NotRunnable(
            "MindSpore itself has been imported in this process already.",
            hint="Restart (in a notebook: the kernel), and do this before `import mindspore`.",
        )
    _insert(THEIRS, OURS)
    if not any(type(each) is _Within for each in sys.meta_path):
        sys.meta_path.append(_Within())
    package = importlib.import_module(OURS)
    _own.setdefault("version", package.__version__)
    package.__version__ = VERSION


#: The package's own version, while it shows MindSpore's.
_own: dict = {}


def there():
    """From here on the names of ms_ext that MindSpore has too are MindSpore's."""
    if f"{OURS}.ops" in sys.modules:
        raise errors.NotRunnable(
            "ms_ext's own engine is in use in this process already.",
            hint="Set MS_EXT_ENGINE=mindspore before Python, or the kernel, starts.",
        )
    _insert(OURS, THEIRS)


def _insert(asked, given):
    if not any(type(each) is _Finder and each.asked == asked for each in sys.meta_path):
        sys.meta_path.insert(0, _Finder(asked, given))


def withdraw():
    """``import mindspore`` is MindSpore again, and ms_ext ms_ext, for what is imported now."""
    while _shown:
        vars(sys.modules[OURS]).pop(_shown.pop(), None)
    if "version" in _own:
        sys.modules[OURS].__version__ = _own.pop("version")
    for finder in [each for each in sys.meta_path if type(each) is _Within]:
        sys.meta_path.remove(finder)
        finder.forget()
    for finder in [each for each in sys.meta_path if type(each) is _Finder]:
        sys.meta_path.remove(finder)
        for name, module in list(sys.modules.items()):
            top = name.partition(".")[0]
            if top == finder.asked and module.__name__.partition(".")[0] == finder.given:
                del sys.modules[name]
                vars(sys.modules.get(OURS)).pop(name.removeprefix(f"{OURS}."), None)


def elsewhere():
    """Whether the names that MindSpore has too are asked of it, not of ms_ext."""
    return any(type(each) is _Finder and each.asked == OURS for each in sys.meta_path)


def engine():
    """Which engine the mirrored names come from: MS_EXT_ENGINE, or this one."""
    asked = os.environ.get("MS_EXT_ENGINE") or OURS
    if asked not in (OURS, THEIRS):
        raise errors.InvalidValue(
            f"MS_EXT_ENGINE is {asked!r}.", hint=f"It is {OURS} (or unset) or {THEIRS}."
        )
    return asked


def mirrored(name):
    """What ``ms_ext.name`` is while MindSpore is the engine."""
    if name in EXTRAS:
        raise _needs_ours(name)
    theirs, own = _mindspore(), vars(sys.modules[OURS])
    for each, value in vars(theirs).items():
        if not each.startswith("_") and each not in own and each not in EXTRAS:
            own[each] = value  # MindSpore's graphs look names up in the dict of a module
            _shown.append(each)
    return getattr(theirs, name)


#: MindSpore's names that this package shows at present.
_shown: list = []


def _mindspore():
    """MindSpore itself, if it is installed and the engine that was asked for."""
    engine()
    if THEIRS not in sys.modules and importlib.util.find_spec(THEIRS) is None:
        raise errors.NoModule(
            "MindSpore is not installed here.",
            given=f"MS_EXT_ENGINE={THEIRS}, {sys.executable}",
            hint="Unset MS_EXT_ENGINE, or run this in an environment that has MindSpore:\n"
            "pip install mindspore==2.10.0 'numpy<2', with ms_ext's folder on PYTHONPATH.",
        )
    return importlib.import_module(THEIRS)


def _needs_ours(path):
    return errors.NotRunnable(
        f"'{OURS}.{path}' needs ms_ext's own engine: MindSpore has nothing like it.",
        given=f"MS_EXT_ENGINE={THEIRS}",
        hint="Unset MS_EXT_ENGINE and start again, or leave this line out there.",
    )
