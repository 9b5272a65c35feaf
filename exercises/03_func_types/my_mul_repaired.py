"""03.my_mul_repaired: four broken declarations from a published article: repair, and name why."""

import posixpath
import re

from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.layers import promises
from ms_ext.grading.recognise import on

#: The folder of the exercise: library -> what it exports, as nm shows it.
FILES = {
    "libmy_mul.so": ("my_mul_kernel", "my_mul_grad_kernel"),
    "build/libscale.so": ("scale_kernel",),
}
#: Number of a declaration -> (the right library, the right kernel, what was wrong).
FACTS = {
    1: ("libmy_mul.so", "my_mul_kernel", "symbol"),
    2: ("build/libscale.so", "scale_kernel", "path"),
    3: ("libmy_mul.so", "my_mul_kernel", "shape"),
    4: ("libmy_mul.so", "my_mul_kernel", "dtype"),
}
WORDS = ("symbol", "path", "shape", "dtype")


def vectors(draw, n):
    """two vectors"""
    return draw(n), draw(n)


def matrices(draw, m, n):
    """two matrices"""
    return draw(m, n), draw(m, n)


def cubes(draw, k, m, n):
    """two tensors with three axes"""
    return draw(k, m, n), draw(k, m, n)


def _of(number, family):
    """The cases of a family, asked of one declaration."""
    asked = promises.types_of(family)

    def case(draw, **sizes):
        question = asked(draw, **sizes)
        return question._replace(options={**question.options, "which": number})

    case.__doc__, case.__wrapped__ = family.__doc__, family
    case.__name__ = f"{family.__name__}_{number}"
    return case


def right_in(number):
    """Judges one declaration: is it found, is its promise what the kernel writes, and why?"""
    library, kernel, why = FACTS[number]

    def judge(question, answer):
        said, promised = answer["said"], tuple(answer["promised"])
        if failure := _not_loaded(said.get("func"), library, kernel):
            return failure
        wanted = question.options["types"][0]  # of the shape and dtype of the first input
        if promised != (wanted,):
            mine, its = promises.read(promised[0]), promises.read(wanted)
            code = "promised-shape" if mine.shape != its.shape else "promised-dtype"
            return Failure(code, "", wanted, ", ".join(promised))
        if said.get("why") not in WORDS:
            words = f"why is {said.get('why')!r}; it should be one of {', '.join(WORDS)}."
            return Failure("no-diagnosis", words)
        if said["why"] != why:
            return Failure("other-diagnosis", "", got=said["why"])
        return None

    return judge


def _not_loaded(func, library, kernel):
    """A Failure if the loader would not come to this kernel."""
    if not isinstance(func, str):
        return Failure("no-text", "func is no text.", got=func)
    path, colon, symbol = func.rpartition(":")
    path = posixpath.normpath(path if colon else func)
    if path not in FILES:
        there = ", ".join(f"./{name}" for name in FILES)
        return Failure("no-library", f"./{path} is not there. There is: {there}.")
    exported = FILES[path]
    if not colon and len(exported) > 1:
        return Failure("no-symbol", f"It exports {', '.join(exported)}: which of them?")
    if colon and symbol not in exported:
        return Failure("no-symbol", f"./{path} exports {', '.join(exported)}, not {symbol}.")
    if (path, symbol if colon else exported[0]) != (library, kernel):
        return Failure("other-kernel", f"That loads, but it is not {kernel} of ./{library}.")
    return None


def _raised(failure):
    return failure.code == "raises" and re.search(r"out_shape|out_dtype", failure.words)


mistakes = (
    Mistake("no-library", on("no-library"),
        "The library is not where this declaration looks.",
        "A path counts from the folder of the program; no other folder is searched but those that "
        "MS_EXT_CUSTOM_PATH names, and it names none.",
        "Compare the path with the listing of the folder, letter by letter."),
    Mistake("no-symbol", on("no-symbol"),
        "The library is there, but not this symbol.",
        "The name behind the colon is looked up among the exported names, and nothing is guessed.",
        "Copy the name from what nm shows."),
    Mistake("other-kernel", on("other-kernel"),
        "It loads, and computes something else.",
        "The loader is content with any symbol that is there: nobody knows what it computes.",
        "Which kernel did this declaration mean?"),
    Mistake("promised-shape", on("promised-shape"),
        "The promised shape is not that of the result.",
        "Memory is set aside for the promise, and this kernel goes by it: with another shape it "
        "leaves elements out, or reads behind the end of x.",
        "The article tried one input only. Which shape is right for all of them?"),
    Mistake("promised-dtype", on("promised-dtype"),
        "The promised dtype is not what the kernel writes.",
        "The kernel writes float32, four bytes for each element. The promise decides how large the "
        "memory is and how it is read later.",
        "What does `out_dtype` get, and which of it is right?"),
    Mistake("declaration", _raised,
        "out_shape or out_dtype is none.",
        "Each of them is a value, or a function of the inputs' shapes or dtypes.",
        "Look at the declarations that the chapter gave."),
    Mistake("no-diagnosis", on("no-diagnosis"),
        "The repair is right; its diagnosis is missing.",
        "Next time the message will be another one. What was wrong here?",
        'why="symbol", "path", "shape" or "dtype".'),
    Mistake("other-diagnosis", on("other-diagnosis"),
        "The repair is right, but that was not what was wrong.",
        "The error that you saw named the place: the file, the name in it, or what was promised.",
        "Which word of the declaration did you change?"),
)  # fmt: skip

