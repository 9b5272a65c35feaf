"""Which passes, backends, ... there are: the files of a folder by name, plus what the session adds.

A name that belongs to a file is imported at first use. A name registered again replaces the
earlier one; ``generation`` grows with every change, so cached graphs notice.
"""

import importlib
import pkgutil

from . import errors

#: One object, another one after every declaration of an op, pass, backend or row.
EPOCH = [object()]


def declared():
    """Something was declared (again): who remembers what was looked up before looks again."""
    EPOCH[0] = object()


class Registry:
    """Named things of one kind.

    >>> shapes = Registry("shape")
    >>> shapes.add("square", 4)
    4
    >>> shapes.get("square"), shapes.names()
    (4, ['square'])
    """

    def __init__(self, kind, package=None):
        self.kind, self.package = kind, package
        self.generation = 0
        self._known = {}
        self._files = None

    def add(self, name, value):
        """Register ``value`` under ``name``, replacing an earlier one."""
        if not isinstance(name, str) or not name:
            raise errors.InvalidType(f"A {self.kind} needs a name.", given=repr(name))
        self._known[name] = value
        self.generation += 1
        declared()
        return value

    def discard(self, name):
        """Forget what the session registered under ``name``; a file of that name shows again."""
        if self._known.pop(name, None) is not None:
            self.generation += 1
            declared()
            self._files = None

    def get(self, name):
        """The thing called ``name``; its file is imported if that has not happened yet."""
        if name not in self._known and name in self.files():
            before = self.generation
            importlib.import_module(f"{self.package}.{name}")
            self.generation = before  # a file that was always there is nothing new
        try:
            return self._known[name]
        except (KeyError, TypeError):
            hint = errors.did_you_mean(name, self.names())
            raise errors.InvalidValue(f"There is no {self.kind} {name!r}.", hint=hint) from None

    def __contains__(self, name):
        return name in self._known or name in self.files()

    def names(self):
        """All names, sorted."""
        return sorted(self.files() | set(self._known))

    def files(self):
        """The names that the package's folder offers."""
        if self._files is None:
            self._files = frozenset(_modules(self.package)) if self.package else frozenset()
        return self._files


def _modules(package):
    folder = importlib.import_module(package).__path__
    return (m.name for m in pkgutil.iter_modules(folder) if not m.name.startswith("_"))
