"""How do sources become one library in a folder, and only when something changed?

::

    <dir>/<name>.so       the library
    <dir>/<stem>.o        one for each source
    <dir>/.build_log.txt  the commands of the last build
    <dir>/.<name>.json    what it was made of (`record`)
    <dir>/build.lock      while somebody builds; the system lets go of it if he dies
"""

import os
import sys
from dataclasses import dataclass

from ... import errors, toolchain
from . import flags, record


@dataclass(frozen=True)
class Order:
    """What a builder wants built."""

    name: str
    sources: tuple
    includes: tuple
    cflags: tuple
    ldflags: tuple
    folder: str

    @property
    def product(self):
        """The library."""
        return os.path.join(self.folder, f"{self.name}.so")

    def made_with(self, program):
        """All but the files that the library depends on, in words."""
        lists = ("sources", *self.sources), ("-I", *self.includes)
        lists += ("cflags", *self.cflags), ("ldflags", *self.ldflags)
        return [word for words in (*lists, record.tools(program)) for word in words]


def built(order):
    """(the library, its kind), made now if it is not there or is not up to date."""
    _refuse_other_systems()
    program = toolchain.cxx_program()
    made_with = order.made_with(program)
    found = record.read(order.folder, order.name)
    if record.is_fresh(found, order.product, made_with):
        return order.product, found["kind"]
    from . import making

    return making.made(order, made_with)


def _refuse_other_systems():
    if not sys.platform.startswith("linux"):
        raise errors.NotRunnable(
            "CustomOpBuilder builds on Linux only.",
            given=sys.platform,
            hint="Write the op as a Python function: ops.Custom(..., func_type='pyfunc').",
        )


def folder_of(name, build_dir):
    """The folder that a builder builds in: made if it is not there."""
    if build_dir is None:
        root = os.path.realpath(os.getenv("MS_COMPILER_CACHE_PATH", "./kernel_meta"))
        path = os.path.join(root, name)
    else:
        path = os.path.realpath(build_dir)
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as why:
        raise cannot_write(path, why) from None
    return path


def cannot_write(folder, why):
    """The error of a folder that cannot be written into."""
    kind = errors.NotAllowed if isinstance(why, PermissionError) else errors.CannotWrite
    return kind(
        f"{folder} cannot be written into: {why.strerror or why}.",
        hint="Name another folder: build_dir='...', or MS_COMPILER_CACHE_PATH for all builders.",
    )


def check_name(name):
    """A name that C++ allows: it becomes part of a function's name, and of a file's."""
    if name.isidentifier() and name.isascii():
        return
    raise errors.NotRunnable(
        f"Error building extension '{name}': C++ does not allow {name!r} as a name.",
        hint=f"Letters, digits and underscores, no digit first: name={_as_identifier(name)!r}.",
    )


def _as_identifier(name):
    text = "".join(each if each.isascii() and each.isalnum() else "_" for each in name) or "my_ops"
    return f"_{text}" if text[0].isdigit() else text


def words(listed):
    """Flags as the words of a command."""
    return tuple(flags.split(listed))
