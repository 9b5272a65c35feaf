"""What do the names of a program mean? Imports are followed, and names that are given again.

>>> tree = ast.parse("from mindspore import ops as o\\no.add(1, 2)")
>>> [path for paths in meanings(tree).paths.values() for path in paths]
[('mindspore', 'ops', 'add')]
"""

import ast

#: What ``import`` may find: MindSpore, or this package under its own name.
ROOTS = ("mindspore", "ms_ext")
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
LOOPS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_CAUGHT = {"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException"}


class Meanings:
    """``paths``: expression -> the dotted paths that it may be; ``imports``: (statement, path, the
    name that is taken from it); ``guarded``: nodes whose failure the program expects."""

    def __init__(self):
        self.paths, self.imports, self.guarded = {}, [], set()

    def of(self, node):
        """The dotted paths of an expression."""
        return self.paths.get(node, ())

    def is_one(self, node, *wanted):
        """Whether an expression is one of some names of MindSpore, by its last words."""
        return any(path[0] in ROOTS and ".".join(path[1:]) in wanted for path in self.of(node))


def meanings(tree):
    """The meanings of a whole program."""
    walk = _Walk()
    walk.scopes = [{}]
    walk.statements(tree.body)
    while walk.later:
        walk.scopes, node = walk.later.pop(0)
        walk.function(node)
    return walk.found


class _Walk(ast.NodeVisitor):
    """Reads statements in order; bodies of functions when all that is around them is read."""

    def __init__(self):
        self.found, self.scopes, self.later = Meanings(), [], []

    def statements(self, body):
        for each in body:
            self.visit(each)

    # what names are given -------------------------------------------------------------------------

    def give(self, name, paths):
        self.scopes[-1][name] = paths

    def visit_Import(self, node):
        for each in node.names:
            path = tuple(each.name.split("."))
            self.found.imports.append((node, path, None))
            name = each.asname or path[0]
            self._import(name, path if each.asname else path[:1])

    def visit_ImportFrom(self, node):
        if node.level or not node.module:
            for each in node.names:
                self.give(each.asname or each.name, ())
            return
        path = tuple(node.module.split("."))
        for each in node.names:
            self.found.imports.append((node, path, each.name))
            self._import(each.asname or each.name, (*path, each.name))

    def _import(self, name, path):
        """A second import of a name, in a branch, is another thing that it may be."""
        before = [p for p in self.scopes[-1].get(name) or () if p != path]
        self.give(name, (*before, path) if path[0] in ROOTS else ())

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            self._store(target, self.found.of(node.value))

    def _store(self, target, paths=()):
        if isinstance(target, ast.Name):
            self.give(target.id, paths)
        else:
            self.visit(target)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self.found.paths[node] = self._meaning(node.id)
        else:
            self.give(node.id, ())

    def _meaning(self, name):
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), ())

    def visit_Attribute(self, node):
        self.visit(node.value)
        if paths := self.found.paths.pop(node.value, ()):
            self.found.paths[node] = tuple((*path, node.attr) for path in paths)

    # what has names of its own --------------------------------------------------------------------

    def visit_FunctionDef(self, node):
        self.give(node.name, ())
        self.outside(node)
        self.later.append(([*self.scopes], node))

    visit_AsyncFunctionDef = visit_FunctionDef

    def outside(self, node):
        for each in (*getattr(node, "decorator_list", ()), *node.args.defaults):
            self.visit(each)
        for each in filter(None, node.args.kw_defaults):
            self.visit(each)

    def visit_Lambda(self, node):
        self.outside(node)
        self.later.append(([*self.scopes], node))

    def function(self, node):
        a = node.args
        given = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
        self.scopes = [*self.scopes, {each.arg: () for each in given if each}]
        self.statements(node.body if isinstance(node.body, list) else [node.body])

    def visit_ClassDef(self, node):
        self.give(node.name, ())
        for each in (*node.decorator_list, *node.bases, *(k.value for k in node.keywords)):
            self.visit(each)
        before, first = self.scopes, len(self.later)
        self.scopes = [*before, {}]
        self.statements(node.body)
        for at in range(first, len(self.later)):  # methods do not see the names of their class
            scopes, method = self.later[at]
            self.later[at] = ([s for s in scopes if s is not self.scopes[-1]], method)
        self.scopes = before

    def generic_visit(self, node):
        if isinstance(node, LOOPS):
            return self._comprehension(node)
        return super().generic_visit(node)

    def _comprehension(self, node):
        before = self.scopes
        self.scopes = [*before, {}]
        for each in node.generators:
            self.visit(each)
        for part in ("key", "value", "elt"):
            if (inner := getattr(node, part, None)) is not None:
                self.visit(inner)
        self.scopes = before

    # what a program expects to fail ---------------------------------------------------------------

    def visit_Try(self, node):
        if any(_catches(handler) for handler in node.handlers):
            self._guard(node.body)
        self.generic_visit(node)

    visit_TryStar = visit_Try

    def visit_If(self, node):
        words = {each.id for each in ast.walk(node.test) if isinstance(each, ast.Name)}
        if words & {"hasattr", "TYPE_CHECKING"}:
            self._guard([*node.body, *node.orelse])
        self.generic_visit(node)

    def _guard(self, body):
        self.found.guarded |= {each for statement in body for each in ast.walk(statement)}


def _catches(handler):
    """Whether a handler takes what a missing name raises."""
    if handler.type is None:
        return True
    return bool(_CAUGHT & {e.id for e in ast.walk(handler.type) if isinstance(e, ast.Name)})
