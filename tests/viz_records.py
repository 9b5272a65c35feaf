"""Pipelines invented for the tests of the panel: rows and journals, no engine behind them."""

import itertools
from typing import NamedTuple

from ms_ext.engine.ir.journal import Row, replay
from ms_ext.engine.ir.node import Where
from ms_ext.engine.patterns.records import Match, NodeId, Refusal
from ms_ext.engine.pipeline import Cost


class PassRecord(NamedTuple):
    name: str
    doc: str
    journal: list
    matches: list
    refusals: list
    seconds: float
    cost_before: Cost
    cost_after: Cost


class Record:
    """What ``jit.explain`` returns, as far as a viewer reads it."""

    def __init__(self, name, listing):
        self.name, self.listing, self.passes, self.graph = name, listing, [], None

    def listing_after(self, count):
        rows = self.listing
        for each in self.passes[:count]:
            rows = replay(rows, each.journal)
        return rows


class Rows:
    """Writes listings and journals."""

    def __init__(self):
        self.rows, self.lines, self.ids = {}, [], itertools.count(1)
        self.line = itertools.count(10)

    def add(
        self, kind, op, inputs=(), abstract="f32[32,768]", name=None, graph=1, attrs="", graphs=(),
        scope="",
    ):  # fmt: skip
        if any(i in self.rows and self.rows[i].abstract == "State" for i in inputs):
            abstract = "State" if op == "Print" else abstract
        flops = {"MatMul": 2 * 32 * 768 * 768}.get(op, 32 * 768 if kind == "call" else 0)
        where = cost = None
        if kind == "call":
            where = Where("/home/me/model.py", next(self.line), text=f"y = {op.lower()}(...)")
            cost = (flops, 4 * 32 * 768 * (1 + len(inputs)))
        if cost is None or graphs or op == "Return":
            cost = (0, 0)
        row = Row(
            next(self.ids), kind, op, tuple(inputs), abstract, name, where, graph, attrs, 0,
            tuple(graphs), cost, scope,
        )  # fmt: skip
        self.rows[row.id] = row
        self.lines.append(("add", row))
        return row.id

    def parameter(self, name, abstract="f32[32,768]", graph=1):
        return self.add("parameter", "Parameter", (), abstract, name, graph)

    def constant(self, text, abstract="float", graph=1):
        return self.add("constant", text, (), abstract, None, graph)

    def call(self, op, *inputs, **more):
        return self.add("call", op, inputs, **more)

    def erase(self, node):
        self.lines.append(("erase", self.rows.pop(node)))

    def replace(self, old, new):
        for row in list(self.rows.values()):
            if old in row.inputs:
                changed = row._replace(inputs=tuple(new if i == old else i for i in row.inputs))
                self.lines.append(("rewired", row, changed))
                self.rows[row.id] = changed

    def take(self):
        lines, self.lines = self.lines, []
        return lines

    def cost(self):
        calls = [r for r in self.rows.values() if r.kind == "call" and r.op != "Return"]
        moved = sum(r.cost[1] for r in calls)
        return Cost(
            len(calls),
            sum(len(r.inputs) for r in calls),
            sum(r.cost[0] for r in calls),
            moved,
            moved // 3,
        )


def step(record, rows, name, doc, edit):
    """Run ``edit(rows)`` as a pass; it returns (matches, refusals)."""
    before = rows.cost()
    matches, refusals = edit(rows) or ((), ())
    record.passes.append(
        PassRecord(
            name, doc, rows.take(), list(matches), list(refusals), 0.00022, before, rows.cost()
        )
    )


def _block(rows, x, layer):
    """15 nodes of a transformer-like block and what is between them."""
    w0 = rows.parameter(f"w{layer}", "f32[768,768]")
    b0 = rows.parameter(f"b{layer}", "f32[768]")
    normed = rows.call("LayerNorm", x)
    q, k = rows.call("MatMul", normed, w0), rows.call("MatMul", normed, w0)
    scores = rows.call("MatMul", q, k, abstract="f32[32,32]")
    half = rows.constant("0.125")
    soft = rows.call(
        "Softmax", rows.call("Mul", scores, half, abstract="f32[32,32]"), abstract="f32[32,32]"
    )
    mixed = rows.call("MatMul", soft, normed)
    gelu = rows.call("Gelu", rows.call("BiasAdd", rows.call("MatMul", mixed, w0), b0))
    negative = rows.call("Neg", gelu)
    return rows.call("Add", rows.call("Mul", rows.call("Add", x, negative), half), x)


