"""04.load_again: what does a builder make anew after a change, and which module does it give?"""

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import values

A, B, LIBRARY = "a.o", "b.o", "my_ops.so"
#: A change -> the files that a build makes after it.
FACTS = {
    "nothing": [],
    "a.cpp is touched": [],
    "a line in a.cpp": [A, LIBRARY],
    "a line in b.cpp": [B, LIBRARY],
    "a line in b.h": [A, B, LIBRARY],
    "other cflags": [A, B, LIBRARY],
    "other ldflags": [LIBRARY],
    "my_ops.so is deleted": [LIBRARY],
}
CHANGES = tuple(FACTS)


def right(change, loaded):
    """The answer, the order of the files aside."""
    return (set(), "reused") if loaded else (set(FACTS[change]), "opened")


def in_a_new_process(draw, change=CHANGES):
    """the name was not loaded in this process"""
    return Question("", (change, False))


def loaded_before(draw, change=CHANGES):
    """the name was loaded in this process before"""
    return Question("", (change, True))


def judge(question, answer):
    """The files in any order."""
    return values.same_data(_plain(*right(*question.operands)), _plain(*_pair(answer)))


def _pair(answer):
    """(files, word), or what stands for an answer of another form."""
    is_pair = isinstance(answer, tuple | list) and len(answer) == 2
    return answer if is_pair and isinstance(answer[0], tuple | list) else (["?"], "?")


def _plain(files, word):
    return sorted({f"{each}" for each in files}), word


# typical mistakes ---------------------------------------------------------------------------------


def _asked(changes, loaded=None, files=lambda got: True, word=None):
    """The case is one of these changes, and the answer is such a one."""

    def sees(failure):
        change, was = failure.operands
        if not isinstance(failure.got, tuple | list) or len(failure.got) != 2:
            return False
        got, said = failure.got
        right_case = change in changes and loaded in (None, was)
        return right_case and files(set(got)) and word in (None, said)

    return sees


def _no_pair(failure):
    return isinstance(failure.got, tuple | list) and failure.got[1] == "?"


mistakes = (
    Mistake("no-pair", _no_pair,
        "Two things were asked for.",
        "A list of files, and a word.",
        'Return `["my_ops.so"], "opened"`, for example.'),
    Mistake("builds-though-loaded", _asked(CHANGES, True, bool),
        "Something is built, though the name is loaded already.",
        "A name is loaded once in a process: the second `load()` hands out the module of the first "
        "and looks at no file.",
        "Ask for `loaded` before anything else."),
    Mistake("opened-again", _asked(CHANGES, True, word="opened"),
        "A library is said to be opened twice under one name.",
        "Python keeps what it has imported, and so does the builder: another name, or another "
        "process, gets the new code.",
        "Which of the two words says that the module is the one from before?"),
    Mistake("reused-too-early", _asked(CHANGES, False, word="reused"),
        "There is no module from before in this process.",
        "The library on the disk is not the module: nobody has opened it here yet.",
        "What does the first `load()` of a process do with a library that is up to date?"),
    Mistake("time-counts", _asked(("a.cpp is touched",), False),
        "A new time is taken for a new text.",
        "The builder reads what looks changed, and finds the same text.",
        "Try it: `os.utime`, as the chapter does."),
    Mistake("nothing-changed", _asked(("nothing",), False),
        "Something is built though nothing has changed.",
        "The record beside the library says what it was made of, and all of that is still so.",
        "Which files would be any different?"),
    Mistake("not-linked", _asked(CHANGES[2:], False, lambda got: LIBRARY not in got),
        "The library is left as it was.",
        "Objects are only parts: whatever changes in one of them gets into the library by linking.",
        "Which file does Python open?"),
    Mistake("header-of-both", _asked(("a line in b.h",), False),
        "A header is part of every source that includes it.",
        "The compiler reads it in place of the #include: both sources have another text now.",
        "Who includes b.h?"),
    Mistake("link-only", _asked(("other ldflags", "my_ops.so is deleted"), False),
        "Sources are compiled again though only the linking is to be done again.",
        "The objects are there, made of the same text with the same flags of the compiler.",
        "For whom are ldflags?"),
    Mistake("compiler-flags", _asked(("other cflags",), False),
        "Other flags of the compiler make other objects.",
        "-DFAST, -O0, -g: each of them can change every object.",
        "Which sources are compiled with cflags?"),
    Mistake("one-source", _asked(("a line in a.cpp", "a line in b.cpp"), False),
        "One source was changed, and another one is compiled.",
        "Each source becomes an object of its own, so that only the changed one is compiled.",
        "Which object is made of the source that was changed?"),
)  # fmt: skip

