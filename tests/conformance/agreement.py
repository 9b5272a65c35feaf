"""When do two answers agree: structure, types, dtypes, shapes, values, errors, what was printed."""

import math
import re

#: What MindSpore's first lines hold besides what is wrong: advice that names its own switches and
#: pages, and dumps of its own objects.
ASIDES = [
    r"You can use os\.environ\[.*",
    r"For detailed usage of .* please refer to .*",
    r"Please check whether the \w+ environment is installed .*",
    r"In file .*",
    r",? \(function call depth.*",
    r"(Abstract\w+|PythonObject)\(.*",
    r"(ClassMember|Module): 'Namespace:[^']*' ",
    r"When handling script .* in graph mode', (?=the inputs should be constant)",
    r"(?<=but found variable) .*",
    r"The pointer\[\w+\] is null\.",
    r"^-+$",
]

#: Floats may differ by rounding.
CLOSE = 2e-6


def difference(recorded, ours, says=None):
    """How our answers to the calls of a case differ from MindSpore's, in words; None if not."""
    if len(recorded) != len(ours):
        return f"{len(recorded)} answers and {len(ours)}"
    for number, (one, other) in enumerate(zip(recorded, ours, strict=True), 1):
        if told := _of_call(one, other, says):
            return f"call {number}: {told}"
    return None


def _of_call(recorded, ours, says):
    if "ended" in recorded:
        return f"MindSpore {recorded['ended']}; here {_shown(ours)}"
    if "error" in recorded or "error" in ours:
        told = _of_errors(recorded, ours, says)
    else:
        told = _of_values(recorded["result"], ours["result"], "the result")
    told = told or _of_values(recorded.get("arguments"), ours.get("arguments"), "an argument")
    if told is None and recorded.get("printed") != ours.get("printed"):
        return f"printed {recorded.get('printed')!r} and {ours.get('printed')!r}"
    return told


def _shown(answer):
    if "error" in answer:
        return f"{answer['error'][0][0]}: {answer['error'][1]}"
    return str(answer["result"])


def _of_errors(recorded, ours, says):
    told = f"{_shown(recorded)}  |  here {_shown(ours)}"
    if "error" not in recorded or "error" not in ours:
        return told
    (kind, *_), text = recorded["error"]
    kinds, our_text = ours["error"]
    if says is not None and says not in text:
        return f"MindSpore does not say {says!r}: {text}"
    wanted = essence(text) if says is None else says
    return None if kind in kinds and wanted in our_text else told


def essence(text):
    """What a first line of MindSpore's says, without asides; compile errors come in quotes.

    >>> essence("'at once'"), essence("It is Abstract. You can use os.environ['A'] = '2' to.")
    ('at once', 'It is Abstract.')
    """
    for aside in ASIDES:
        text = re.sub(aside, "", text)
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text


def _of_values(one, other, what):
    if _same(one, other):
        return None
    return f"{what} is {one} and {other}"


def _same(one, other):
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE)
    return type(one) is type(other) and one == other
