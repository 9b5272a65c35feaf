"""Questions to learners' processes, for several test files."""

import sys
import textwrap

import pytest

from ms_ext.grading.sandbox import Limits, protections

NAMES = protections.NAMES
SMALL = Limits(
    wall=0.4, processor=1, memory=100 << 20, file=1 << 20, disk=4 << 20, files=40, words=200_000
)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own protections")


def define(child, body, path=()):
    """Make ``body`` the learner's function ``probe``, ready to be asked."""
    text = "def probe(given=None):\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ")
    cells = [["In[1]", text]]
    child.ask({"find": "probe", "cells": cells, "path": [str(each) for each in path]})
    return child.ask({"run": True})


def asked(nursery, body, given=None, **options):
    """What a child of its own replies to ``probe(given)``."""
    child = nursery.child(**options)
    try:
        define(child, body, options.get("reads", ()))
        return child.ask({"ask": "call plain", "operands": (given,)})
    finally:
        child.close()


def done(reply):
    """Did a probe come to its end?"""
    return reply.get("answer") == "done" or "done" in (reply.get("answer") or ())
