"""MindSpore 2.10's names and what each takes, as tests/record_api.py asked it.

>>> lookup(("mindspore", "ops", "add")).signature
'input,other'
>>> lookup(("mindspore", "ops", "no_such")).unknown
'no_such'
"""

import functools
import json
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("api.json")


class Found(NamedTuple):
    """What a dotted path means: a name of a module, or the first part that is unknown."""

    module: str
    name: str | None = None
    rest: tuple = ()
    unknown: str | None = None
    signature: str | None = None

    @property
    def path(self):
        """The module as it is written."""
        return f"mindspore.{self.module}" if self.module else "mindspore"


@functools.cache
def api():
    """Everything that was recorded."""
    return json.loads(FILE.read_text())


def lookup(path):
    """What a path that begins with mindspore means; None: nothing is known about it."""
    module, names = "", api()["names"]
    for at, part in enumerate(path[1:], 1):
        below = f"{module}.{part}" if module else part
        if below in names:
            module = below
        elif part in names[module]:
            rest = path[at + 1 :]
            return _of_class(below, rest) or Found(
                module, part, rest, signature=None if rest else _signature(names[module][part])
            )
        elif part.startswith("_") or below in api()["modules"]:
            return None
        else:
            return Found(module, unknown=part)
    return Found(module)


def is_module(path):
    """Whether a path can be imported; None: nothing is known below a private part."""
    if any(part.startswith("_") for part in path):
        return None
    below = ".".join(path[1:])
    return not below or below in api()["modules"] or below in api()["names"]


def _of_class(below, rest):
    """An attribute of a class whose attributes are known."""
    known = api()["classes"].get(below.removeprefix("common.").removeprefix("tensor."))
    if not known or not rest or rest[0].startswith("_") or rest[0] in known:
        return None
    return Found(below, unknown=rest[0])


def _signature(number):
    return None if number < 0 else api()["signatures"][number]


def names(module):
    """All names of a module, or attributes of a class."""
    return [*(api()["names"].get(module) or api()["classes"].get(module) or ())]


class Taken(NamedTuple):
    """What a call takes: by place, by name, what it needs, and whether more may come."""

    by_place: tuple
    named: frozenset
    needed: tuple
    more_by_place: bool
    more_named: bool


@functools.cache
def taken(signature):
    """A recorded signature, taken apart.

    >>> taken("x,axis=0,*,out=None").by_place
    ('x', 'axis')
    """
    by_place, named, needed, only_named, stars = [], [], [], False, set()
    for part in filter(None, signature.split(",")):
        name, has_default, _ = part.partition("=")
        stars.add(name[: len(name) - len(name.lstrip("*"))] if name != "*" else "only")
        if name.startswith("*"):
            only_named = True
            continue
        named.append(name)
        if not has_default:
            needed.append(name)
        if not only_named:
            by_place.append(name)
    return Taken(tuple(by_place), frozenset(named), tuple(needed), "*" in stars, "**" in stars)
