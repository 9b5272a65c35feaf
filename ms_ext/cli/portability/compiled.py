"""Which functions of a program are compiled? Those below ``@jit``, those that are given to it, the
``construct`` of every Cell in graph mode, and what all of these call.
"""

import ast

from .scopes import FUNCTIONS

JIT = ("jit", "common.jit", "common.api.jit")
GRADIENTS = ("grad", "value_and_grad", "ops.grad", "ops.value_and_grad")
#: They run in Python while a graph is made.
_NOT_READ = ("constexpr", "ops.constexpr", "ops.primitive.constexpr")
_TRACED = ("trace", "bytecode")


def functions(program):
    """Function -> whether it is certain that MindSpore compiles it."""
    return _Compiled(program).found


class _Compiled:
    def __init__(self, program):
        self.program, self.found = program, {}
        self.named, self.methods, self.classes, self.made = {}, {}, {}, {}
        self._collect()
        mode = graph_mode(program)
        self._roots(mode)
        todo = list(self.found)
        while todo:
            function = todo.pop()
            for callee in self._callees(function):
                if self._add(callee, self.found[function]):
                    todo.append(callee)

    def _collect(self):
        for node in self.program.all_nodes:
            if isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
                for each in node.body:
                    if isinstance(each, FUNCTIONS):
                        self.methods[each] = node
        for node in self.program.all_nodes:
            if isinstance(node, FUNCTIONS) and node not in self.methods:
                if not isinstance(node, ast.Lambda):
                    self.named.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self._assigned(node.targets[0].id, node.value)

    def _assigned(self, name, value):
        """A name for a lambda, or for an object of a class of the program."""
        if isinstance(value, ast.Lambda):
            self.named.setdefault(name, []).append(value)
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            if value.func.id in self.classes:
                self.made.setdefault(name, []).append(self.classes[value.func.id])

    def _add(self, function, certain):
        """Take a function in; whether something new is known of it."""
        if self._is_not_read(function):
            return False
        if self.found.get(function, None) in (True, certain):
            return False
        self.found[function] = certain
        return True

    def _is_not_read(self, function):
        marks = getattr(function, "decorator_list", ())
        return any(self.program.is_one(_called(mark), *_NOT_READ) for mark in marks)

    # where compiling begins -----------------------------------------------------------------------

    def _roots(self, mode):
        for node in self.program.all_nodes:
            if isinstance(node, ast.Call) and is_jit(self.program, node) and node.args:
                self._given(node.args[0], True)
            elif mode is True and isinstance(node, ast.Call) and node.args:
                if self.program.is_one(node.func, *GRADIENTS):
                    self._given(node.args[0], True)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if any(is_jit(self.program, mark) for mark in node.decorator_list):
                    self._add(node, True)
        if mode is not False:
            for each in self.classes.values():
                if is_cell(self, each) and (construct := method(each, "construct")):
                    self._add(construct, mode is True)

    def _given(self, argument, certain):
        """What is handed to ``jit``."""
        if isinstance(argument, ast.Lambda):
            self._add(argument, certain)
        elif isinstance(argument, ast.Name):
            for each in self._of_name(argument.id):
                self._add(each, certain)

    def _of_name(self, name):
        """What a name may stand for: functions, and the construct of the Cells made for it."""
        yield from self.named.get(name, ())
        for each in self.made.get(name, ()):
            if is_cell(self, each) and (construct := method(each, "construct")):
                yield construct

    # what they call -------------------------------------------------------------------------------

    def _callees(self, function):
        own = self.methods.get(function)
        body = function.body if isinstance(function.body, list) else [function.body]
        for node in (each for statement in body for each in ast.walk(statement)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield from self._of_name(node.id)
            elif own and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.value.id == "self":
                    yield from self._attribute(own, node.attr)

    def _attribute(self, own, name):
        """A method of the class, or the construct of what ``__init__`` keeps under a name."""
        if found := method(own, name):
            yield found
        for value in kept(own, name):
            for node in ast.walk(value):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    cell = self.classes.get(node.func.id)
                    if cell and is_cell(self, cell) and (found := method(cell, "construct")):
                        yield found


def _called(node):
    return node.func if isinstance(node, ast.Call) else node


def is_jit(program, node):
    """Whether an expression is MindSpore's ``jit``, or a call of it, that reads the source."""
    if not program.is_one(_called(node), *JIT):
        return False
    words = node.keywords if isinstance(node, ast.Call) else ()
    modes = [each.value for each in words if each.arg == "capture_mode"]
    return not any(getattr(mode, "value", None) in _TRACED for mode in modes)


def is_cell(compiled, node, depth=0):
    """Whether a class is a Cell."""
    for each in node.bases:
        if compiled.program.meanings.of(each):
            if any("nn" in path for path in compiled.program.meanings.of(each)):
                return True
        elif isinstance(each, ast.Name) and each.id in compiled.classes and depth < 20:
            if is_cell(compiled, compiled.classes[each.id], depth + 1):
                return True
    return False


def method(node, name):
    """The method of a class, or None."""
    found = [each for each in node.body if isinstance(each, FUNCTIONS) and each.name == name]
    return found[-1] if found else None


def kept(node, name):
    """The values that a class's methods keep under an attribute of ``self``."""
    for each in ast.walk(node):
        if isinstance(each, ast.Assign):
            for target in each.targets:
                if isinstance(target, ast.Attribute) and target.attr == name:
                    yield each.value


def graph_mode(program):
    """Whether the program sets graph mode: True, False, or None where it is not certain."""
    found = set()
    for call in program.calls("set_context", "context.set_context"):
        for word in call.keywords:
            if word.arg == "mode":
                found.add(_mode(program, word.value))
    return found.pop() if len(found) == 1 else None if found else False


def _mode(program, value):
    if program.is_one(value, "GRAPH_MODE", "context.GRAPH_MODE"):
        return True
    if program.is_one(value, "PYNATIVE_MODE", "context.PYNATIVE_MODE"):
        return False
    number = getattr(value, "value", None)
    return {0: True, 1: False}.get(number) if isinstance(number, int) else None
