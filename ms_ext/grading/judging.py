"""Which verdict does an answer earn? Ask its process case by case, compare, find the smallest.

``child.ask(message)`` is the only way to the learner's code; what comes back is plain data.
"""

import functools
import time
from dataclasses import replace

import numpy as np

from . import codes, diagnosis
from .drawing import seeded
from .failure import Failure
from .layers import evaluation
from .verdict import CheckResult, Verdict

PUBLIC = "public"  # the seed of practice: everybody's cases are the same
PRINTED = 4000  # characters of what an answer prints
ASKS, SECONDS = 40, 0.3  # what is spent on making a failing case smaller


def judge(exercise, cells, child, clean, seed=PUBLIC, path=()):
    """The Verdict on what ``cells``, a list of (name, text), define.

    ``clean()`` gives a process in which nothing of a learner's runs, for graphs with loops.
    ``seed``: words that the cases are drawn from. ``path``: folders the answer may import from.
    """
    begin = time.perf_counter()
    (verdict,) = judge_on(exercise, cells, child, clean, (seed,), path)
    return replace(verdict, seconds=round(time.perf_counter() - begin, 3))


def judge_on(exercise, cells, child, clean, seeds, path=()):
    """The Verdict on each of several seeds; the learner's statements run once."""
    course = _Course(exercise, child)
    with evaluation.clean_process(clean):
        ended = course.begin(list(map(list, cells)), list(path))
        return [course.verdict(seed) if ended is None else ended for seed in seeds]


def sha_of(target, cells, child):
    """The hash of the statements that count for a name; none of them is run."""
    reply = child.ask({"find": target, "cells": list(map(list, cells)), "path": []})
    return reply["found"]["sha"]


@functools.lru_cache(maxsize=64)
def asked(check, seed):
    """The (case, question) pairs of a check; the proof of an exercise asks them many times."""
    return [(case, question_of(case)) for case in check.cases.cases(seed)]


def question_of(case):
    """The case's question; a reference that writes into its operands is found out."""
    question = case.question()._replace(known={})
    waiting = list(question.operands)
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple | list):
            waiting += each
        elif isinstance(each, np.ndarray):
            each.setflags(write=False)
    return question


def _judged(check, question, answer):
    """What the judge of a check says; an answer that it cannot even look at is wrong, too.

    A judge that is itself at fault fails the reference as well, and then nothing is graded.
    """
    try:
        return check.judge(question, answer)
    except Exception as error:
        return Failure("unjudged", f"{type(error).__name__}: {error}"[:300])


