"""Statements: how each kind changes the frame's names, and how a block ends.

What follows an exit that only the running graph knows is read inside an If on the exit code; what
follows an ``if`` of which one arm always leaves, inside the other arm: read once either way.
"""

import ast

from .. import errors
from ..ir import Node
from ..tensor import Tensor
from . import branches
from .asking import is_surely_tensor
from .assigning import assign
from .attributes import attribute
from .calls import call_value
from .expressions import closure, truth
from .frame import BREAK, CODE, CONTINUE, RETURN, THROUGH, VALUE, Exit
from .raising import Failing, as_if
from .reading import READERS, evaluate, reads
from .unsupported import unsupported


def block(frame, statements, start=0):
    """Read ``statements`` from ``start`` on, until the block is left."""
    for index in range(start, len(statements)):
        statement = statements[index]
        if type(statement) is ast.Assert:
            statement = as_if(frame, statement)
        if type(statement) is ast.If and _leaves_one_arm(statement):
            if_with_rest(frame, statement, statements[index + 1 :])
            return
        one(frame, statement)
        code = frame.code
        if type(code) is Exit:
            rest_if_through(frame, code, statements, index + 1)
            return
        if code != THROUGH:
            return


def one(frame, statement):
    """Read one statement; an error without a place gets the one being read."""
    reader = READERS.get(type(statement))
    frame.current = statement
    try:
        if reader is None:
            raise unsupported(statement)
        reader(frame, statement)
    except errors.MsExtError as error:
        frame.locate(error)
        raise


def rest_if_through(frame, code, statements, start):
    """``code`` is known only when the graph runs: the rest of the block is one arm of an If."""
    if start >= len(statements):
        return
    left = code.possible - {THROUGH}

    def gone(arm):
        arm.names[CODE] = next(iter(left)) if len(left) == 1 else Exit(arm.node(code.node), left)

    def through(arm):
        arm.names[CODE] = THROUGH
        block(arm, statements, start)

    branches.if_else(frame, code.node, gone, through)


# leaving ------------------------------------------------------------------------------------------


def always_leaves(statements):
    """Whether a block never runs through to its end, by its text alone."""
    last = statements[-1] if statements else None
    if isinstance(last, ast.Return | ast.Break | ast.Continue | ast.Raise | Failing):
        return True
    if not isinstance(last, ast.If):
        return False
    if not hasattr(last, "always_leaves"):  # kept, as the chain of an elif asks at every link
        last.always_leaves = always_leaves(last.body) and always_leaves(last.orelse)
    return last.always_leaves


def _leaves_one_arm(statement):
    return always_leaves(statement.body) != always_leaves(statement.orelse)


def if_with_rest(frame, statement, rest):
    """One arm leaves: what follows the ``if`` is read inside the other arm."""
    body, orelse = statement.body, statement.orelse
    if always_leaves(body):
        orelse = [*orelse, *rest]
    else:
        body = [*body, *rest]
    _if(frame, statement, body, orelse)


def _if(frame, statement, body, orelse):
    """Read an ``if``; an error of joining its arms is shown at the test."""
    frame.current = statement.test
    try:
        test = truth(frame, statement.test)
        if type(test) is bool:
            return block(frame, body if test else orelse)
        frame.current = statement.test
        return branches.if_else(
            frame, test, lambda arm: block(arm, body), lambda arm: block(arm, orelse)
        )
    except errors.MsExtError as error:
        frame.locate(error)
        raise


@reads(ast.If)
def _if_statement(frame, statement):
    _if(frame, statement, statement.body, statement.orelse)


@reads(ast.Return)
def _return(frame, statement):
    value = None if statement.value is None else evaluate(frame, statement.value)
    frame.names[VALUE], frame.names[CODE] = value, RETURN


@reads(ast.Break)
def _break(frame, statement):
    frame.names[CODE] = BREAK


@reads(ast.Continue)
def _continue(frame, statement):
    frame.names[CODE] = CONTINUE


# assigning ----------------------------------------------------------------------------------------


