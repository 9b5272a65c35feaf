"""A function written inside compiled code, as Python calls it when the graph runs.

``sorted(rows, key=lambda row: row * w)`` of rows that only the running graph knows: Python gets a
function of the same text. What the text reads of the names around it is a value of the graph, and
goes to Python with the arguments.
"""

import ast
import copy

from .values import Closure, Unusable, mapped


class Place:
    """Stands, among the arguments, for function number ``index``."""

    __slots__ = ("index",)

    def __init__(self, index):
        self.index = index


class Calling:
    """``f(args, kwargs, around)``: ``function``, given Python functions where a Place stands.

    ``around`` has, for each function, the names that it reads, and its defaults.
    """

    def __init__(self, function, codes, modules):
        self.function, self.codes, self.modules = function, codes, modules
        self.__name__ = getattr(function, "__name__", "python")

    def __call__(self, args, kwargs, around):
        functions = list(map(_made, self.codes, self.modules))

        def found(value):
            return functions[value.index] if type(value) is Place else value

        for function, (names, defaults, keywords) in zip(functions, around, strict=True):
            function.__globals__.update(mapped(found, names))
            function.__defaults__ = tuple(mapped(found, defaults)) or None
            function.__kwdefaults__ = mapped(found, keywords) or None
        return self.function(*mapped(found, args), **mapped(found, kwargs))


def for_python(function, args, kwargs):
    """(function, args, kwargs) of a call that Python can do: no Closure is among the arguments."""
    closures = []

    def placed(value):
        if not isinstance(value, Closure):
            return value
        if value not in closures:
            closures.append(value)
        return Place(closures.index(value))

    given = [mapped(placed, args), mapped(placed, kwargs)]
    if not closures:
        return function, args, kwargs
    codes, around = [], []
    for closure in closures:  # they may read others, which are appended then
        codes.append(_code(closure))
        around.append(mapped(placed, _around(closure)))
    modules = [_module(closure) for closure in closures]
    return Calling(function, codes, modules), [*given, around], {}


def _made(code, module):
    """The Python function of a code that defines it as ``made``."""
    names = dict(module)
    exec(code, names)  # noqa: S102 - it is the learner's own text
    return names["made"]


def _code(closure):
    """Code that defines the function as ``made``, with the lines that it has in its file."""
    node = copy.deepcopy(closure.source.node)
    arguments = node.args  # defaults are values already: that there are some has to stay
    arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
    arguments.kw_defaults = [d and ast.Constant(None) for d in arguments.kw_defaults]
    if isinstance(node, ast.Lambda):
        name = ast.copy_location(ast.Name("made", ast.Store()), node)
        node = ast.copy_location(ast.Assign([name], node), node)
    else:
        node.decorator_list, node.name = [], "made"
    tree = ast.fix_missing_locations(ast.Module([node], []))
    ast.increment_lineno(tree, closure.source.start - 1)
    return compile(tree, closure.source.file, "exec")


def _around(closure):
    """[names that it reads and their values by now, its defaults, those of its keywords]."""
    source, names = closure.source, {}
    for each in ast.walk(source.node):
        if isinstance(each, ast.Name) and (value := _local(closure.frame, each.id)) is not _GLOBAL:
            names[each.id] = value
    defaults, keyword = closure.defaults
    pairs = zip(source.args.kwonlyargs, keyword, source.args.kw_defaults, strict=True)
    return [names, list(defaults), {a.arg: value for a, value, d in pairs if d is not None}]


_GLOBAL = object()


def _local(frame, name):
    """What a name of the functions around is; _GLOBAL for others, that Python finds itself."""
    while frame.closure is not None and name not in frame.names:
        frame = frame.closure
    free = () if frame.function is None else frame.function.__code__.co_freevars
    if name not in frame.names and name not in free:
        return _GLOBAL
    value = frame.find(name)
    return _GLOBAL if type(value) is Unusable else value


def _module(closure):
    """The names of the module in which a function stands."""
    frame = closure.frame
    while frame.closure is not None:
        frame = frame.closure
    return frame.function.__globals__