hints = (
    "Two questions: is anything looked at, at all? And if so, whose text or flags are new?",
    "If the name is loaded, nothing happens. Otherwise: an object is made anew if the text of its "
    "source, of a header that it includes, or the flags of the compiler have changed; the library "
    "if an object or the flags of the linker have, or if it is gone.",
    "A sibling, for a cake of dough and cream:\n\n"
    "def again(change, eaten):\n"
    "    if eaten:\n"
    '        return [], "too late"\n'
    '    if change == "the plate":\n'
    '        return ["cake"], "fresh"\n'
    '    parts = ["dough"] if "flour" in change else ["dough", "cream"]\n'
    '    return [*parts, "cake"], "fresh"',
)

_LOADED = '    if loaded:\n        return [], "reused"\n'
_SAME = 'if change in ("nothing", "a.cpp is touched"):\n        return [], "opened"'
_LINK = 'if "ldflags" in change or "deleted" in change:'
_FILES = 'files = ["a.o"] * ("b.cpp" not in change) + ["b.o"] * ("a.cpp" not in change)'

mutants = (
    Mutant("opened-again", _LOADED, ""),
    Mutant("builds-though-loaded", 'return [], "reused"', 'return ["my_ops.so"], "reused"'),
    Mutant("opened-again", 'return [], "reused"', 'return [], "opened"'),
    Mutant("reused-too-early", _SAME, _SAME.replace('"opened"', '"reused"')),
    Mutant("time-counts", '("nothing", "a.cpp is touched")', '("nothing",)'),
    Mutant("nothing-changed", '("nothing", "a.cpp is touched")', '("a.cpp is touched",)'),
    Mutant("not-linked", 'return [*files, "my_ops.so"], "opened"', 'return files, "opened"'),
    Mutant("link-only", _LINK, 'if "deleted" in change:'),
    Mutant("link-only", _LINK, 'if "ldflags" in change:'),
    Mutant("compiler-flags", _LINK, 'if "flags" in change or "deleted" in change:'),
    Mutant("header-of-both", _FILES,
           'files = ["a.o"] * ("b." not in change) + ["b.o"] * ("a.cpp" not in change)'),
    Mutant("one-source", _FILES, 'files = ["a.o", "b.o"]'),
    Mutant("no-pair", 'return [*files, "my_ops.so"], "opened"', 'return [*files, "my_ops.so"]'),
)  # fmt: skip

variants = {
    "a table": """
TABLE = {
    "nothing": "", "a.cpp is touched": "", "a line in a.cpp": "a.o my_ops.so",
    "a line in b.cpp": "b.o my_ops.so", "a line in b.h": "a.o b.o my_ops.so",
    "other cflags": "my_ops.so b.o a.o", "other ldflags": "my_ops.so",
    "my_ops.so is deleted": "my_ops.so",
}

def load_again(change, loaded):
    return ([], "reused") if loaded else (TABLE[change].split(), "opened")
""",
    "match, and a list": """
def load_again(change, loaded):
    made = []
    match (loaded, change):
        case (True, _):
            return [made, "reused"]
        case (_, "a line in a.cpp"):
            made = ["a.o"]
        case (_, "a line in b.cpp"):
            made = ["b.o"]
        case (_, "a line in b.h" | "other cflags"):
            made = ["a.o", "b.o"]
    if change not in ("nothing", "a.cpp is touched"):
        made.append("my_ops.so")
    return [made, "opened"]
""",
}

_case = {"ask": "call plain", "judge": judge, "inputs": "change loaded"}
exercise = Exercise(
    target="load_again",
    contract="The files that load() makes, of a.o, b.o and my_ops.so, and whether the module is "
    '"reused" from before or "opened" now.',
    checks=(
        Check("anew", "eight changes, in a new process", 1,
              cases=drawn(in_a_new_process), **_case),
        Check("loaded", "the same where the name is loaded", 1,
              cases=drawn(loaded_before), **_case),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
