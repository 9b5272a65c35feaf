"""04.five_builds: five builds that do not load: each is repaired, and its disease is named.

Nothing is compiled here. The builds are small enough for their rules to be told: which file has
which function, where a header lies, and where the loader looks for a library.
"""

import posixpath
import re
import shlex

import numpy as np

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.layers import kernels
from ms_ext.grading.recognise import on

WORDS = ("module", "mangled", "undefined", "header", "library")
#: The files of the chapter: source -> what it needs to be complete.
SOURCES = ("parts.cpp", "gain.c")
DISEASES = dict(zip(("bound", "minus", "parts", "found", "alone"), WORDS, strict=True))


def _only(name):
    """The case of one build."""

    def case(draw, n):
        return Question(f"the build {name}", (draw(n),))

    case.__doc__, case.__name__ = f"the build {name}", f"vector_{name}"
    return case


def repaired_is_right(name):
    """Judges one build: does it load, does it compute, and is its disease named?"""

    def judge(question, answer):
        if not isinstance(answer, dict) or not isinstance(answer.get(name), dict):
            return Failure("no-build", f"There is no dictionary repaired[{name!r}].", got=answer)
        words = answer[name]
        if failure := _LOADS[name](words, question):
            return failure
        if words.get("why") not in WORDS:
            return Failure("no-diagnosis", f"why is {words.get('why')!r}.", got=words.get("why"))
        if words["why"] != DISEASES[name]:
            return Failure("other-diagnosis", "", got=words["why"])
        return None

    return judge


# what becomes of a build --------------------------------------------------------------------------


def _bound(words, question):
    """C++ with pybind11: the macro's name is the builder's."""
    if not isinstance(text := words.get("text"), str):
        return Failure("no-text", "text is no text.", got=text)
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    found = re.search(r"\bPYBIND11_MODULE\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)\s*\{(.*)\}", code, re.S)
    if found is None:
        return Failure("no-module", "There is no PYBIND11_MODULE(name, m) { ... } in it.")
    if found[1] != "MS_EXTENSION_NAME":
        words = f"It exports PyInit_{found[1]}; the builder's name is another one."
        return Failure("no-module", words)
    if not re.search(rf'\b{found[2]}\s*\.\s*def\s*\(\s*"twice"\s*,\s*&?\s*twice\b', found[3]):
        return Failure("not-bound", "It does not bind twice any more.")
    return None


def _minus(words, question):
    """A plain C kernel: read, and run here."""
    return kernels.computes("minus", np.negative)(question, words.get("text"))


def _parts(words, question):
    """gain is in gain.c, or in the library."""
    return _compiled(words) or _with_gain(words)


def _compiled(words):
    """A Failure if the sources cannot be compiled."""
    sources, includes = _listed(words.get("sources")), _listed(words.get("include_paths"))
    for each in sources:
        if _path(each) not in SOURCES:
            return Failure("no-source", f"{each} is not there. There is: {', '.join(SOURCES)}.")
    if "parts.cpp" not in map(_path, sources):
        return Failure("no-source", "parts.cpp has the op scale: without it there is none.")
    if "include" not in map(_path, includes):
        said = ", ".join(map(str, includes)) or "no folder"
        words = f"parts.cpp includes gain.h; include_paths names {said}, and gain.h is not there."
        return Failure("no-header", words)
    return None


def _with_gain(words):
    """A Failure if nobody offers gain when the library is opened."""
    sources = list(map(_path, _listed(words.get("sources"))))
    flags = words.get("ldflags") or ""
    if "gain.c" in sources:
        return None
    if not isinstance(flags, str):
        return Failure("no-text", "ldflags is no text.", got=flags)
    linked = shlex.split(flags)
    if any(_path(each) == "vendor/libgain.so" and each.startswith("/") for each in linked):
        return None
    if not _is_linked(linked):
        return Failure("still-undefined", "gain is declared, and no source or library has it.")
    if not any(_is_found(each) for each in _run_paths(linked)):
        words = "The linker finds libgain.so by -L; the loader looks where the run path says."
        return Failure("not-found", words)
    return None


def _is_linked(flags):
    folders = [each[2:] for each in flags if each.startswith("-L")]
    return "-lgain" in flags and "vendor" in map(_path, folders)


