"""Which scopes are folded? Paths of calls, "encoder/layers.0", cut off at a depth, or left open.

What comes out says for every node into which scope it is folded: id -> scope.
"""

from collections import Counter

from ...engine import errors

MANY = 24  # boxes of a picture of scopes: deeper scopes are shown while there are no more
FEW, MOST = 4, 120  # fewer say nothing: then the next depth is shown, unless it has more boxes


def outer(scope):
    """A scope and those around it, the outermost first.

    >>> outer("encoder/layers.0")
    ['encoder', 'encoder/layers.0']
    """
    parts = scope.split("/") if scope else []
    return ["/".join(parts[: end + 1]) for end in range(len(parts))]


class Scopes:
    """The scopes of some nodes (id -> Row), and in which of them something changed."""

    def __init__(self, rows, states):
        self.of = {node: row.scope for node, row in rows.items() if row.kind == "call"}
        self.paths = {scope: outer(scope) for scope in dict.fromkeys(self.of.values())}
        self.calls, self.changed = Counter(), Counter()
        self.own = Counter(self.of.values())  # calls of a scope itself, not of those inside
        touched = Counter([s for node, s in self.of.items() if states[node] != "unchanged"])
        for scope, paths in self.paths.items():
            for path in paths:
                self.calls[path] += self.own[scope]
                self.changed[path] += touched[scope]
        self.inner = {path.rpartition("/")[0] for path in self.calls}

    def check(self, names):
        """Refuse a name that is no scope of this graph."""
        for name in names:
            if name not in self.calls:
                raise errors.InvalidValue(
                    f"There is no scope {name!r}.",
                    given=f"{len(self.calls)} scopes: {', '.join([*self.calls][:6]) or 'none'}",
                    hint=errors.did_you_mean(name, self.calls),
                )

    def unchanged(self):
        """Fold the largest scopes in which nothing changed."""
        return self._assigned(self._folded(lambda path: not self.changed[path]))

    def overview(self, expand=()):
        """Fold scopes at the depth that leaves few boxes; those of ``expand`` are open."""
        return self.at(self.depth(), expand)

    def at(self, depth, expand=()):
        """Fold scopes at a depth; those of ``expand`` and around them are open, deeper ones not."""
        return self._assigned(self._at(depth, expand))

    def _at(self, depth, expand=()):
        opened = {path for name in expand for path in outer(name)}

        def folds(path):
            level = path.count("/") + 1
            inside = path.rpartition("/")[0] in opened
            ends = level >= depth or path not in self.inner or inside
            return ends and path not in opened

        return self._folded(folds)

    def inside(self, scope, most):
        """Open ``scope``, and all in it if it has at most ``most`` calls; fold the others."""
        if self.calls[scope] > most:
            return self.at(self.depth(), [scope])
        found = self.at(self.depth(), [scope])
        return {
            node: path for node, path in found.items() if scope not in self.paths[self.of[node]]
        }

    def depth(self):
        """The greatest depth that leaves at most MANY boxes, else that with the fewest."""
        deepest = max(map(len, self.paths.values()), default=0)
        boxes = {depth: self._boxes(depth) for depth in range(1, deepest + 1)}
        fitting = [depth for depth, many in boxes.items() if many <= MANY]
        found = max(fitting) if fitting else min(boxes, key=boxes.get, default=1)
        says_nothing = boxes.get(found, FEW) < FEW and boxes.get(found + 1, MOST + 1) <= MOST
        return found + says_nothing

    def _boxes(self, depth):
        folded = self._at(depth)
        alone = sum(many for scope, many in self.own.items() if scope not in folded)
        return len(set(folded.values())) + alone

    def _folded(self, folds):
        """scope -> the scope it is folded into, for those that are."""
        found = {scope: next(filter(folds, paths), None) for scope, paths in self.paths.items()}
        return {scope: path for scope, path in found.items() if path}

    def _assigned(self, folded):
        return {node: folded[scope] for node, scope in self.of.items() if scope in folded}