def transformer(blocks):
    """A record with a fusion, a subtraction, cse, and passes that change nothing."""
    rows = Rows()
    x = rows.parameter("x")
    value = x
    for layer in range(blocks):
        value = _block(rows, value, layer)
    rows.call("Return", value)
    record = Record("block", dict(rows.rows))
    rows.take()
    step(record, rows, "inline", "put called graphs in place", lambda rows: None)
    step(record, rows, "cse", "the same call on the same inputs once", _cse)
    doc = "gelu(x @ w + b)  ->  FusedMatMulBiasGelu(x, w, b)"
    step(record, rows, "fuse_matmul_bias_gelu", doc, _fuse)
    step(record, rows, "add_neg_to_sub", "x + (-y)  ->  x - y", _subtract)
    step(record, rows, "dce", "remove what Return does not reach", lambda rows: None)
    return record


def scoped(blocks):
    """Blocks that are scopes, "layers.0", ..., a "head", and a pass that changes them all."""
    rows = Rows()
    value = rows.parameter("x")
    for layer in range(blocks):
        value = _scoped_block(rows, value, f"layers.{layer}")
    for op in ("MatMul", "Softmax"):
        value = rows.call(op, value, value, scope="head")
    rows.call("Return", value)
    record = Record("scoped", dict(rows.rows))
    rows.take()
    step(record, rows, "add_neg_to_sub", "x + (-y)  ->  x - y", _subtract)
    step(record, rows, "dce", "remove what Return does not reach", lambda rows: None)
    return record


def _scoped_block(rows, x, scope):
    """Seven calls and a weight; the last two become one."""
    value = rows.call("MatMul", x, rows.constant("0.5"), scope=scope)
    for op in ("Tanh", "Exp", "Sqrt"):
        value = rows.call(op, value, scope=scope)
    negative = rows.call("Neg", rows.call("Mul", value, value, scope=scope), scope=scope)
    return rows.call("Add", value, negative, scope=scope)


def _cse(rows):
    known, matches = {}, []
    for row in list(rows.rows.values()):
        row = rows.rows[row.id]
        if row.kind == "call":
            first = known.setdefault((row.op, row.inputs), row.id)
            if first != row.id:
                rows.replace(row.id, first)
                rows.erase(row.id)
                matches.append(Match(row.id, {}, (row.id,), (), "same call"))
    return matches, ()


def _fuse(rows):
    matches = []
    for gelu in [r for r in rows.rows.values() if r.op == "Gelu"]:
        bias = rows.rows[gelu.inputs[0]]
        product = rows.rows[bias.inputs[0]]
        fused = rows.call("FusedMatMulBiasGelu", *product.inputs, bias.inputs[1])
        rows.replace(gelu.id, fused)
        for gone in (gelu.id, bias.id, product.id):
            rows.erase(gone)
        stood = (product.inputs[0], product.inputs[1], bias.inputs[1])
        bindings = {name: NodeId(node) for name, node in zip("xwb", stood, strict=True)}
        matches.append(
            Match(gelu.id, bindings, (gelu.id, bias.id, product.id), (fused,), "gelu(x @ w + b)")
        )
    return matches, ()


def _subtract(rows):
    matches, refusals = [], []
    for add in [r for r in rows.rows.values() if r.op == "Add"]:
        second = rows.rows[add.inputs[1]]
        if second.op != "Neg":
            why = f"Add matched, but its second operand is {second.op}, not Neg."
            refusals.append(Refusal(add.id, "said", (why,), "", second.id, 1, add.id))
            continue
        new = rows.call("Sub", add.inputs[0], second.inputs[0], scope=add.scope)
        rows.replace(add.id, new)
        rows.erase(add.id)
        rows.erase(second.id)
        stood = {"x": NodeId(add.inputs[0]), "y": NodeId(second.inputs[0])}
        matches.append(Match(add.id, stood, (add.id, second.id), (new,), "x + (-y)"))
    return matches, refusals