hints = (
    "Two of the four are not found at all, two are found and promise what is not true. Which?",
    "Go in the loader's order: is the file there? does it export the name? Then: which shape and "
    "dtype has the result, for any two inputs of one shape?",
    "A sibling, with ./build/libadd.so, which exports add_kernel:\n\n"
    'broken = dict(like_x, func="./libadd.so:add", out_shape=(3,))\n'
    'mended = dict(like_x, func="./build/libadd.so:add_kernel")',
)

_FIRST = 'my_mul_kernel", why="symbol")'
_SECOND = '"./build/libscale.so:scale_kernel"'

mutants = (
    Mutant("no-symbol", _FIRST, _FIRST.replace("my_mul_kernel", "my_mul")),
    Mutant("no-symbol", _FIRST, _FIRST.replace("my_mul_kernel", "*")),
    Mutant("other-kernel", _FIRST, _FIRST.replace("my_mul_kernel", "my_mul_grad_kernel")),
    Mutant("no-library", _SECOND, _SECOND.replace("build/", "")),
    Mutant("no-library", _SECOND, _SECOND.replace("./build", "./lib")),
    Mutant("no-symbol", _SECOND, _SECOND.replace("scale_kernel", "my_mul_kernel")),
    Mutant("promised-shape", 'why="shape"', 'out_shape=(2, 2), why="shape"'),
    Mutant("promised-shape", 'why="shape"', 'out_shape=lambda x, y: x[:-1], why="shape"'),
    Mutant("promised-shape", 'why="shape"', 'out_shape=lambda x, y: x + y, why="shape"'),
    Mutant("promised-dtype", 'why="dtype"', 'out_dtype=ms.float16, why="dtype"'),
    Mutant("declaration", 'why="dtype"', 'out_dtype="float32", why="dtype"'),
    Mutant("no-diagnosis", 'why="dtype"', 'why=""'),
    Mutant("other-diagnosis", 'why="symbol"', 'why="path"'),
)  # fmt: skip

variants = {
    "other ways to say the same": """
def like_x(x, y):
    return x.shape

float32 = lambda x, y: ms.float32
repaired = {
    1: {"func": "libmy_mul.so:my_mul_kernel", "out_shape": like_x, "out_dtype": float32,
        "why": "symbol"},
    2: dict(func="build/libscale.so", out_shape=lambda x, y: y, out_dtype=like_x and float32,
            why="path", func_type="aot"),
    3: dict(func="./build/../libmy_mul.so:my_mul_kernel", out_shape=lambda x, y: list(x),
            out_dtype=ms.float32, why="shape"),
    4: dict(func="./libmy_mul.so:my_mul_kernel", out_shape=like_x,
            out_dtype=lambda x, y: x.dtype, why="dtype"),
}
""",
    "a loop": """
repaired, words = {}, ("symbol", "path", "shape", "dtype")
for number, word in enumerate(words, 1):
    name = "./build/libscale.so:scale_kernel" if word == "path" else "./libmy_mul.so:my_mul_kernel"
    repaired[number] = dict(func=name, out_shape=same, out_dtype=same, why=word)
""",
}

TITLES = ("the first", "the second", "the third", "the fourth")
exercise = Exercise(
    target="repaired",
    contract="Four declarations, by number: each loads the kernel that it means and promises what "
    "that writes, for any two float32 tensors of one shape; why names what was wrong.",
    checks=tuple(
        Check(
            f"number{number}", f"{TITLES[number - 1]} loads and promises what comes", 1,
            "declaration", drawn(*(_of(number, each) for each in (vectors, matrices, cubes))),
            right_in(number),
        )
        for number in FACTS
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
