"""Groups without circles: where a path leaves a group and comes back, it becomes several groups.

Every node gets a level that grows along each arrow that leaves a group, so groups of one scope and
one level can have no circle. Then levels of one scope are put together again as long as no path
runs between them outside.
"""

_MOST = 200  # parts of scopes that are tried to be put together


def without(union, keys):
    """``keys`` (id -> group), with a number added to each group: no circle of groups is left.

    >>> from ms_ext.viz.drawing.union import union
    >>> without(union({}, {}), {})
    {}
    """
    parts = _levels(union, keys)
    if len(set(parts.values())) > len(set(keys.values())):
        parts = _joined(union, parts)
    return {node: (*key, number) for node, (key, number) in parts.items()}


def _levels(union, keys):
    """id -> (group, level)."""
    feeds, levels = union.feeds, {}
    for node in union.changes:  # inputs before users
        mine, level = keys.get(node), 0
        for source in feeds.get(node, ()):
            above = levels.get(source, 0) + (mine is None or keys.get(source) != mine)
            level = max(level, above)
        levels[node] = level
    return {node: (key, levels[node]) for node, key in keys.items()}


def _joined(union, parts):
    """Parts of one group put together, the lower level first, where that makes no circle."""
    following = {}
    for edge in union.edges:
        one, two = parts.get(edge.source, edge.source), parts.get(edge.target, edge.target)
        if one != two:
            following.setdefault(one, {})[two] = None
    same, levels = {}, {}
    for key, level in sorted(set(parts.values()), key=lambda part: (str(part[0]), part[1])):
        levels.setdefault(key, []).append(level)
    several = [(key, found) for key, found in levels.items() if len(found) > 1]
    if sum(len(found) for _, found in several) > _MOST:
        return parts
    for key, found in several:
        kept = (key, found[0])
        for level in found[1:]:
            part = (key, level)
            if _apart(following, kept, part):
                kept = part
            else:
                same[part] = kept
                _put_together(following, kept, part)
    return {node: same.get(part, part) for node, part in parts.items()}


def _apart(following, one, two):
    """Whether a path leads from ``one`` to ``two`` through something else."""
    waiting = [part for part in following.get(one, ()) if part != two]
    seen = set(waiting)
    while waiting:
        for part in following.get(waiting.pop(), ()):
            if part == two:
                return True
            if part not in seen:
                seen.add(part)
                waiting.append(part)
    return False


def _put_together(following, kept, part):
    """Let ``kept`` lead to whatever ``part`` leads to, and be led to by the same."""
    mine = following.setdefault(kept, {})
    mine |= following.pop(part, {})
    mine.pop(part, None)
    mine.pop(kept, None)
    for targets in following.values():
        if part in targets:
            del targets[part]
            targets[kept] = None
    mine.pop(kept, None)
