"""What do names stand for inside a branch or a loop? What they do around it, until one changes.

A program of many branches has many names; each branch holds the few that it reads or changes.

>>> around = {"x": 1, "items": [1]}
>>> inside = Names(around)
>>> inside["x"], inside["items"].append(2), around["items"]
(1, None, [1])
>>> inside["y"] = 5
>>> sorted(inside), sorted(touched(inside)), "y" in around
(['items', 'x', 'y'], ['items', 'x', 'y'], False)
"""

DEEPEST = 16  # names in names in names that are gone through; then all are kept again
_MISSING = object()


class Names(dict):
    """Names and values; what is not among them is looked up in ``around``, and kept.

    Lists and dicts come as copies, so that one branch does not write to another's; where ``shares``
    is set they are the same.
    """

    __slots__ = ("around", "copies", "depth")

    def __init__(self, around, shares=False):
        self.around, self.copies = around, None if shares else {}
        self.depth = around.depth + 1 if type(around) is Names else 1
        if self.depth > DEEPEST:
            for name in around:
                self.__missing__(name)
            self.around, self.depth = {}, 0

    def __missing__(self, name):
        inside, at = [self], self.around
        while type(at) is Names and not dict.__contains__(at, name):
            inside.append(at)
            at = at.around
        value = dict.__getitem__(at, name)  # a KeyError where there is none
        for names in reversed(inside):
            if names.copies is not None and type(value) in _CONTAINERS:
                value = copied(value, names.copies)
            dict.__setitem__(names, name, value)
        return value

    def __contains__(self, name):
        return self.get(name, _MISSING) is not _MISSING

    def get(self, name, default=None):
        """The value of a name, or ``default``."""
        try:
            return self[name]
        except KeyError:
            return default

    def __iter__(self):
        around = [name for name in self.around if not dict.__contains__(self, name)]
        return iter([*around, *dict.__iter__(self)])

    def keys(self):
        """All names, those around first."""
        return [*iter(self)]

    def items(self):
        """All names with their values."""
        return [(name, self[name]) for name in iter(self)]


def touched(names):
    """The names that were read or changed inside; all of a function's own."""
    return list(dict.__iter__(names))


def in_order(names, wanted):
    """``wanted`` in the order in which they got their first values; the unknown last.

    >>> in_order(Names({"x": 1, "y": 2}), ["z", "y", "x"])
    ['x', 'y', 'z']
    """
    levels, left = [names], dict.fromkeys(wanted)
    while len(left) > 1 and type(levels[-1]) is Names:
        levels.append(levels[-1].around)
    found = []
    for level in reversed(levels) if len(left) > 1 else ():
        found += [name for name in dict.__iter__(level) if name in left]
        for name in found:
            left.pop(name, None)
        if not left:
            break
    return [*found, *left]


_CONTAINERS = (list, dict, tuple)


def copied(value, known):
    """A list, dict or tuple with copies of those in it; ``known`` has the copies made so far."""
    kind = type(value)
    if kind not in _CONTAINERS:
        return value
    if id(value) not in known:
        if kind is dict:
            found = {key: copied(item, known) for key, item in value.items()}
        else:
            found = kind([copied(item, known) for item in value])
        same = kind is tuple and all(a is b for a, b in zip(value, found, strict=True))
        known[id(value)] = value, value if same else found  # kept alive: its id stays its own
    return known[id(value)][1]


def with_own_containers(names):
    """All names with copies of their lists and dicts, which share what they shared."""
    known = {}
    return {name: copied(value, known) for name, value in names.items()}
