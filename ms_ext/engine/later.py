"""Tables whose entries are declared in files that are imported when somebody asks for a name.

>>> table = Table()
>>> table["now"] = 1
>>> table.promise({"sqrt": "math"}, lambda module: table.update(vars(__import__(module))))
>>> "sqrt" in table, dict.__contains__(table, "sqrt")
(True, False)
>>> table["sqrt"].__name__, table.get("nothing")
('sqrt', None)
"""

import importlib

from . import errors


class Table(dict):
    """A dict that knows of more names: ``promised``, each with the module that enters it.

    A name is looked up by importing its module; who goes through all names imports all of them.
    """

    def __init__(self):
        super().__init__()
        self.promised, self._import = {}, None

    def promise(self, names, importing):
        """Promise ``{name: module}``; ``importing(module)`` has to enter the names of a module."""
        self.promised.update(names)
        self._import = importing

    def __missing__(self, name):
        module = self.promised.pop(name, None)
        if module is None:
            raise KeyError(name)
        self._import(module)
        return dict.__getitem__(self, name)

    def get(self, name, default=None):
        """The entry of a name, ``default`` if there is none."""
        try:
            return self[name]
        except KeyError:
            return default

    def __contains__(self, name):
        return dict.__contains__(self, name) or name in self.promised

    def names(self):
        """Every name, without importing anything."""
        return {**dict.fromkeys(dict.keys(self)), **dict.fromkeys(self.promised)}.keys()

    def _whole(self):
        for name in [*self.promised]:
            self.get(name)
        self.promised.clear()
        return self

    def __iter__(self):
        return dict.__iter__(self._whole())

    def __len__(self):
        return dict.__len__(self._whole())

    def keys(self):
        """Every name."""
        return dict.keys(self._whole())

    def values(self):
        """Every entry."""
        return dict.values(self._whole())

    def items(self):
        """Every name with its entry."""
        return dict.items(self._whole())

    def __or__(self, other):
        return {**self, **other}


def showing(own, files, elsewhere=None, modules=()):
    """What a package says whose files are imported at the first use of one of their names.

    ``__all__, __getattr__, __dir__ = showing(globals(), {"cell": ("Cell",)})``. ``own``: the
    package's globals; ``files``: names by file; ``elsewhere``: name -> (module, its name there);
    ``modules``: files and packages that are names, too.
    """
    package = own["__name__"]
    where = {name: (f"{package}.{file}", name) for file, names in files.items() for name in names}
    where |= elsewhere or {}
    listed = sorted(name for name in {*where, *modules} if not name.startswith("_"))

    def get(name):
        if name in where:
            module, there = where[name]
            found = getattr(importlib.import_module(module), there)
        elif name in modules or name in files:
            found = importlib.import_module(f"{package}.{name}")
        else:
            hint = errors.did_you_mean(name, listed)
            short = package.removeprefix("ms_ext.")
            raise errors.UnknownAttribute(f"{short} has no {name!r}.", hint=hint)
        return own.setdefault(name, found)

    return listed, get, lambda: listed


class LaterMethod:
    """A method that is not declared yet: the first look at it imports the module that does."""

    def __init__(self, name, table):
        self.name, self.table = name, table

    def __get__(self, instance, owner=None):
        method = self.table[self.name]
        return method.__get__(instance, owner)
