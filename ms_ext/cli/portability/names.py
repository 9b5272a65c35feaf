"""Names that MindSpore has not, words that its functions do not take, and what its CPU lacks."""

import ast

from ms_ext import resolve
from ms_ext.engine import errors

from . import index
from .findings import NOTE, REFUSED

_OURS = "Write `import mindspore as ms`: `ms-ext run` makes it find this package."
_EXTRA = "Leave it out there: it works on this package's own engine only."
_NO_KERNEL = "It works on Ascend; on the CPU write it with `ops`."


def found(program):
    """What the names of a program say."""
    for node, path, taken in program.meanings.imports:
        yield from _imported(program, node, path, taken)
    for node, paths in program.meanings.paths.items():
        if paths and isinstance(node.ctx, ast.Load):
            yield from _used(program, node, paths)
    for node in program.nodes(ast.Call):
        yield from _called(program, node)


def _imported(program, node, path, taken):
    if path[0] not in ("mindspore", "ms_ext"):
        return
    if path[0] == "ms_ext" and not program.is_chapter:
        yield program.finding("ms_ext", REFUSED, node, "MindSpore knows no 'ms_ext'.", _OURS)
    if path[0] == "ms_ext" and extra(path[1:2]):
        yield _extra(program, node, path[1])
    elif index.is_module(path) is False:
        if path[1] in resolve.EXTRAS:
            yield _extra(program, node, path[1])
            return
        says = f"There is no module '{'.'.join(('mindspore', *path[1:]))}'."
        yield program.finding("no-module", REFUSED, node, says, _near(path[-1], path[1:-1]))
    elif taken not in (None, "*"):
        if index.is_module((*path, taken)) is not True:
            yield from _unknown(program, node, [(*path, taken)])


def extra(parts):
    """Whether a path below ms_ext begins with something that MindSpore has not."""
    return bool(parts) and parts[0] in resolve.EXTRAS


def _extra(program, node, name):
    return program.finding("extra", REFUSED, node, f"'{name}' is not a part of MindSpore.", _EXTRA)


def _used(program, node, paths):
    if len(paths[0]) > 1 and not program.imported.intersection(paths):
        yield from _unknown(program, node, paths)
    path = paths[0]
    what = index.lookup(("mindspore", *path[1:]))
    if what and what.name and f"{what.module}.{what.name}" in index.api()["no_cpu"]:
        says = f"'{what.path}.{what.name}' has no kernel for the CPU there."
        yield program.finding("no-cpu-kernel", NOTE, node, says, _NO_KERNEL)


def _unknown(program, node, paths):
    """A name that none of the paths leads to."""
    if all(extra(path[1:]) and not _known(path) for path in paths):
        yield _extra(program, node, paths[0][1])
        return
    what = [index.lookup(("mindspore", *path[1:])) for path in paths]
    if all(each is not None and each.unknown for each in what):
        first = what[0]
        says = f"'{first.path}' has no '{first.unknown}'."
        instead = _near(first.unknown, first.module.split("."))
        yield program.finding("unknown-name", REFUSED, node, says, instead)


def _known(path):
    what = index.lookup(("mindspore", *path[1:]))
    return path[0] == "mindspore" and what is not None and not what.unknown


def _near(name, module):
    """Names that look like it."""
    hint = errors.did_you_mean(name, index.names(".".join(module)))
    return hint if "mean" in (hint or "") else ""


# calls --------------------------------------------------------------------------------------------


def _called(program, node):
    """Words that a call gives and its function does not take, or the other way round."""
    what = [index.lookup(("mindspore", *p[1:])) for p in program.meanings.of(node.func)]
    if len(what) != 1 or what[0] is None or what[0].signature is None or not what[0].name:
        return
    name, takes = f"{what[0].path}.{what[0].name}", index.taken(what[0].signature)
    given = {each.arg for each in node.keywords}
    for word in sorted(given - takes.named - {None}):
        if not takes.more_named:
            hint = errors.did_you_mean(word, sorted(takes.named)) if takes.named else ""
            says = f"'{name}' takes no '{word}'."
            yield program.finding("unknown-argument", REFUSED, node, says, hint or "")
    if any(isinstance(each, ast.Starred) for each in node.args) or None in given:
        return
    count, most = len(node.args), len(takes.by_place)
    if count > most and not takes.more_by_place:
        says = f"'{name}' takes at most {most} arguments by place, not {count}."
        yield program.finding("too-many-arguments", REFUSED, node, says)
    left = [n for n in takes.needed if n not in given and n not in takes.by_place[:count]]
    if left and count <= most:
        says = f"'{name}' needs {', '.join(map(repr, left))}."
        yield program.finding("missing-argument", REFUSED, node, says)
