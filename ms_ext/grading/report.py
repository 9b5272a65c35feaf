"""Which verdict follows from what the learner's process did? Each has a code and plain words."""

from . import exercise as exercises
from . import find, rewriting
from .verdict import Verdict

PASSED = "Passed: every graph keeps its values, and no rewrite is wasted."
PLAIN = {
    "invalid": (
        "Your pass leaves something that is not a graph.",
        "Every node a pass writes must use nodes of the same graph.",
    ),
    "interface": (
        "Your pass changes what the graph takes or gives.",
        "A result must keep its shape and dtype.",
    ),
    "values": (
        "The rewritten graph computes other values.",
        "Run both graphs on the inputs above by hand: which step differs?",
    ),
    "never-fires": (
        "Your pass never rewrites this graph.",
        "Compare the graph, line by line, with what your pass looks for.",
    ),
    "leaves-some": (
        "Your pass rewrites some places and leaves others.",
        "Look at the places that stayed: what do they have that the others have not?",
    ),
    "no-gain": (
        "Your pass rewrites a graph and saves no node.",
        "Find out what is still alive after your rewrite, and refuse such places.",
    ),
}


def judge(request, ask):
    """The verdict on a request; ``ask`` sends the learner's statements to their own process."""
    name = request["name"]
    exercise = exercises.load(name)
    found = find.answer(list(map(tuple, request["cells"])), exercise.target)
    say = _Speaker(name, exercise)
    if found.broken:
        cell, line, what = found.broken[-1]
        return say("failed", "syntax", f"{cell}, line {line}: this is not Python yet ({what}).")
    if not found.pieces:
        return _nothing_found(say, exercise)
    asked = {
        "pieces": found.pieces, "target": exercise.target, "ask": "rewrite",
        "questions": rewriting.questions(exercise), "path": request.get("path", ()),
    }  # fmt: skip
    answer = ask(asked)
    say.printed = str(answer.get("printed", ""))[:4000]
    verdict = _without_answers(say, answer, exercise)
    return verdict if verdict is not None else _from_answers(say, answer["answers"], exercise)


class _Speaker:
    """Makes verdicts about one exercise."""

    def __init__(self, name, exercise):
        self.name, self.exercise, self.printed = name, exercise, ""

    def __call__(self, status, code, headline, detail="", next="", **more):
        hints = self.exercise.hints if status != "passed" else ()
        printed = self.printed if status != "passed" else ""
        return Verdict(
            self.name,
            status,
            code,
            headline,
            detail,
            next=next,
            hints=hints,
            printed=printed,
            **more,
        )


def _nothing_found(say, exercise):
    return say(
        "not attempted",
        "missing",
        f"Nothing here defines `{exercise.target}`.",
        next=f"Run (or save) the cell that makes `{exercise.target}`, then check again.",
    )


STOPPED = {
    "time": ("too-long", "Your code did not finish in time.", "Look for a loop that never ends."),
    "nonsense": (
        "garbled",
        "The answer of your code could not be read.",
        "Write nothing to file descriptors.",
    ),
}


def _without_answers(say, answer, exercise):
    """The verdict if the learner's code gave no graphs at all."""
    if answer.get("missing"):
        return _nothing_found(say, exercise)
    if error := answer.get("error"):
        return _raised(say, error)
    if why := answer.get("stopped"):
        ended = (
            "ended",
            f"Your code ended its process ({why}).",
            "Take out what ends Python, such as os._exit.",
        )
        code, headline, advice = STOPPED.get(why, ended)
        return say("failed", code, headline, next=advice)
    answers = answer.get("answers")
    if not isinstance(answers, list) or len(answers) != len(exercise.cases):
        return say("failed", "garbled", STOPPED["nonsense"][1], next=STOPPED["nonsense"][2])
    return None


RAISED = {
    "SystemExit": (
        "ended",
        "Your code calls sys.exit().",
        "Take the call out: a pass only rewrites.",
    ),
    "MemoryError": ("memory", "Your code wants too much memory.", "Build nothing large in a pass."),
}


def _raised(say, error):
    kinds, words, place = list(error["kinds"]), str(error["words"]), str(error["place"])
    for kind, (code, headline, advice) in RAISED.items():
        if kind in kinds:
            return say("failed", code, headline, detail=place, next=advice)
    detail = "\n".join(filter(None, [place, words]))
    if "never ends: " in words:
        advice = "What your pass writes must not be what it looks for."
        return say("failed", "endless", "Your pass never ends.", detail, advice)
    advice = "Mend that line, run the cell, check again."
    return say("failed", "raises", f"Your code raises {error['kind']}.", detail, advice)


def _from_answers(say, answers, exercise):
    judged = [
        rewriting.judge_case(case, given if isinstance(given, dict) else {})
        for case, given in zip(exercise.cases, answers, strict=True)
    ]
    failures = [failure for failure in judged if failure]
    counts = {"passed": len(judged) - len(failures), "total": len(judged)}
    if not failures:
        cases = rewriting.outcomes(exercise.cases, answers)
        return say("passed", "passed", PASSED, cases=cases, **counts)
    first = failures[0]
    code, headline, detail, advice = _diagnosis(first, exercise)
    detail = "\n".join(
        filter(None, [detail, f"Your pass says: {first.words}" if first.words else ""])
    )
    return say("failed", code, headline, detail, advice, witness=rewriting.witness(first), **counts)


def _diagnosis(failure, exercise):
    """A typical mistake if one is recognised, otherwise what such a failure means in general."""
    for known in exercise.recognisers:
        if known.sees(failure):
            return known.code, known.headline, known.detail, known.next
    headline, advice = PLAIN[failure.kind]
    return failure.kind, headline, "", advice