def _run_paths(flags):
    """The folders of the run path, which -Wl,-rpath,... names."""
    for each in flags:
        found = re.match(r"-Wl,(?:-rpath|-R|--rpath)[,=](.+)", each)
        yield from found[1].split(",")[0].split(":") if found else ()


def _is_found(folder):
    """Whether a folder of the run path is the one: from the root, or from the library's own."""
    inside = re.match(r"\$\{?ORIGIN\}?/(.*)", folder)
    if inside:  # the library lies in kernel_meta/NAME
        return posixpath.normpath(f"kernel_meta/alone/{inside[1]}") == "vendor"
    return _path(folder) == "vendor"


def _path(name):
    """A path from the chapter's folder, which an absolute one begins with."""
    text = posixpath.normpath(str(name))
    known = (*SOURCES, "include", "vendor", "vendor/libgain.so")
    if text.startswith("/"):
        return next((k for k in known if text.endswith(f"/{k}")), text)
    return text


def _listed(value):
    return [value] if isinstance(value, str) else list(value or ())


_LOADS = {"bound": _bound, "minus": _minus, "parts": _parts, "found": _parts, "alone": _parts}

# typical mistakes ---------------------------------------------------------------------------------

mistakes = (
    Mistake("no-build", on("no-build"),
        "A build is missing.",
        "`repaired` has five entries, each a dictionary of what a builder is given, and `why`.",
        "Begin with a copy of the broken one: dict(broken[...], why=...)."),
    Mistake("no-text", on("no-text", "kind"),
        "A text was expected here.",
        "`text` is the whole source, and `ldflags` is one text with blanks between the flags.",
        "Look at the entry in `broken`."),
    Mistake("no-module", on("no-module"),
        "Python does not find the entry of the module.",
        "It calls PyInit_ and the builder's name. The builder hands its name to the compiler as "
        "MS_EXTENSION_NAME, so that a source need not know it.",
        "Which name stands in PYBIND11_MODULE?"),
    Mistake("not-bound", on("not-bound"),
        "The module loads, and is empty.",
        "What m.def does not name, Python does not see.",
        "Bring `m.def` back as it was."),
    Mistake("still-mangled", on("mangled", "no-symbol", "other-arguments"),
        "The loader still does not find `minus`.",
        "C++ writes the types of the arguments into the name of a function.",
        "What must stand before the function for its name to stay as it is?"),
    Mistake("other-kernel", on("values", "left-out", "outside", "returned", "no-return", "not-read",
                               "input-written", "unwritten"),
        "The kernel loads, and computes something else than before.",
        "Only its name was ill. The rest of the text was right.",
        "Change nothing but the line that says what the function is called."),
    Mistake("no-source", on("no-source"),
        "A source is not there.",
        "A builder is given the files that are to be compiled; their names count from the folder "
        "of the notebook.",
        "Compare the names with the files that the chapter wrote."),
    Mistake("still-undefined", on("still-undefined"),
        "`gain` is still declared and never defined.",
        "A shared library may be made with names that are not there yet. When it is opened, "
        "somebody must have them.",
        "Which file of the chapter defines gain?"),
    Mistake("no-header", on("no-header"),
        "The compiler does not find gain.h.",
        "It looks beside the source and in the folders of include_paths.",
        "In which folder did the chapter put gain.h?"),
    Mistake("not-found", on("not-found"),
        "The loader does not find libgain.so.",
        "-L is for the linker alone. A library carries a list of folders for the loader with it: "
        "-Wl,-rpath,FOLDER writes it.",
        "What did the build `linked` of the chapter have that this one has not?"),
    Mistake("no-diagnosis", on("no-diagnosis"),
        "The repair is right; its diagnosis is missing.",
        "Next time the message will be another one. What was wrong here?",
        "One of the five words of the table under Break it."),
    Mistake("other-diagnosis", on("other-diagnosis"),
        "The repair is right, but that was not what was wrong.",
        "Each of the five words belongs to one build: who missed what, the compiler, the linker, "
        "the loader or Python?",
        "Which thing did you change: a name, a list of sources, a folder?"),
)  # fmt: skip

hints = (
    "One of the five does not get through the compiler, one is refused by Python, and of three a "
    "name or a library is not found. Which is which?",
    'Read what `attempt` printed for each. Then: the macro\'s name, extern "C", the file that '
    "defines gain, the folder of gain.h, the run path.",
    "A sibling, which needs a function half from half.c and half.h in the folder `more`:\n\n"
    'broken = dict(sources=["use.cpp"])\n'
    'mended = dict(sources=["use.cpp", "half.c"], include_paths=["more"])',
)

