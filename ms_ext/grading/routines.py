"""What can be asked of a learner's answer? Runs in the learner's process, gives plain data."""

from ms_ext import ops  # noqa: F401 - graphs in text form name ops
from ms_ext.engine import ir, pipeline


def rewrite(answer, question):
    """Apply the learner's pass to a graph: the new graph as text, and why places were left."""
    graph = ir.load(question["graph"])
    record = pipeline.run_only(graph, [answer], watch=True)
    said = [refusal.sentence() for refusal in record.passes[0].refusals]
    return {"graph": ir.dump(graph), "refusals": said[:3]}


ROUTINES = {"rewrite": rewrite}