class _Course:
    """One answer's way through the checks of an exercise."""

    def __init__(self, exercise, child):
        self.exercise, self.child, self.seed = exercise, child, PUBLIC
        self.sha, self.warnings, self.printed = "", (), ""

    def begin(self, cells, path):
        """The Verdict if there is nothing to check; None if the checks can go on."""
        target = self.exercise.target
        reply = self.ask({"find": target, "cells": cells, "path": path})
        found = reply.get("found")
        if not isinstance(found, dict):
            return self.stopped(reply)
        self.sha, places = str(found["sha"]), found["places"]
        if found["broken"]:
            cell, line, what = found["broken"][-1]
            words = f"{cell}, line {line}: this is not Python yet ({what})."
            return self.say("failed", "syntax", headline=words)
        if not found["cells"]:
            return self.say("not attempted", "missing")
        if len(places) > 1 and not places[0].startswith("In["):
            listed = " and ".join(map(str, places))
            self.warnings = (f"`{target}` stands in {listed}: the last one counts.",)
        reply = self.ask({"run": True})
        if reply.get("missing"):
            return self.say("not attempted", "missing")
        return None if reply.get("ran") else self.stopped(reply)

    def ask(self, message):
        """One reply; what the learner's code has printed is kept."""
        reply = self.child.ask(message)
        reply = reply if isinstance(reply, dict) else {"stopped": "nonsense"}
        self.printed = (self.printed + str(reply.get("printed", "")))[:PRINTED]
        return reply

    def stopped(self, reply):
        """The Verdict on an answer that never came to the checks."""
        told = diagnosis.of_error(reply)
        results = [self.unearned(check, told.code) for check in self.exercise.checks]
        return self.say("failed", told.code, told, checks=tuple(results))

    def unearned(self, check, code):
        """The result of a check that could not be made."""
        return CheckResult(check.name, check.title, 0, check.points, code=code, open=check.open)

    def say(self, status, code, told=None, headline=None, **more):
        """A Verdict about this exercise."""
        plain = codes.of(code)
        told = told or diagnosis.Told(code, plain.headline, "", plain.next)
        target = self.exercise.target
        more.setdefault("checks", tuple(self.unearned(c, code) for c in self.exercise.checks))
        return Verdict(
            self.exercise.name,
            status,
            told.code,
            (headline or told.headline).replace("{target}", target),
            told.detail,
            next=told.next.replace("{target}", target),
            printed=self.printed if status != "passed" else "",
            points=sum(each.points for each in more["checks"]),
            of=self.exercise.points,
            warnings=self.warnings,
            sha=self.sha,
            **more,
        )

    def verdict(self, seed):
        """Every check in turn; the first that fails is explained."""
        self.seed = seed
        results, first = {}, None
        for check in self.exercise.checks:
            result, failure = self.check(check, results)
            results[check.name] = result
            if failure and check.open and first is None:
                first = self.shrunk(failure)  # at once: what hidden checks ask could be remembered
        checks = tuple(results.values())
        if all(each.points == each.of for each in checks):
            return self.say("passed", "passed", checks=checks)
        status = "partly" if any(each.points for each in checks) else "failed"
        if first is None:  # only checks that a learner is not shown
            code = next(each.code for each in checks if each.points < each.of)
            return self.say(status, code, self.hidden(code), checks=checks)
        told = diagnosis.of_failure(first, self.exercise)
        shown = diagnosis.shown(first)
        return self.say(status, told.code, told, checks=checks, **shown)

    def hidden(self, code):
        """What is said if only checks that are not shown fail: the code's own words."""
        for mistake in self.exercise.mistakes:
            if mistake.code == code:
                return diagnosis.Told(code, mistake.headline, mistake.detail, mistake.next)
        plain = codes.of(code)
        return diagnosis.Told(code, plain.headline.replace("{kind}", "an error"), "", plain.next)

    def check(self, check, results):
        """The result of one check, and its first Failure."""
        cases = asked(check, seeded(self.seed, self.exercise.name, check.name))
        first, passed = None, 0
        for case, question in cases:
            failure = self.failure(check, case, question)
            passed += failure is None
            first = first or failure
        code = diagnosis.of_failure(first, self.exercise).code if first else ""
        held_up = [name for name in check.needs if results[name].points < results[name].of]
        if not first and held_up:
            code = "not-earned"
        earned = 0 if first or held_up else check.points
        result = CheckResult(
            check.name, check.title, earned, check.points, passed, len(cases), code, check.open
        )
        return result, first

    def failure(self, check, case, question):
        """The Failure of one case, or None."""
        question = question._replace(seed=seeded(self.seed, self.exercise.name))
        asked = {"ask": check.ask, "operands": question.operands, "options": question.options}
        reply = self.ask(asked)
        if "answer" in reply:
            failure = _judged(check, question, reply["answer"])
        else:
            told = diagnosis.of_error(reply)
            failure = Failure(told.code, told.detail, reply=reply)
        return failure and replace(failure, question=question, case=case, check=check)

    def shrunk(self, failure):
        """The same failure on the smallest case that was found in the time there is."""
        begin, left = time.perf_counter(), ASKS
        going_on = "stopped" not in (failure.reply or ())
        code = diagnosis.of_failure(failure, self.exercise).code
        while going_on:
            going_on = False
            for case in failure.case.smaller():
                left -= 1
                if left < 0 or time.perf_counter() - begin > SECONDS:
                    return failure
                smaller = self.failure(failure.check, case, question_of(case))
                if smaller and diagnosis.of_failure(smaller, self.exercise).code == code:
                    failure, going_on = smaller, True
                    break
        return failure
