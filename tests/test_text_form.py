"""Graphs as text: what is written is read back as the same graph, and anything else is refused."""

import random
import re

import pytest
from graph_texts import canonical, graph_of
from random_graphs import evaluate, random_graph, same_bits

from ms_ext.engine import errors
from ms_ext.engine.ir import dump, load
from ms_ext.engine.patterns import prune


def test_round_trips_are_isomorphic():
    for seed in range(40):
        graph, arguments = random_graph(seed)
        prune(graph)
        again = load(dump(graph))
        assert canonical(again) == canonical(graph), f"seed {seed}"
        assert same_bits(evaluate(graph, arguments), evaluate(again, arguments))


def test_reading_does_not_depend_on_the_numbers():
    graph, _ = random_graph(5)
    prune(graph)
    text = re.sub(r"([%@])(\d+)", lambda m: f"{m[1]}{int(m[2]) * 7 + 3}", dump(graph))
    assert canonical(load(text)) == canonical(graph)


VALUES = [
    "1: int",
    "-0.0: float",
    "true: bool",
    '{"float":"nan"}: float',
    '{"float":"-inf"}: float',
    "1e-300: float",
]


@pytest.mark.parametrize("value", VALUES)
def test_constants_come_back_as_they_were(value):
    text = f"graph f@1(%1 x: f32[2]) {{\n  %2 = Add(%1, {value}) : f32[2]\n  return %2\n}}"
    assert value in canonical(graph_of(text))


# hostile input ------------------------------------------------------------------------------------


def cut(text, chance):
    at = chance.randrange(len(text))
    return text[:at] + text[at + 1 + chance.randrange(8) :]


def insert(text, chance):
    at = chance.randrange(len(text))
    return text[:at] + chance.choice('%()[]{},:=@"0123456789-.eNaf \n\0é') + text[at:]


def swap_lines(text, chance):
    lines = text.split("\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def repeat_a_line(text, chance):
    lines = text.split("\n")
    lines.insert(chance.randrange(len(lines)), chance.choice(lines))
    return "\n".join(lines)


NUMBERS = ["0", "-1", "7", "99999999999999999999", "1e400", "null", "true", "[1]", '"x"', "{}"]
WORDS = ["If", "While", "For", "Call", "Return", "MakeTuple", "TupleGetItem", "Add", "Transpose"]
WORDS += ["Select", "ReduceSum", "Reshape", "Split", "Concat", "Gather", "Nothing"]


def other_number(text, chance):
    return replaced(text, r"-?\d+", NUMBERS, chance)


def other_word(text, chance):
    return replaced(text, r"[A-Z][a-zA-Z]+", WORDS, chance)


def replaced(text, what, by, chance):
    found = chance.choice(list(re.finditer(what, text)))
    return text[: found.start()] + chance.choice(by) + text[found.end() :]


def end_early(text, chance):
    return text[: chance.randrange(len(text))]


DAMAGES = [cut, insert, swap_lines, repeat_a_line, other_number, other_word, end_early]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_text_is_read_or_refused(damage):
    refused, chance = 0, random.Random(damage.__name__)
    for seed in range(60, 66):
        graph, _ = random_graph(seed)
        prune(graph)
        text = dump(graph)
        for _ in range(25):
            try:
                load(damage(text, chance))
            except errors.MsExtError:
                refused += 1
    assert refused > 10


def unary(line):
    """A graph of one line, which makes %2."""
    return f"ms_ext graph 1\ngraph f@1(%1 x: f32[2]) {{\n  {line}\n  return %2\n}}\n"


LOOP = '%2 = For(3: int, %1) {"carried":-1,"scanned":0} : f32[2]'
HOSTILE = {
    "nothing": "",
    "not text": 3,
    "a later version": "ms_ext graph 2\n",
    "code": "ms_ext graph 1\n__import__('os').system('true')\n",
    "no end": "ms_ext graph 1\ngraph f@1(%1 x: f32[2]) {\n",
    "no graph id": "ms_ext graph 1\ngraph f(%1 x: f32[2]) {\n  return %1\n}\n",
    "used before": unary("%2 = Neg(%3) : f32[2]"),
    "wrong type": unary("%2 = Neg(%1) : f32[3]"),
    "unknown op": unary("%2 = Negg(%1) : f32[2]"),
    "operands": unary("%2 = Neg(%1, %1) : f32[2]"),
    "attribute": unary('%2 = Neg(%1) {"a":1} : f32[2]'),
    "return inside": unary("%2 = Return(%1) : f32[2]"),
    "deep type": unary("%2 = Neg(%1) : " + "(" * 10000),
    "deep value": unary("%2 = Neg(" + "[" * 100000),
    "called": unary("%2 = Call@9(%1) : f32[2]"),
    "carried": unary(LOOP + "\nb(%3 i: int, %4 a: f32[2]) {\nreturn %4\n}"),
}


def test_hostile_text_is_refused(golden):
    told = []
    for title, text in HOSTILE.items():
        with pytest.raises(errors.MsExtError) as caught:
            load(text)
        told.append(f"[{title}] {caught.value}\n")
    golden("text_refused.txt", re.sub(r"%\d+", "%N", "\n".join(told)))


def test_regions_nested_too_deep_are_refused():
    deep = 400
    lines = ["ms_ext graph 1", "graph f@1(%1 c: bool[], %2 x: f32[]) {"]
    for _ in range(deep):
        lines += ["%3 = If(%1, %1, %2) : f32[]", "yes(%1 c: bool[], %2 x: f32[]) {"]
    lines += [
        "return %2",
        "}",
        "no(%1 c: bool[], %2 x: f32[]) {",
        "return %2",
        "}",
        "return %3",
        "}",
    ] * deep
    with pytest.raises(errors.InvalidValue, match="nested deeper"):
        load("\n".join(lines))