_FIRST = 'text=bound.replace("bond", "MS_EXTENSION_NAME")'
_SECOND = """minus.replace("int minus", 'extern "C" int minus')"""
_THIRD = '"parts": dict(broken["parts"], sources=["parts.cpp", "gain.c"], why="undefined")'
_FOURTH = 'dict(broken["found"], include_paths=["include"], why="header")'
_RPATH = " -Wl,-rpath,{here}/vendor"

mutants = (
    Mutant("no-module", _FIRST, "text=bound"),
    Mutant("no-module", _FIRST, 'text=bound.replace("PYBIND11_MODULE", "MODULE")'),
    Mutant("not-bound", _FIRST, 'text=bound.replace("bond", "MS_EXTENSION_NAME")'
           """.replace('m.def("twice", &twice);', "")"""),
    Mutant("still-mangled", _SECOND, "minus"),
    Mutant("still-mangled", _SECOND, _SECOND.replace("int minus')", "int minus_kernel')")),
    Mutant("other-kernel", _SECOND, """kernel.replace("int scale", "int minus")"""),
    Mutant("still-undefined", _THIRD, '"parts": dict(broken["parts"], why="undefined")'),
    Mutant("no-source", _THIRD, _THIRD.replace("gain.c", "gain.cpp")),
    Mutant("no-source", _THIRD, _THIRD.replace('"parts.cpp", ', "")),
    Mutant("no-header", _FOURTH, 'dict(broken["found"], why="header")'),
    Mutant("no-header", _FOURTH, _FOURTH.replace('["include"]', '["vendor"]')),
    Mutant("not-found", _RPATH, ""),
    Mutant("not-found", _RPATH, " -Wl,-rpath,{here}"),
    Mutant("no-build", '"bound": dict(', '"bond": dict('),
    Mutant("no-text", _FIRST, "text=None"),
    Mutant("no-diagnosis", 'why="library"', 'why="?"'),
    Mutant("other-diagnosis", 'why="module"', 'why="mangled"'),
)  # fmt: skip

variants = {
    "other ways to the same": '''
repaired = {
    "bound": {"text": """
#include <pybind11/pybind11.h>
namespace py = pybind11;
static int twice(int x) { return x + x; }
PYBIND11_MODULE(MS_EXTENSION_NAME, module) {
  module.doc() = "twice";  // and no more
  module.def("twice", twice, py::arg("x"));
}
""", "why": "module"},
    "minus": {"text": minus.replace("int minus", 'extern "C"\\nint minus'), "why": "mangled"},
    "parts": dict(broken["parts"], ldflags="-L./vendor -lgain -Wl,-rpath,'$ORIGIN/../../vendor'",
                  why="undefined"),
    "found": dict(sources=("./parts.cpp", "gain.c"), include_paths="include", why="header"),
    "alone": dict(broken["alone"], ldflags=str(Path.cwd() / "vendor" / "libgain.so"),
                  why="library"),
}
''',
    "in steps": """
import copy

repaired = copy.deepcopy(broken)
for name, word in zip(repaired, "module mangled undefined header library".split()):
    repaired[name]["why"] = word
repaired["bound"]["text"] = bound.replace("(bond", "(MS_EXTENSION_NAME")
repaired["minus"]["text"] = "#include <cstdint>\\nextern \\"C\\" {" + minus.partition(">")[2] + "}"
repaired["parts"]["sources"].append("gain.c")
repaired["found"]["include_paths"] = ["include", "vendor"]
repaired["alone"]["sources"].append("gain.c")
repaired["alone"]["ldflags"] = ""
""",
}

_NUMBERS = ("the first", "the second", "the third", "the fourth", "the fifth")
exercise = Exercise(
    target="repaired",
    contract="Five builds by name: each is given what makes it load, and why says what was wrong.",
    checks=tuple(
        Check(
            name, f"{_NUMBERS[at]} loads, and its disease is named", 1, "value",
            drawn(_only(name), dtypes="f32"), repaired_is_right(name), inputs="x",
        )
        for at, name in enumerate(DISEASES)
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
