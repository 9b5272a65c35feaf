"""A panel's report as a block of data inside its page: what repeats from pass to pass stands once.

The script finds there what nodes say of themselves, and makes the JSON export of it.
"""

import json

TABLES = {"nodes": "nodes", "edges": "edges", "enters": "edges", "backs": "edges"}


class _Table:
    """Dictionaries of one kind as rows under common keys, each different row once."""

    def __init__(self):
        self.keys, self.rows, self._places = [], [], {}

    def place(self, record):
        """The number of the row that says what ``record`` says."""
        self.keys = self.keys or list(record)
        row = list(record.values()) if list(record) == self.keys else record
        known = repr(row)
        if known not in self._places:
            self._places[known] = len(self.rows)
            self.rows.append(row)
        return self._places[known]


def packed(told, facts):
    """The data block of a page, from ``panel.told()`` and what nodes say, per step, by id.

    >>> same = {"3": "node: %3 Add"}
    >>> json.loads(packed({"passes": []}, [same, same]))["packed"]["facts"]
    ['node: %3 Add']
    """
    tables = {name: _Table() for name in dict.fromkeys(TABLES.values())}
    passes = [
        step
        | {
            name: [tables[table].place(each) for each in step[name]]
            for name, table in TABLES.items()
            if name in step
        }
        for step in told["passes"]
    ]
    numbers = {}
    said = [
        {node: numbers.setdefault(fact, len(numbers)) for node, fact in step.items()}
        for step in facts
    ]
    rows = {name: {"keys": table.keys, "rows": table.rows} for name, table in tables.items()}
    data = told | {"passes": passes, "packed": {**rows, "facts": list(numbers), "said": said}}
    block = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return block.replace("<", "\\u003c")  # no text of a graph ends the script element
