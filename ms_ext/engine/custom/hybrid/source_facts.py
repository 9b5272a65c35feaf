"""What does the text of a function tell about its calls? Whether it writes to inputs, how many it
takes, and at which line an error came up.
"""

import ast

from ... import errors
from .intrinsics import INTRINSICS


def writes_inputs(source):
    """Whether it may write to an input: to anything but what it has allocated itself."""
    own, written_to = set(), set()
    for node in ast.walk(source.node):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            base = node
            while isinstance(base, ast.Subscript):
                base = base.value
            written_to.add(base.id if isinstance(base, ast.Name) else None)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            word, target = node.value.func, node.targets[0]
            group = INTRINSICS[word.id].group if getattr(word, "id", "") in INTRINSICS else ""
            if group == "buffer" and isinstance(target, ast.Name):
                own.add(target.id)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            written_to.add(node.target.id)  # `a += 1` on an array writes to it
    return not written_to <= own


def arity(source, count, fewest, most):
    """What Python says of a call with the wrong number of arguments."""
    if count < fewest:
        names = [repr(each.arg) for each in source.args.args[count:fewest]]
        words = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        noun = "argument" if len(names) == 1 else "arguments"
        return f"{source.name}() missing {len(names)} required positional {noun}: {words}"
    takes = f"{most}" if fewest == most else f"from {fewest} to {most}"
    noun = "argument" if most == 1 else "arguments"
    was = "was" if count == 1 else "were"
    return f"{source.name}() takes {takes} positional {noun} but {count} {was} given"


def line(error, source):
    """The line of the function at which an error of Python's came up."""
    trace, found = error.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == source.file:
            found = errors.place(source.file, trace.tb_lineno)
        trace = trace.tb_next
    return found