@reads(ast.Assign)
def _assign(frame, statement):
    value = evaluate(frame, statement.value)
    for target in statement.targets:
        assign(frame, target, value)


@reads(ast.AnnAssign)
def _annotated(frame, statement):
    if statement.value is not None:
        assign(frame, statement.target, evaluate(frame, statement.value))


@reads(ast.AugAssign)
def _augmented(frame, statement):
    """``x += 1``: a tensor is written to, as every name of it sees; anything else gets a name."""
    target = statement.target
    read = ast.copy_location(_loaded(target), target)
    value = ast.copy_location(ast.BinOp(read, statement.op, statement.value), statement)
    old = evaluate(frame, read) if isinstance(target, ast.Name) else None
    new = evaluate(frame, value)
    if isinstance(old, Node) and isinstance(new, Node):
        refuse_other_axes(frame.node(old), new)
    if isinstance(old, Node | Tensor) and _is_written_to(frame.node(old), new):
        frame.write(old, new)
    else:
        assign(frame, target, new)


def _loaded(target):
    """The expression that reads what a target writes to."""
    kind, fields = type(target), dict(ast.iter_fields(target))
    return kind(**{**fields, "ctx": ast.Load()})


def refuse_other_axes(old, new):
    """MindSpore's error where ``x += y`` would give x more axes."""
    one, other = (getattr(each.abstract, "shape", None) for each in (old, new))
    if None in (one, other) or old.abstract.weak or len(one) == len(other):
        return
    raise errors.ShapeMismatch(
        "For 'Assign', the 'x' and 'y' must have the same dimension, but got the dimension of 'x': "
        f"{len(one)} and the dimension of 'y': {len(other)}",
        hint="Write `x = x + y`: then x is a new tensor.",
    )


def _is_written_to(old, new):
    """Whether ``x += y`` writes to x: it is a tensor, and stays of its type."""
    if not isinstance(new, Node) or new.abstract is not old.abstract:
        return False
    return is_surely_tensor(old) and not getattr(old.abstract, "weak", False)


@reads(ast.FunctionDef)
def _define(frame, statement):
    decorators = [evaluate(frame, each) for each in statement.decorator_list]
    function = closure(frame, statement, statement.name)
    for decorator in reversed(decorators):
        function = call_value(frame, decorator, [function], {})
    frame.names[statement.name] = function


@reads(ast.With)
def _with(frame, statement):
    """``with obj as name``: its ``__enter__``, the block, its ``__exit__``."""
    managers = []
    for item in statement.items:
        manager = _manager(frame, item.context_expr)
        entered = call_value(frame, attribute(frame, manager, "__enter__"), [], {})
        managers.append(manager)
        if item.optional_vars is not None:
            assign(frame, item.optional_vars, entered)
    block(frame, statement.body)
    for manager in reversed(managers):
        call_value(frame, attribute(frame, manager, "__exit__"), [None, None, None], {})


def _manager(frame, expression):
    """The object of a ``with``: graph mode reads the methods of a jit_class, and of no other."""
    manager = evaluate(frame, expression)
    frame.current = expression
    if not hasattr(manager, "__ms_class__"):
        shown = "a Tensor" if isinstance(manager, Node) else f"{manager!r:.60}"
        raise errors.InvalidType(
            f"Only support jit_class instance, but got {shown}.",
            given=f"with {ast.unparse(expression)}",
            hint="Put @ms.jit_class above its class, or use `with` outside compiled code.",
        )
    return manager


# the others ---------------------------------------------------------------------------------------


@reads(ast.Expr)
def _expression(frame, statement):
    if not isinstance(statement.value, ast.Constant):  # a docstring says nothing
        evaluate(frame, statement.value)


@reads(ast.Global)
def _global(frame, statement):
    """A name of the module that is only read; MindSpore loses what is written, so it is refused."""
    for each in ast.walk(frame.source.node):
        if isinstance(each, ast.Name) and each.id in statement.names:
            if not isinstance(each.ctx, ast.Load):
                raise unsupported(statement)


@reads(ast.Pass)
def _pass(frame, statement):
    pass
