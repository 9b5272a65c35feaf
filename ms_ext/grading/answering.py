"""What does the learner's process do with a question? Find the answer, run it, ask it, reply.

Everything of the learner's happens here and nowhere else. Messages and replies are plain data; what
this process says about itself is not believed: graphs go back as text, numbers as numbers, and the
judge works out the rest.
"""

import ast
import hashlib
import importlib
import linecache
import sys
import traceback

from . import find

WORDS = 2000  # characters of an error's text that are sent


class Answering:
    """One learner's answer to one exercise.

    >>> answering = Answering()
    >>> cells = [["In[1]", "def double(x):\\n    return x * 2"]]
    >>> answering.reply({"find": "double", "cells": cells, "path": []})["found"]["cells"]
    ['In[1]']
    >>> answering.reply({"run": True}), answering.reply({"ask": "call plain", "operands": [21]})
    ({'ran': True}, {'answer': 42})
    """

    def __init__(self):
        self.target, self.pieces = None, ()
        self.space = {"__name__": "__main__"}

    def reply(self, message):
        """The reply to one message; an error of the learner's code is a reply too."""
        try:
            if "find" in message:
                return self._find(message)
            if "evaluate" in message:
                return _evaluated(message)
            return self._run() if "run" in message else self._ask(message)
        except BaseException as error:  # sys.exit and Ctrl-C of the learner's code included
            return {"error": told(error, {f"<{piece.name}>" for piece in self.pieces})}

    def _find(self, message):
        sys.path.extend(message["path"])
        cells = [tuple(cell) for cell in message["cells"]]
        self.target = message["find"]
        found = find.answer(cells, self.target)
        self.pieces = found.pieces
        return {
            "found": {
                "cells": [piece.name for piece in found.pieces],
                "places": list(found.places),
                "broken": [list(each) for each in found.broken],
                "sha": _meaning(found.pieces),
            }
        }

    def _run(self):
        for piece in self.pieces:
            _run_piece(*piece, self.space)
        return {"ran": True} if self.target in self.space else {"missing": True}

    def _ask(self, message):
        routine = importlib.import_module("ms_ext.grading.routines").ROUTINES[message["ask"]]
        operands, options = message.get("operands", ()), message.get("options") or {}
        return {"answer": routine(self.space[self.target], operands, options)}


def _evaluated(message):
    """The results of a graph; asked only of processes that have run nothing of a learner's."""
    from ms_ext.engine import ir
    from ms_ext.engine.backends import reference

    return {"answer": tuple(reference.build(ir.load(message["evaluate"]))(*message["operands"]))}


def _meaning(pieces):
    """A hash of the statements that count: the same for other comments and spaces."""
    seen = hashlib.sha256()
    for piece in pieces:
        body = ast.parse(piece.text).body
        for index in piece.keep:
            seen.update(ast.dump(body[index]).encode(errors="replace"))
    return seen.hexdigest()


def _run_piece(name, text, keep, space):
    """Run some top-level statements of a cell; tracebacks and the front end see the whole cell."""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    tree = ast.parse(text, file)
    tree.body = [tree.body[index] for index in keep]
    exec(compile(tree, file, "exec"), space)


def told(error, own=()):
    """An error as plain data: its kinds and words, and the last of the learner's lines in it."""
    chain = [error]
    while chain[-1].__cause__ is not None and len(chain) < 20:
        chain.append(chain[-1].__cause__)
    frames = [f for e in chain for f in traceback.extract_tb(e.__traceback__) if f.filename in own]
    place = (
        f"{frames[-1].filename[1:-1]}, line {frames[-1].lineno}: {frames[-1].line}"
        if frames
        else ""
    )
    kinds = [kind.__name__ for e in chain for kind in type(e).__mro__]
    return {
        "kind": type(chain[-1]).__name__,
        "kinds": kinds,
        "words": _words(error)[:WORDS],
        "place": place[:WORDS],
    }


def _words(error):
    try:
        return str(error)
    except Exception:  # an exception of the learner's own, with a __str__ of its own
        return ""
