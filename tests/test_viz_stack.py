"""The map of one program: six layers, each with the number that its own view has."""

import re
import time

import numpy as np

import ms_ext as ms
from ms_ext import Tensor, ops, viz
from ms_ext.engine import backends

x = Tensor(np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4))


def source(x, y):
    return ops.Add(x, ops.Neg(y))


def target(x, y):
    return ops.Sub(x, y)


def centred(x):
    c = x + (-ops.mean(x, -1, True))
    return ops.exp(c * c)


def layers(function, *args, **options):
    return {layer.name: layer for layer in viz.stack(function, *args, **options).layers}


def test_the_numbers_are_those_of_the_views():
    found = layers(centred, x, passes=[(source, target)])
    record = viz.passes(centred, x, passes=[(source, target)]).record
    assert found["Python"].number == "2 lines"
    assert found["graph"].number == f"{len(ms.graph.trace(centred, x).order())} calls"
    assert found["passes"].number == f"5 → {len(record.graph.order())} calls"
    blocks = [each for each in backends.build("", record.graph).listing() if each.kind]
    assert found["backend"].number.startswith(f"{len(blocks)} block")
    shares = {line.split()[0]: int(line.split()[1][:-1]) for line in found["stages"].lines}
    busiest, share = found["stages"].number.split()
    assert list(shares) == ["PyTask", "FrontendTask", "DeviceTask", "LaunchTask"]
    assert shares[busiest] == max(shares.values()) == int(share[:-1])
    assert found["timeline"].about.startswith(f"5 calls in {found['timeline'].number}")


def test_the_compiled_half_is_as_it_was_read(golden):
    text = viz.stack(centred, x, passes=[(source, target)]).text()
    half = text.partition("\nbackend:")[0]
    seen = {}
    half = re.sub(r"[%@]\d+", lambda m: seen.setdefault(m[0], f"{m[0][0]}{len(seen) + 1}"), half)
    golden("viz/stack.txt", re.sub(r"(?m)^(    [▸ ]) +\d+ ", r"\1 ", half) + "\n")


def test_it_is_light():
    def tower(x):
        for _ in tuple(range(80)):  # read turn by turn
            x = ops.tanh(x) * 0.5 + x
        return x

    viz.stack(tower, x).html()
    begin = time.process_time()
    page = viz.stack(tower, x).html()
    assert time.process_time() - begin < 1.5
    assert len(page) < 300_000
    assert "Showing" in page and "Drawn are the first 60 calls." in page


def test_what_cannot_be_read_still_runs():
    def unread(x):
        try:
            return ops.exp(x)
        finally:
            pass

    found = layers(unread, x)
    assert found["graph"].number == "not read"
    assert found["timeline"].about.startswith("1 call in")


def test_what_fails_says_why_in_every_layer():
    def fails(x):
        raise ValueError("<i>no</i>")

    shown = viz.stack(fails, x)
    assert [layer.number for layer in shown.layers] == ["not read"] * 4 + ["did not run"] * 2
    assert "<i>no" not in shown.html() and "&lt;i>no" in shown.html().replace("&gt;", ">")


def test_a_function_without_ops_and_a_compiled_one():
    found = layers(lambda x: x, x)
    assert found["graph"].number == "0 calls" and found["timeline"].number == "no call"
    assert layers(ms.jit(centred), x)["timeline"].about.startswith("5 calls in")


def test_the_page_needs_no_script():
    page = viz.stack(centred, x).html()
    assert page.count('class="layer"') == 6 and page.count("<summary>") == 8
    assert not re.search(r'<[a-z]+[^>]* id="', page)
