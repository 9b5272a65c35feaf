"""04.plain_name: a mangled name of C++ is read, and the name in the source comes out."""

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import values

SHORT = ("scale", "relu", "gain", "swish", "tail")
LONG = ("rotary_embed", "layer_norm_grad", "fused_attention")
DIGITS = ("conv2d", "pool3", "log1p", "fp16", "x2y4")
SCOPES = ("ops", "kernels", "detail2", "ms")
TYPES = ("f", "Pfl", "PKfi", "iiPv", "dS_", "v")


def _part(name):
    return f"{len(name)}{name}"


def c_name(draw, n):
    """a C name"""
    return Question("", (draw.choice(SHORT + LONG + DIGITS),))


def simple(draw, n):
    """a C++ function"""
    return Question("", (f"_Z{_part(draw.choice(SHORT))}{draw.choice(TYPES)}",))


def long_name(draw, n):
    """a name of more than nine letters"""
    return Question("", (f"_Z{_part(draw.choice(LONG))}{draw.choice(TYPES)}",))


def with_digits(draw, n):
    """a name with digits in it"""
    return Question("", (f"_Z{_part(draw.choice(DIGITS))}{draw.choice(TYPES)}",))


def nested(draw, n):
    """a name in a namespace"""
    scopes = [draw.choice(SCOPES) for _ in range(n)]
    parts = "".join(map(_part, [*scopes, draw.choice(SHORT + DIGITS + LONG)]))
    return Question("", (f"_ZN{parts}E{draw.choice(TYPES)}",))


def of_a_class(draw, n):
    """an argument of a type with a name"""
    return Question("", (f"_Z{_part(draw.choice(SHORT))}{_part('Tensor')}{draw.choice(TYPES)}",))


def right(symbol):
    """The answer."""
    if not symbol.startswith("_Z"):
        return symbol
    several = symbol[2] == "N"
    rest, parts = symbol[3 if several else 2 :], []
    while rest[:1].isdigit() and (several or not parts):
        digits = next(n for n in range(1, 9) if not rest[n].isdigit())
        end = digits + int(rest[:digits])
        parts.append(rest[digits:end])
        rest = rest[end:]
    return "::".join(parts)


# typical mistakes ---------------------------------------------------------------------------------


def _of(family, got=lambda symbol, text: True):
    """A case of this family with such an answer."""

    def sees(failure):
        case = getattr(failure.case, "family", None)
        (symbol,) = failure.operands
        is_text = isinstance(failure.got, str)
        return case is family and is_text and got(symbol, failure.got)

    return sees


def _no_text(failure):
    return failure.code != "raises" and not isinstance(failure.got, str)


def _mangled(failure):
    return isinstance(failure.got, str) and failure.got.startswith("_Z")


def _with_arguments(failure):
    got, wanted = failure.got, right(*failure.operands)
    return isinstance(got, str) and got != wanted and got.startswith(wanted)


mistakes = (
    Mistake("no-text", _no_text,
        "A text was asked for.",
        "The name as it stands in the source, such as `ops::scale`.",
        "Does every way through your function end in `return`?"),
    Mistake("c-name", _of(c_name),
        "A C name was changed.",
        'What is declared extern "C" keeps its name: nothing in it is to be read.',
        "With which two characters does every name of C++ begin?"),
    Mistake("class-argument", _of(of_a_class, lambda symbol, text: "Tensor" in text),
        "The type of an argument was taken for a part of the name.",
        "Only between N and E are there several parts. Without N the name is one part, and what "
        "follows are the arguments; a class among them is written with its length too.",
        "Stop after the first part if no N stood before it."),
    Mistake("one-scope", _of(nested, lambda symbol, text: "::" not in text),
        "The parts of a nested name are not all there.",
        "Between N and E stands one part after the other: each begins with its own length.",
        "Go on until no digit follows, and join the parts with `::`."),
    Mistake("arguments", _with_arguments,
        "The arguments were left on the name.",
        "The number before a part says how many letters it has. What comes behind them is no name.",
        "Cut the text after so many letters."),
    Mistake("length", _of(long_name),
        "A length of two digits was read as one.",
        "`12rotary_embed`: twelve letters. All digits at the front are the length.",
        "How far do the digits go?"),
    Mistake("digits-inside", _of(with_digits),
        "A digit inside a name was taken for a length.",
        "`6conv2d` is one part with six letters, one of which is a 2.",
        "Take as many characters as the length says, whatever they are."),
    Mistake("still-mangled", _mangled,
        "This is still the mangled name.",
        "It is to be taken apart: `_Z`, a length, so many letters, and the arguments.",
        "Begin behind `_Z`."),
)  # fmt: skip

hints = (
    "Which part of the text says where the name ends?",
    "Behind `_Z` (or `_ZN`): read all digits at the front, they are a length; take so many "
    "characters; the rest are arguments, or, behind N, the next part.",
    "A sibling, which reads a list of words written with their lengths, `3one5three`:\n\n"
    "def words(text):\n"
    "    found = []\n"
    "    while text:\n"
    '        length = re.match(r"\\d+", text)[0]\n'
    "        end = len(length) + int(length)\n"
    "        found.append(text[len(length):end])\n"
    "        text = text[end:]\n"
    "    return found",
)

mutants = (
    Mutant("class-argument", 'rest = rest[end:] if several else ""', "rest = rest[end:]"),
    Mutant("one-scope", 'rest = rest[end:] if several else ""', 'rest = ""'),
    Mutant("length", r're.match(r"\d+", rest)', r're.match(r"\d", rest)'),
    Mutant("c-name", '    if not symbol.startswith("_Z"):\n        return symbol\n', ""),
    Mutant("arguments", "parts.append(rest[found.end():end])", "parts.append(rest[found.end():])"),
    Mutant("digits-inside", "parts.append(rest[found.end():end])",
           r'parts.append(re.match(r"[^\d]*", rest[found.end():end])[0])'),
    Mutant("no-text", 'return "::".join(parts)', "return parts"),
    Mutant("still-mangled", 'return "::".join(parts)', "return symbol"),
)  # fmt: skip

variants = {
    "letter by letter": """
def plain(symbol):
    if symbol[:2] != "_Z":
        return symbol
    place, names, nested = 2, [], symbol[2] == "N"
    place += nested
    while symbol[place].isdigit():
        number = ""
        while symbol[place].isdigit():
            number += symbol[place]
            place += 1
        names.append(symbol[place:place + int(number)])
        place += int(number)
        if not nested or place >= len(symbol):
            break
    return "::".join(names)
""",
    "it calls itself": r"""
import re

def parts(text):
    found = re.match(r"(\d+)(.*)", text)
    if not found:
        return []
    size = int(found[1])
    return [found[2][:size], *parts(found[2][size:])]

def plain(symbol):
    if symbol.startswith("_ZN"):
        return "::".join(parts(symbol[3:]))
    return parts(symbol[2:])[0] if symbol.startswith("_Z") else symbol
""",
}

exercise = Exercise(
    target="plain",
    contract="A text: the name as it stands in the source, without arguments, its parts joined by "
    "`::`; a C name as it is.",
    checks=(
        Check("names", "C names, and names of C++ functions", 1, "call plain",
              drawn(c_name, simple, long_name, with_digits), values.exactly(right),
              inputs="symbol"),
        Check("scopes", "also in namespaces, and with named types as arguments", 1, "call plain",
              drawn(nested, of_a_class), values.exactly(right), inputs="symbol"),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
