"""More invented pipelines: every call made again, and a constant with a sign that goes."""

from viz_records import Record, Rows, step


def replaced(calls, passes):
    """A chain of calls, and passes that put new ones in the place of all of them."""
    rows = Rows()
    value = rows.parameter("x")
    for _ in range(calls):
        value = rows.call("Tanh", value)
    rows.call("Return", value)
    record = Record("replaced", dict(rows.rows))
    rows.take()

    def again(rows):
        for old in [row for row in rows.rows.values() if row.op == "Tanh"]:
            rows.replace(old.id, rows.call("Tanh", *rows.rows[old.id].inputs))
            rows.erase(old.id)

    for number in range(passes):
        step(record, rows, f"again_{number}", "every call is made again", again)
    return record


def negated():
    """x * -1, which a pass makes a Neg: a constant with a sign goes."""
    rows = Rows()
    x, minus = rows.parameter("x"), rows.constant("-1", "int")
    product = rows.call("Mul", x, minus)
    rows.call("Return", product)
    record = Record("negated", dict(rows.rows))
    rows.take()

    def to_neg(rows):
        rows.replace(product, rows.call("Neg", x))
        rows.erase(product)
        rows.erase(minus)

    step(record, rows, "minus_one", "x * -1  ->  -x", to_neg)
    return record
