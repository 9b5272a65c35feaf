"""03.choose: which func_type for which code, on a machine with or without a compiler, and why?"""

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import values

NAMES = ("gauss", "blur", "swish", "rotary", "my_mul")
#: What one has -> (func_type, what happens where a compiler is, what happens where none is).
FACTS = {
    "a Python function of NumPy arrays, {name}": ("pyfunc", "python", "python"),
    "a Python function with @kernel, {name}": ("hybrid", "compiles", "python"),
    "the file lib{name}.so, built on this machine": ("aot", "loads", "loads"),
    "the file lib{name}.so, built for another processor": ("", "refused", "refused"),
    "the file {name}.cpp with a function in C++": ("aot", "compiles", "refused"),
    "a text with a function in C++, {name}": ("jit", "compiles", "refused"),
    "a formula such as x * y + 1": ("tbe", "graph", "graph"),
    "the file {name}.mindir": ("mindir", "graph", "graph"),
}
KINDS = tuple(FACTS)
(NUMPY, KERNEL, LIBRARY, FOREIGN, FILE, TEXT, FORMULA, GRAPH) = KINDS


def right(have, compiler):
    """The answer."""
    way, there, absent = FACTS[_kind(have)]
    how = there if compiler else absent
    return ("", how) if how == "refused" else (way, how)


def _kind(have):
    return next(k for k in KINDS if any(k.format(name=name) == have for name in NAMES))


def with_a_compiler(draw, kind=KINDS):
    """a compiler is there"""
    return Question("", (kind.format(name=draw.choice(NAMES)), True))


def without_one(draw, kind=KINDS):
    """no compiler is there"""
    return Question("", (kind.format(name=draw.choice(NAMES)), False))


# typical mistakes ---------------------------------------------------------------------------------


def _is(kinds, compiler=None, got=lambda way, how: True):
    """The case is of these kinds, and the answer is such a one."""

    def sees(failure):
        have, there = failure.operands
        if not isinstance(failure.got, tuple | list) or len(failure.got) != 2:
            return False
        asked = _kind(have) in kinds and compiler in (None, there)
        return asked and got(*failure.got)

    return sees


def _no_pair(failure):
    return not isinstance(failure.got, tuple | list) or len(failure.got) != 2


mistakes = (
    Mistake("no-pair", _no_pair,
        "Two words were asked for.",
        "The func_type, and what happens: a tuple of two texts.",
        'Return `("aot", "loads")`, for example.'),
    Mistake("foreign-library", _is({FOREIGN}),
        "A library for another processor is taken for one that can be loaded.",
        "Its machine code means nothing here. A compiler does not help: there is no source.",
        "What is the answer where no way leads in?"),
    Mistake("library-compiled", _is({LIBRARY}, got=lambda way, how: how != "loads"),
        "A library is not loaded as it is.",
        "It has been compiled already, that is what `ahead of time` means: it is opened and its "
        "symbol is looked up. No compiler is needed.",
        "What does the loader do with a .so file?"),
    Mistake("file-or-text", _is({FILE, TEXT}, True),
        "A source file and a source text are mixed up.",
        "Both hold C++. But a file has a path, and `aot` looks for it; a text stands in the "
        "program itself, and `jit` compiles it at the first call.",
        "Is there a path here?"),
    Mistake("no-compiler", _is({FILE, TEXT}, False),
        "C++ is to be compiled where no compiler is.",
        "Nothing but a compiler makes machine code of it, and this machine has none.",
        'There is no way in: `("", "refused")`.'),
    Mistake("runs-anyway", _is({KERNEL}, False, lambda way, how: how != "python"),
        "What could run in Python is given up, or compiled without a compiler.",
        "A function with @kernel is Python: its loops are compiled only where a compiler is.",
        "What runs it on a machine that has Python alone?"),
    Mistake("kernel-as-numpy", _is({KERNEL}, got=lambda way, how: way == "pyfunc"),
        "A function with @kernel is called as any other.",
        "`pyfunc` runs its loops in Python, element by element, every time. The decorator is there "
        "so that they are read and compiled.",
        "Which func_type reads loops?"),
    Mistake("formula", _is({FORMULA}),
        "A formula becomes ops of a graph.",
        "One line says what happens to each element. It is read into built-in ops: no compiler, "
        "and passes see into it.",
        "Which func_type has a template for that, and what happens to a saved graph?"),
    Mistake("saved-graph", _is({GRAPH}),
        "A saved graph is not run as a library or a function.",
        "It is a graph of built-in ops: passes see into it, and no compiler is needed.",
        'Look at the picture: "a saved graph".'),
    Mistake("numpy-function", _is({NUMPY}),
        "A function of NumPy arrays needs no compiler and no loader.",
        "It is an object of this process, and Python runs it at every call.",
        "Which func_type did chapter 02 use?"),
)  # fmt: skip