def control():
    """A While with a nested If, a For that runs backwards, and a pass that changes the inside."""
    rows = Rows()
    x, n = rows.parameter("x", "f32[4]"), rows.parameter("n", "i64[]")
    zero = rows.constant("0", "int")
    _condition(rows)
    inside = _body(rows)
    results = "(f32[4], int, Stack(f32[4]))"
    loop = rows.call("While", x, zero, n, abstract=results, attrs="carried=2", graphs=(2, 3))
    s = rows.call("TupleGetItem", loop, abstract="f32[4]", attrs="index=0")
    stack = rows.call("TupleGetItem", loop, abstract="Stack(f32[4])", attrs="index=2")
    _reversed_body(rows)
    attrs = "carried=1, scanned=1, reverse=True"
    back = rows.call("For", n, s, stack, abstract="f32[4]", attrs=attrs, graphs=(6,))
    rows.call("Return", rows.call("Mul", back, x, abstract="f32[4]"), abstract="f32[4]")
    record = Record("loops", dict(rows.rows))
    rows.take()

    def simplify(rows):
        gone = rows.rows[inside]
        new = rows.call("Square", gone.inputs[0], abstract="f32[4]", graph=4)
        rows.replace(inside, new)
        rows.erase(inside)
        return [Match(inside, {"x": NodeId(gone.inputs[0])}, (inside,), (new,), "x * x")], ()

    step(record, rows, "square", "x * x  ->  square(x)", simplify)
    return record


def _condition(rows):
    _, i, n = (rows.parameter(p, t, 2) for p, t in (("s", "f32[4]"), ("i", "int"), ("n", "i64[]")))
    rows.call(
        "Return", rows.call("Less", i, n, abstract="bool[]", graph=2), abstract="bool[]", graph=2
    )


def _body(rows):
    s, i, n = (rows.parameter(p, t, 3) for p, t in (("s", "f32[4]"), ("i", "int"), ("n", "i64[]")))
    one = rows.constant("1", "int", 3)
    test = rows.call("Greater", i, one, abstract="bool[]", graph=3)
    a = rows.parameter("s", "f32[4]", 4)
    inside = rows.call("Mul", a, a, abstract="f32[4]", graph=4)
    rows.call("Return", inside, abstract="f32[4]", graph=4)
    b = rows.parameter("s", "f32[4]", 5)
    rows.call("Return", rows.call("Sin", b, abstract="f32[4]", graph=5), abstract="f32[4]", graph=5)
    branch = rows.call("If", test, s, abstract="f32[4]", graphs=(4, 5), graph=3)
    following = rows.call("Add", i, one, abstract="int", graph=3)
    rows.call("Return", branch, following, s, abstract="(f32[4], int, f32[4])", graph=3)
    del n
    return inside


def _reversed_body(rows):
    rows.parameter("i", "i64[]", 6)
    d, kept = rows.parameter("ds", "f32[4]", 6), rows.parameter("s", "f32[4]", 6)
    rows.call(
        "Return", rows.call("Mul", d, kept, abstract="f32[4]", graph=6), abstract="f32[4]", graph=6
    )


HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(1)> '&]]></title></style>"


def hostile():
    rows = Rows()
    x = rows.parameter(HOSTILE, HOSTILE)
    rows.call("Return", rows.call(HOSTILE, x, rows.constant(HOSTILE), attrs=HOSTILE, name=HOSTILE))
    record = Record(HOSTILE, dict(rows.rows))
    rows.take()

    def rename(rows):
        new = rows.call("Neg", x, attrs=HOSTILE)
        rows.replace(3, new)
        rows.erase(3)

    step(record, rows, HOSTILE, HOSTILE, rename)
    return record
