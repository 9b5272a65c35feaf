"""Where are the verdicts behind a gradebook's rows? Beside it, a line of JSON for each."""

import json

from ms_ext.grading.classroom.gradebook import key

from ..verdict import Verdict
from .rows import Identity


class Store:
    """The verdicts of a gradebook; added to while it grows."""

    def __init__(self, out):
        self.path, self.known = f"{out}.verdicts.jsonl", {}
        try:
            with open(self.path, encoding="utf-8") as file:
                for line in file:
                    self._read(line)
        except FileNotFoundError:
            return

    def _read(self, line):
        try:
            about = json.loads(line)
            self.known[tuple(about["key"])] = tuple(about["identity"]), about["verdict"]
        except (ValueError, KeyError, TypeError):  # a line torn by the end of an earlier run
            return

    def add(self, row, verdict):
        """Keep the verdict of a row."""
        if verdict is None:
            return
        about = {"key": key(row), "identity": Identity.of(row), "verdict": verdict.data()}
        self.known[key(row)] = tuple(about["identity"]), about["verdict"]
        with open(self.path, "a", encoding="utf-8") as file:
            file.write("\n" * (file.tell() > 0) + json.dumps(about))

    def verdict(self, row):
        """The Verdict behind a row, or None."""
        identity, data = self.known.get(key(row), (None, None))
        return Verdict.read(data) if identity == tuple(Identity.of(row)) else None
