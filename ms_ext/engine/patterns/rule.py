"""What is a rule? A pattern to look for, what to write in its place, and when.

``source`` and ``target`` are functions of the same variables. ``when`` gets the matched nodes, and
a Site if it has a parameter called ``match``; it returns True, or a sentence saying why not.

>>> from ms_ext import ops
>>> rule(lambda x: ops.Neg(ops.Neg(x)), lambda x: x, name="neg_neg")
neg_neg: Neg(Neg(x)) -> x
>>> rule(lambda x: ops.Neg(ops.Neg(x)), lambda x: x)
Neg(Neg(x)) -> x
"""

from dataclasses import dataclass

import numpy as np

from .. import errors
from . import pattern, writing
from .matching import Matcher, compiled


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Rule:
    """One rewriting. Rules are made by ``rule`` or by a pass written in MindSpore's shape.

    A rule that nobody gave a name is called by its ``equation``.
    """

    name: str
    matcher: Matcher
    build: object  # (graph, places) -> (node that takes the root's place, the nodes made)
    refuses: object = None  # places -> None, or a sentence; None: never
    target: object = "..."

    @property
    def equation(self):
        """What is looked for, and what is written in its place."""
        return _equation(self.matcher, self.target)

    def __repr__(self):
        return self.name if self.name == self.equation else f"{self.name}: {self.equation}"


class Site:
    """A place where a pattern matched."""

    __slots__ = ("_matcher", "_places")

    def __init__(self, matcher, places):
        self._matcher, self._places = matcher, places

    def __getitem__(self, name):
        """What a variable or a label stands for."""
        return self._places[self._matcher.places[name]]

    def __contains__(self, name):
        return name in self._matcher.places

    @property
    def calls(self):
        """The matched calls, the one at the output first."""
        return [self._places[at] for at in self._matcher.calls]

    @property
    def root(self):
        """The matched call at the output."""
        return self._places[0]

    @property
    def shared(self):
        """The matched calls inside that are used elsewhere too: they stay when the output goes."""
        inner = [self._places[at] for at in self._matcher.inner]
        return [node for node in inner if len(node.users) > 1 or _uses(node) > inner.count(node)]


def _uses(node):
    return sum(node.users.values())


def rule(source, target, when=True, name=None):
    """The rule of three functions; without a name it is called like ``source``, a lambda by what
    it does."""
    known = pattern.variables(source)
    matcher = compiled(pattern.read(source))
    plan = writing.read_target(target, known, matcher)
    shown = "..." if plan is None else plan
    name = name or _name_of(source) or _equation(matcher, shown)
    if plan is None:
        build = writing.caller(target, _arguments(name, target, known, matcher, "The target"))
    else:
        build = writing.follower(plan, matcher)
    refuses = None if when is True else _refuses(name, when, known, matcher)
    return Rule(name, matcher, build, refuses, shown)


def _name_of(function):
    """A function's name, "" for a lambda."""
    name = getattr(function, "__name__", "rule")
    return "" if name == "<lambda>" else name


def _equation(matcher, target):
    return f"{matcher.pattern} -> {target}"


def _arguments(name, function, known, matcher, role):
    """A function from the places of a match to the arguments of ``function``."""
    takes = list(pattern.variables(function).values())
    for variable in takes:
        if variable.name not in (*known, "match"):
            raise errors.InvalidValue(
                f"{_name_of(function) or role} of the pass {name!r} asks for {variable.name!r}.",
                hint=errors.did_you_mean(variable.name, [*known, "match"]),
            )
    rest = [takes.pop()] if takes and isinstance(takes[-1], pattern.Rest) else []
    names = [variable.name for variable in takes]
    plain = names[:-1] if names[-1:] == ["match"] else names
    if rest or not all(name in matcher.places for name in plain):
        return lambda places: _filled(names, rest, Site(matcher, places))
    taken = writing.picker([matcher.places[name] for name in plain])
    if plain is names:
        return taken
    return lambda places: (*taken(places), Site(matcher, places))


def _filled(names, rest, site):
    values = [site if name == "match" else site[name] if name in site else None for name in names]
    return [*values, *(site[rest[0].name] if rest else ())]


def _refuses(name, when, known, matcher):
    arguments = _arguments(name, when, known, matcher, "`when`")

    def refuses(places):
        answer = when(*arguments(places))
        return None if answer is True else _reason(answer, when, name)

    return refuses


_ENDINGS = (
    'Write `return True` where it may be rewritten, `return "why not here"` where it may not.'
)
_END = f"A function that ends without a `return` gives None. {_ENDINGS}"


def _reason(answer, when, name):
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bool | np.bool_):
        return None if answer else ""
    raise errors.InvalidType(
        f"`{_name_of(when) or 'when'}` of the pass {name!r} must return True, or a sentence saying "
        "why not.",
        given=f"{answer!r:.60}",
        hint=_END if answer is None else _ENDINGS,
    )
