"""The pass explorer: what it says, draws and writes as a page, for graphs of 24 to 10,000 nodes.

Two sources: invented records (tests/viz_records.py: flat, five passes of which three change much),
and stacks of transformer blocks as Cells with their gradient, compiled with a pass added (scopes).
"cold": nothing was laid out before; "cached": the same panel made again; "processor": seconds of
all cores for a cold one, which tell more on a busy machine. The times are the panel's; reading and
compiling the function comes before.
"""

import os
import sys
import time
from pathlib import Path

import numpy as np

import ms_ext as ms
from benchmarks import measure
from ms_ext import nn, ops, viz
from ms_ext.engine import jit
from ms_ext.viz.drawing import layout

ROUNDS = 3
BLOCKS = {24: 1, 90: 5, 277: 16, 882: 52, 3000: 176, 10_000: 588}  # of the invented records
LAYERS = (1, 2, 4, 12, 24, 80)  # of the networks
#: Nodes up to which a promise holds: seconds for the first panel, MB of its page.
PROMISES = {60: (0.2, 1.5), 300: (2.0, 1.5), 1000: (5.0, 2.0), 3000: (3.0, 2.0)}


def norm(x):
    """Every row with mean 0 and variance 1."""
    centred = x - x.mean(-1, keep_dims=True)
    return centred / ops.sqrt((centred * centred).mean(-1, keep_dims=True) + 1e-5)


class Attention(nn.Cell):
    """One head."""

    def __init__(self, width):
        super().__init__()
        self.query, self.key = nn.Dense(width, width), nn.Dense(width, width)
        self.value, self.out = nn.Dense(width, width), nn.Dense(width, width)

    def construct(self, x):
        """Rows mixed by how much they have in common."""
        weights = ops.softmax(ops.matmul(self.query(x), self.key(x).T) * 0.35)
        return self.out(ops.matmul(weights, self.value(x)))


class Block(nn.Cell):
    """Attention and two dense layers, each beside a residual."""

    def __init__(self, width):
        super().__init__()
        self.attention = Attention(width)
        self.up, self.down = nn.Dense(width, 2 * width), nn.Dense(2 * width, width)

    def construct(self, x):
        """The Neg is there for a pass to find."""
        x = x + self.attention(norm(x))
        return x + (-self.down(ops.gelu(self.up(norm(x)))))


class Stack(nn.Cell):
    """Blocks one after another, and a head."""

    def __init__(self, layers, width=8):
        super().__init__()
        self.layers = nn.CellList([Block(width) for _ in range(layers)])
        self.head = nn.Dense(width, 4)

    def construct(self, x):
        """The last block's rows, normed, through the head."""
        for layer in self.layers:
            x = layer(x)
        return self.head(norm(x))


def invented(blocks):
    """A record without an engine behind it."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from viz_records import transformer

    return transformer(blocks)


def compiled(layers):
    """The passes over a network's gradient."""
    net, x = Stack(layers), ms.Tensor(np.ones((4, 8), np.float32))
    return jit.explain(ms.grad(lambda x: net(x).sum()), x, passes=["add_neg_to_sub"])


def stages(record):
    """(seconds of what is said, of the pictures, of the page; its MB) of one panel."""
    start = time.perf_counter()
    panel = viz.passes(record)
    said = time.perf_counter()
    for index in range(len(panel.steps)):
        panel.pictures(index)
    drawn = time.perf_counter()
    page = panel.html()
    ended = time.perf_counter()
    return said - start, drawn - said, ended - drawn, len(page.encode()) / 1e6


def processor():
    """Seconds this process and those it started have worked."""
    return sum(os.times()[:4])


def row(record):
    """The cells of the table for one record."""
    viz.passes(record).html()  # imports
    cold, cached, worked = [], [], []
    for _ in range(ROUNDS):
        layout._seen.clear()
        before = processor()
        cold.append(stages(record))
        worked.append(processor() - before)
        cached.append(stages(record))
    nodes = max(len(step.union.changes) for step in viz.passes(record).steps)
    said, drawn, written, size = map(min, zip(*cold, strict=True))
    whole, again = (min(sum(each[:3]) for each in several) for several in (cold, cached))
    limit = next((held for most, held in PROMISES.items() if nodes <= most), (3.0, 2.0))
    kept = "yes" if whole <= limit[0] and size <= limit[1] else "NO"
    times = [measure.shown(each) for each in (said, drawn, written, whole, min(worked), again)]
    return [f"{nodes:,}", *times, f"{size:.2f} MB", f"{limit[0]:g} s, {limit[1]:g} MB: {kept}"]


def main():
    """Print a table per source."""
    for title, make, sizes in (
        ("invented records", invented, BLOCKS.values()),
        ("stacks of blocks with their gradient", compiled, LAYERS),
    ):
        print(f"\n### {title}\n")
        print(
            "| nodes | said | drawn | written | cold in all | processor | cached | page | promise |"
        )
        print("|---|---|---|---|---|---|---|---|---|")
        for size in sizes:
            print(f"| {' | '.join(row(make(size)))} |", flush=True)


if __name__ == "__main__":
    main()
