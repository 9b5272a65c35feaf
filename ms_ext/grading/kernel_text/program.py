"""A program that was read: its functions, and a call of one of them."""

from typing import NamedTuple

from .memory import Fault, as_kind

STEPS = 200_000  # statements that one call may run
DEEP = 50
NEXT, BREAK, CONTINUE, RETURN = range(4)


class Function(NamedTuple):
    """One function: its parameters, its body, and whether a loader can find it by this name."""

    name: str
    kind: tuple
    parameters: tuple  # (name, (kind, depth))
    body: object
    exported: bool
    plain: bool  # declared extern "C"
    line: int


class Frame:
    """The variables of one call."""

    def __init__(self, program):
        self.program, self.values, self.result = program, dict(program.globals), None

    def read(self, name):
        """The value of a variable."""
        value = self.values.get(name)
        if value is None:
            raise Fault("unwritten", f"{name} is read before it has a value")
        return value


class Program:
    """All functions of a text."""

    def __init__(self):
        self.functions, self.globals = {}, {}
        self.line, self.left, self.depth = 0, STEPS, 0

    def call(self, name, *given):
        """What a function returns for C values; a Fault knows its line."""
        self.left, self.depth = STEPS, 0
        try:
            return self.run(name, given)
        except Fault as fault:
            fault.line = fault.line or self.line
            raise

    def run(self, name, given):
        """One call among others."""
        function = self.functions[name]
        self.depth += 1
        if self.depth > DEEP:
            raise Fault("endless", f"{name} calls itself without an end")
        frame = Frame(self)
        for (parameter, kind), value in zip(function.parameters, given, strict=False):
            frame.values[parameter] = as_kind(*kind, value)
        ended = function.body(frame)
        self.depth -= 1
        if function.kind == ("void", 0):
            return None
        if ended != RETURN or frame.result is None:
            raise Fault("no-return", f"{name} comes to its end without `return`", function.line)
        return as_kind(*function.kind, frame.result)

    def passed(self, line):
        """A statement begins."""
        self.line, self.left = line, self.left - 1
        if self.left < 0:
            raise Fault("endless", f"it is not done after {STEPS} steps")
