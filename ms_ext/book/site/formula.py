"""How is an op written as a formula? Its C expression, and its gradient where that is one line.

The declaration is the source: ``expr`` for the op, ``bprop`` for the gradient. What has no such
line has no formula here, and the page shows the program instead.
"""

import ast
import inspect
import re
import textwrap

_BINARY = {
    ast.Add: "{} + {}", ast.Sub: "{} - {}", ast.Mult: r"{} \cdot {}", ast.Div: r"\frac{{{}}}{{{}}}",
    ast.Pow: "{}^{{{}}}",
}  # fmt: skip
_COMPARED = {
    ast.Eq: "=", ast.NotEq: r"\neq", ast.Lt: "<", ast.LtE: r"\le", ast.Gt: ">", ast.GtE: r"\ge",
}  # fmt: skip
_CALLS = {
    "fabs": r"\left|{}\right|", "abs": r"\left|{}\right|", "sqrt": r"\sqrt{{{}}}",
    "exp": "e^{{{}}}", "pow": "{}^{{{}}}", "floor": r"\lfloor {} \rfloor",
    "ceil": r"\lceil {} \rceil", "rsqrt": r"\frac{{1}}{{\sqrt{{{}}}}}", "square": "{}^2",
    "reciprocal": r"\frac{{1}}{{{}}}", "neg": "-{}",
}  # fmt: skip
_TIGHTNESS = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 4, ast.Pow: 3}
_LOOSE, _TIGHT = 0, 4


class _NoFormula(Exception):
    """There is something in it that a formula does not show."""


def of_op(op):
    """What an op computes as LaTeX, or None.

    >>> from ms_ext import ops
    >>> of_op(ops.Sin), of_op(ops.SumExt)
    ('\\\\sin(x)', None)
    """
    if not op.expr:
        return None
    text = op.expr.format(*op.operand_names).replace("&&", " and ").replace("||", " or ")
    text = re.sub(r"!(?!=)", " not ", text)
    return _latex_of(_as_python(text))


def _as_python(text):
    """C's ``(a ? b : c)`` as Python writes it, also where c is such a choice again.

    >>> _as_python("(x < 0 ? 0 : x > 6 ? 6 : x)")
    '(0 if x < 0 else (6 if x > 6 else (x)))'
    """
    test, choice, rest = text[1:-1].partition(" ? ")
    if not choice:
        return text
    one, _, other = rest.partition(" : ")
    return f"({one} if {test} else {_as_python(f'({other})')})"


def of_bprop(op):
    """The gradients of an op as LaTeX, (operand, formula) each, or [] where it takes more lines.

    >>> from ms_ext import ops
    >>> of_bprop(ops.Sin)
    [('x', '\\\\mathit{dout} \\\\cdot \\\\cos(x)')]
    """
    try:
        (function,) = ast.parse(textwrap.dedent(inspect.getsource(op.bprop))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return []
    (last,) = function.body if len(function.body) == 1 else (None,)
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Tuple):
        return []
    found = [_latex_of(ast.unparse(each)) for each in last.value.elts]
    return list(zip(op.operand_names, found, strict=True)) if None not in found else []


def _latex_of(text):
    try:
        return _written(ast.parse(text.strip(), mode="eval").body)
    except _NoFormula:
        return None


def _written(node, above=_LOOSE):
    """LaTeX of a Python expression; in brackets where it binds less than what is around it."""
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _binary(node, above)
    if isinstance(node, ast.UnaryOp):
        return _unary(node, above)
    if isinstance(node, ast.Call):
        return _call(node)
    if isinstance(node, ast.IfExp):
        return _cases(node)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        sides = _written(node.left), _written(node.comparators[0])
        return f"{sides[0]} {_COMPARED[type(node.ops[0])]} {sides[1]}"
    if isinstance(node, ast.BoolOp):
        word = r" \land " if isinstance(node.op, ast.And) else r" \lor "
        return word.join(_written(value) for value in node.values)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return f"{node.value:.6g}"
    if isinstance(node, ast.Name):
        return _name(node.id)
    raise _NoFormula


def _binary(node, above):
    kind = type(node.op)
    tight = _TIGHTNESS[kind]
    inner = (_LOOSE, _LOOSE) if kind is ast.Div else (tight, tight + (kind is ast.Sub))
    if kind is ast.Pow:
        inner = (_TIGHT, _LOOSE)
    elif isinstance(node.left, ast.UnaryOp):
        inner = (_LOOSE, inner[1])  # a minus in front needs no brackets
    text = _BINARY[kind].format(_written(node.left, inner[0]), _written(node.right, inner[1]))
    return rf"\left({text}\right)" if tight < above else text


def _unary(node, above):
    mark = {ast.USub: "-", ast.Not: r"\lnot "}.get(type(node.op))
    if mark is None:
        raise _NoFormula
    text = f"{mark}{_written(node.operand, 2)}"
    return rf"\left({text}\right)" if above >= 2 else text


def _call(node):
    name = getattr(node.func, "id", None) or (
        node.func.attr if getattr(getattr(node.func, "value", None), "id", "") == "ops" else ""
    )
    if not name or name.startswith("_") or node.keywords:
        raise _NoFormula
    if name == "zeros_like":
        return "0"
    if name == "where":
        test, yes, no = node.args
        return _cases(ast.IfExp(test, yes, no))
    tight = name in ("pow", "square")
    inner = [_written(each, _TIGHT if tight and not at else 0) for at, each in enumerate(node.args)]
    name = name.lower()
    if name in _CALLS and _CALLS[name].replace("{{", "").count("{}") == len(inner):
        return _CALLS[name].format(*inner)
    return f"{_function(name)}({', '.join(inner)})"


def _function(name):
    known = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "log")
    return f"\\{name}" if name in known else rf"\operatorname{{{name}}}"


def _cases(node):
    lines = []
    while isinstance(node, ast.IfExp):
        lines.append(f"{_written(node.body)} & {_written(node.test)}")
        node = node.orelse
    lines.append(rf"{_written(node)} & \text{{otherwise}}")
    text = r" \\ ".join(lines)
    return rf"\begin{{cases}} {text} \end{{cases}}"


def _name(name):
    return name.strip("_") if len(name.strip("_")) == 1 else rf"\mathit{{{name.strip('_')}}}"
