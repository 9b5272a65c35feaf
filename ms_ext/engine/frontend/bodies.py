"""What does a loop's body tell before it is read? Whether it leaves, what it assigns."""

import ast

from ..ir import Node
from ..tensor import Tensor


def has_exit(statements):
    """Whether a loop body contains break or return (not inside a nested function)."""
    waiting = list(statements)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Break | ast.Return):
            return True
        if isinstance(node, ast.For | ast.While):
            waiting.extend(n for n in node.body if has_return([n]))
        elif not isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting.extend(c for c in ast.iter_child_nodes(node) if isinstance(c, ast.stmt))
    return False


def has_return(statements):
    """Whether a block contains return."""
    return any(isinstance(n, ast.Return) for s in statements for n in ast.walk(s))


def assigned(frame, statements):
    """Names that a block may assign, in order: (those a loop carries, the others).

    The others are tensors that only ``x += 1`` assigns: it writes to them, so that they stay the
    tensors that other names and the caller know, and the memory carries what they are.
    """
    nodes = [node for statement in statements for node in ast.walk(statement)]
    stored = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    targets = {id(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
    placed = {n for n in map(_placed, nodes) if isinstance(frame.names.get(n), Node | Tensor)}
    names = dict.fromkeys([*(node.id for node in stored), *sorted(placed)])
    bound = {node.id for node in stored if id(node) not in targets} | placed
    written = [n for n in names if n not in bound and isinstance(frame.names.get(n), Node | Tensor)]
    return [name for name in names if name not in written], written


def _placed(node):
    """The name that ``x[i] = y`` gives a new tensor, if that is what a node is."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Store):
        return None
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