hints = (
    "Read `have` for the one word that decides: @kernel, .so, .cpp, text, formula, .mindir.",
    "Two questions, one after the other. Which way would it be? And can that way be gone on this "
    "machine: does it need a compiler, and is there one? Only two of them end without one; one "
    "other runs in Python then.",
    "A sibling, which of three programs opens a file:\n\n"
    "def opens(name, screen):\n"
    '    if name.endswith(".txt"):\n'
    '        return "editor", "shows" if screen else "prints"\n'
    '    if name.endswith(".png"):\n'
    '        return ("viewer", "shows") if screen else ("", "refused")\n'
    '    return "editor", "shows"',
)

mutants = (
    Mutant("foreign-library", '("", "refused") if "another" in have else ("aot", "loads")',
           '("aot", "loads")'),
    Mutant("library-compiled", 'else ("aot", "loads")', 'else ("aot", "compiles")'),
    Mutant("library-compiled", 'else ("aot", "loads")',
           'else ("aot", "loads") if compiler else ("", "refused")'),
    Mutant("file-or-text", 'way = "aot" if ".cpp" in have else "jit"', 'way = "aot"'),
    Mutant("file-or-text", 'way = "aot" if ".cpp" in have else "jit"', 'way = "jit"'),
    Mutant("no-compiler", 'return (way, "compiles") if compiler else ("", "refused")',
           'return way, "compiles"'),
    Mutant("runs-anyway", 'return "hybrid", "compiles" if compiler else "python"',
           'return ("hybrid", "compiles") if compiler else ("", "refused")'),
    Mutant("runs-anyway", 'return "hybrid", "compiles" if compiler else "python"',
           'return "hybrid", "compiles"'),
    Mutant("kernel-as-numpy", 'return "hybrid", "compiles" if compiler else "python"',
           'return "pyfunc", "python"'),
    Mutant("formula", 'return "tbe", "graph"', 'return "tbe", "compiles"'),
    Mutant("formula", 'return "tbe", "graph"', 'return "jit", "compiles"'),
    Mutant("saved-graph", 'return "mindir", "graph"', 'return "mindir", "loads"'),
    Mutant("numpy-function", 'return "pyfunc", "python"',
           'return ("pyfunc", "python") if compiler else ("", "refused")'),
    Mutant("no-pair", 'return "mindir", "graph"', 'return "mindir"'),
)  # fmt: skip

variants = {
    "a table": """
TABLE = {
    "NumPy": ("pyfunc", "python", "python"), "@kernel": ("hybrid", "compiles", "python"),
    "another": ("", "refused", "refused"), ".so": ("aot", "loads", "loads"),
    ".cpp": ("aot", "compiles", "refused"), "text": ("jit", "compiles", "refused"),
    "formula": ("tbe", "graph", "graph"), ".mindir": ("mindir", "graph", "graph"),
}

def choose(have, compiler):
    way, there, absent = next(TABLE[word] for word in TABLE if word in have)
    how = there if compiler else absent
    return (way if how != "refused" else "", how)
""",
    "a list, and match": """
def choose(have, compiler):
    match have.split()[0:2]:
        case ["a", "Python"]:
            if "@kernel" not in have:
                return ["pyfunc", "python"]
            return ["hybrid", "compiles" if compiler else "python"]
        case ["a", "formula"]:
            return ["tbe", "graph"]
        case ["a", "text"]:
            return ["jit", "compiles"] if compiler else ["", "refused"]
        case ["the", "file"] if "mindir" in have:
            return ["mindir", "graph"]
        case ["the", "file"] if "cpp" in have:
            return ["aot", "compiles"] if compiler else ["", "refused"]
    return ["aot", "loads"] if "this machine" in have else ["", "refused"]
""",
}

_asked = {"ask": "call plain", "judge": values.exactly(right), "inputs": "have compiler"}
exercise = Exercise(
    target="choose",
    contract="A tuple: the func_type for what one has, and what happens: python, loads, compiles, "
    'graph; where no way leads in, "" and refused.',
    checks=(
        Check("compiler", "eight cases where a compiler is", 1,
              cases=drawn(with_a_compiler), **_asked),
        Check("none", "the same where none is", 1, cases=drawn(without_one), **_asked),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
