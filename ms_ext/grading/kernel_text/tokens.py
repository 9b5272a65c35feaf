"""The words of a C text, each with its line; what includes do is taken for done."""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""\s+|//[^\n]*|/\*.*?\*/
    |(?P<text>"(?:\\.|[^"\\\n])*")|(?P<letter>'(?:\\.|[^'\\\n])')
    |(?P<number>0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?P<suffix>[uUlLfF]*)
    |(?P<word>[A-Za-z_]\w*)
    |(?P<sign><<=|>>=|\+\+|--|->|&&|\|\||==|!=|<=|>=|<<|>>|[-+*/%&|^]=|::|[-+*/%=<>!&|^~?:;,.(){}[\]])
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)[^\n]*", re.MULTILINE)
ENDS = {"n": 10, "t": 9, "0": 0, "\\": 92, "'": 39, '"': 34}


class NotRead(Exception):
    """What the text says is no C, or more of it than is read here."""

    def __init__(self, words, line):
        super().__init__(words)
        self.words, self.line = words, line


class Token(NamedTuple):
    """One word: its kind ("word", "sign", "number", "text", "letter", "end"), text and line."""

    kind: str
    text: str
    line: int
    value: object = None


def tokens(text):
    """All tokens of a text, the last one of kind "end".

    >>> [token.text for token in tokens("x += 2.5f; // more")]
    ['x', '+=', '2.5', ';', '']
    """
    text = _DIRECTIVE.sub(_only_includes(text), text)
    made, at, line = [], 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise NotRead(f"{text[at]!r} cannot stand here", line)
        if found.lastgroup:
            made.append(_token(found, line))
        line += found[0].count("\n")
        at = found.end()
    made = [t for t in made if t.text not in ("std", "::")]
    return [*made, Token("end", "", line)]


def _only_includes(text):
    def blank(found):
        if found[1] != "include":
            line = text.count("\n", 0, found.start()) + 1
            raise NotRead(f"#{found[1]} is not read by the checker, only #include is", line)
        return ""

    return blank


def _token(found, line):
    kind = "number" if found["number"] else found.lastgroup
    text = found[kind]
    value = None
    if kind == "number":
        value = _number(text, found["suffix"].lower())
    elif kind == "letter":
        value = ENDS[text[2]] if text[1] == "\\" else ord(text[1])
    elif kind == "text":
        value = re.sub(r"\\(.)", lambda m: chr(ENDS.get(m[1], ord(m[1]))), text[1:-1])
    return Token(kind, text, line, value)


def _number(text, suffix):
    if text[:2].lower() == "0x":
        return int(text, 16)
    if "f" in suffix or any(c in text for c in ".eE"):
        return float(text)
    return int(text)
