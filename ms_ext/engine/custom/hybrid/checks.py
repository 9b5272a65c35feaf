"""Is it a function of the DSL at all? MindSpore's rules, asked in its order, in its words.

Two more are asked unless MindSpore's own answers are wanted (``strict``): a function inside the
function, and one that returns nothing; MindSpore answers both with something misleading, later.
"""

import ast

from ... import errors, strict
from .intrinsics import DECORATORS, INTRINSICS, NOT_ON_MINDSPORES_CPU, words

GUIDE = "For the full support list, please refer to 'Hybrid DSL' at https://www.mindspore.cn."
_LOOP_HINT = "Loops are `for i in range(n):`; what shall not happen is put under an `if`."


class NoIntrinsic(errors.InvalidValue, AttributeError):
    """A call such as ``np.sin(x)``, which is no word of the DSL; MindSpore: AttributeError."""


class ForTargets(errors.InvalidSyntax, AttributeError):
    """``for i, j in grid(...)`` under strict; MindSpore raises AttributeError."""


def check(source):
    """Refuse a function that is not of the DSL, at the first line that shows it."""
    Checking(source).visit(source.node)


class Checking(ast.NodeVisitor):
    """Goes through the function once, from top to bottom."""

    def __init__(self, source):
        self.source, self.name = source, source.name
        self.parameters = []
        self.scopes, self.variables = [], {}
        self.outputs, self.buffers, self.returns = [], [], False

    # statements -----------------------------------------------------------------------------------

    def visit_FunctionDef(self, node):  # noqa: N802
        if self.scopes and not strict.on():
            text = f"A function inside the function {self.name}"
            raise self._error(
                errors.InvalidType,
                f"{text} is not accepted in the Hybrid DSL: {node.name}",
                node,
                "Write its statements where it is called.",
            )
        self.scopes.append(node)
        self.parameters += [each.arg for each in node.args.args]
        for each in node.body:
            self.visit(each)
        if not self.returns and not strict.on():
            raise self._error(
                errors.InvalidType,
                f"The function {self.name} written in the Hybrid DSL returns nothing.",
                node,
                "Allocate a result, `c = output_tensor(a.shape, a.dtype)`, and end with "
                "`return c`.",
            )

    def visit_For(self, node):  # noqa: N802
        self.visit(node.iter)
        self.scopes.append(node)
        for each in node.body:
            self.visit(each)
        self.scopes.pop()

    def visit_Assign(self, node):  # noqa: N802
        if len(node.targets) > 1:
            raise self._error(
                errors.InvalidValue,
                "One statement with multiple assignments is not allowed in the function "
                f"{self.name} written in the Hybrid DSL.",
                node,
                "Write one assignment per line.",
            )
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Name) and _called(value) is not None:
            if target.id in self.outputs + self.buffers:
                raise self._value(f"the tensor is redefined: {target.id}", node,
                                  "Use another name for the second tensor.")  # fmt: skip
            if _called(value) == "allocate":
                self.buffers.append(target.id)
            if _called(value) == "output_tensor":
                self.outputs.append(target.id)
        self.generic_visit(node)

    def visit_With(self, node):  # noqa: N802
        call = node.items[0].context_expr
        rule = {"attr": self._attr, "block_realize": self._block}.get(_called(call))
        if rule is None:
            raise self._error(
                errors.InvalidValue,
                f"Unsupported function in With scope in the function {self.name} written in the "
                f"Hybrid DSL: {_called(call) or ast.unparse(call)} ",
                call,
                'There are `with attr("name", value):` and `with block_realize(tensor):`.',
            )
        rule(call)
        for each in node.body:
            if not _is_text(each):
                self.visit(each)

    def _attr(self, call):
        if len(call.args) != 2:
            raise self._value(f"two inputs are expected by 'attr', but get {len(call.args)}", call)
        name, value = call.args
        if not _is_text(name):
            raise self._value(
                f"the first input of 'attr' should be a string, but get {type(name)}", call
            )
        if not isinstance(value, ast.Constant) or value.value is None:
            raise self._value(
                "the second input of 'attr' should be a string, number or bool value, but get "
                f"{type(value)}", call)  # fmt: skip

    def _block(self, call):
        if len(call.args) != 1:
            raise self._value(
                f"only one input is accepted by 'block_realize', but get {len(call.args)}", call
            )
        if not isinstance(call.args[0], ast.Name):
            raise self._value(
                "the input of 'block_realize' should be a tensor name, but get "
                f"{type(call.args[0])}", call)  # fmt: skip

    def visit_Return(self, node):  # noqa: N802
        self.returns = True
        named = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        if named == [node.value] and not isinstance(node.value, ast.Name):
            raise self._type("the return value should be either a single tensor or a tuple, but "
                             f"get a {type(node.value)}.", node)  # fmt: skip
        for each in named:
            if not isinstance(each, ast.Name):
                raise self._type("the element in the return value should be the name of a tensor, "
                                 f"but get a {type(each)}.", node)  # fmt: skip
        names = [each.id for each in named]
        for name in names:
            if name not in self.parameters + self.outputs:
                raise self._type("the element in the return value should be either an input "
                                 "tensor or a tensor allocated by output_tensor, but get name: "
                                 f"{name}", node)  # fmt: skip
        for name in self.outputs:
            if name not in names:
                raise self._type("the tensor is allocated as an output tensor but not in the "
                                 f"return value: {name}", node)  # fmt: skip

    def _keyword(self, node):
        word = type(node).__name__.lower()
        raise self._error(
            errors.InvalidType,
            f"Keyword '{word}' not accepted in the function {self.name} written in the Hybrid DSL!",
            node,
            _LOOP_HINT,
        )

    visit_Break = visit_Continue = visit_While = _keyword  # noqa: N815

    # expressions ----------------------------------------------------------------------------------

    def visit_Name(self, node):  # noqa: N802
        if node.id in self.parameters:
            return
        if node.id in self._loop_variables(node):
            if isinstance(node.ctx, ast.Store):
                raise self._value(f"iter var cannot be overwritten: {node.id}", node,
                                  "Use another variable inside the loop.")  # fmt: skip
            return
        if node.id in self.variables:
            if self.variables[node.id] not in self.scopes:
                raise self._value(
                    f"there is a variable used out of the scope it is defined: {node.id}", node,
                    "Give it its first value before the loop.")  # fmt: skip
            return
        if not isinstance(node.ctx, ast.Store):
            raise self._value(f"there is a undeclared variable: {node.id}", node,
                              "Variables from outside are not seen: pass it as an "
                              "input.")  # fmt: skip
        self.variables[node.id] = self.scopes[-1]

    def _loop_variables(self, node):
        for loop in self.scopes:
            if isinstance(loop, ast.For):
                if isinstance(loop.target, ast.Tuple) and strict.on():
                    text = "'Tuple' object has no attribute 'id'"
                    raise self._error(ForTargets, text, loop.target, "Write `for i in grid(...)`.")
                yield from [n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)]

    def visit_Call(self, node):  # noqa: N802
        word = _called(node)
        if word is None and strict.on():
            text = f"'{type(node.func).__name__}' object has no attribute 'id'"
            raise self._error(NoIntrinsic, text, node, None)
        if word not in [*words(), *DECORATORS]:
            raise self._error(
                errors.InvalidValue if word else NoIntrinsic,
                f"In the function [{self.name}], function call id "
                f"[{word or ast.unparse(node.func)}] not in intrinsics list of the Hybrid DSL. "
                f"{GUIDE}",
                node,
                errors.did_you_mean((word or ast.unparse(node.func)).split(".")[-1], words()),
            )
        self._check_call(node, word, len(node.args))
        for each in node.args:
            self.visit(each)

    def _check_call(self, node, word, count):
        if strict.on() and word in NOT_ON_MINDSPORES_CPU:
            text = f"function call id [{word}] is not available on the device CPU. {GUIDE}"
            raise self._error(errors.InvalidValue, f"In the function [{self.name}], {text}", node,
                              "Without strict it works here.")  # fmt: skip
        arity = INTRINSICS[word].arity if word in INTRINSICS else None
        if arity is not None and arity != count:
            expected = "one input" if arity == 1 else "two inputs"
            raise self._error(
                errors.InvalidType,
                f"In the function [{self.name}], function [{word}] expects {expected}, but get "
                f"{count}.",
                node,
                "Inputs are given by position.",
            )

    def visit_Attribute(self, node):  # noqa: N802
        value = node.value
        if not isinstance(value, ast.Name):
            raise self._value("getattr is only supported for a tensor object, not for the object "
                              f"with type: {type(value)}", node)  # fmt: skip
        if value.id not in self.outputs + self.buffers + self.parameters:
            raise self._value("getattr is only supported for a tensor variable after its "
                              f"declaration, not for: {value.id}", node)  # fmt: skip
        if node.attr not in ("shape", "dtype"):
            raise self._value(f"a tensor object has no attribute called {node.attr}", node,
                              "There are `.shape` and `.dtype`.")  # fmt: skip

    # errors ---------------------------------------------------------------------------------------

    def _value(self, text, node, hint=None):
        text = f"In the function {self.name} written in the Hybrid DSL, {text}"
        return self._error(errors.InvalidValue, text, node, hint)

    def _type(self, text, node):
        text = f"In the function {self.name} written in the Hybrid DSL, {text}"
        return self._error(errors.InvalidType, text, node, "End with `return c`, or "
                           "`return c, d`: all tensors of output_tensor, by name.")  # fmt: skip

    def _error(self, kind, text, node, hint):
        return kind(text, hint=hint, where=self.source.where(node))


def _called(node):
    """The name that a call calls, or None."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return None


def _is_text(node):
    value = node.value if isinstance(node, ast.Expr) else node
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
