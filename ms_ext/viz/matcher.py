"""``viz.matcher(source, target, when, f, *args)``: why a pattern fits at a node, or why not.

Every step is the engine's own: which part of the pattern is compared with which node, what the
variables stand for, what the condition answers, and what would be written.

>>> from ms_ext import ops, Tensor
>>> shown = matcher(lambda x: ops.Neg(ops.Neg(x)), lambda x: x, True, lambda a: -a, Tensor(1.0))
>>> [each.why for each in shown.attempts]
['Neg matched, but its first operand is the parameter a, not Neg.']
"""

from ..engine import errors, jit, passes, pipeline
from ..engine.ir import clone
from ..engine.patterns import Rule, prune
from .card import Card
from .widgets import matcher_page
from .widgets.matcher_attempts import attempts, others
from .widgets.shapes_cases import said


class Matching(Card):
    """The attempts at every node; ``attempts`` is the content as data."""

    def __init__(self, rules, graph, before):
        self.rules, self.graph, self.before = rules, graph, before
        graphs = graph.all_graphs()
        self.attempts = [one for each in graphs for one in attempts(each, rules)]
        self.others = [one for each in graphs for one in others(each, rules)]
        self.ending = _ending(rules, graph)
        fits = sum(1 for each in self.attempts if each.outcome == "rewritten")
        count = sum(len(each.order()) for each in graphs)
        listed = rules[0] if len(rules) == 1 else f"{len(rules)} rules"
        plural = "s" * (count != 1)
        self.title = f"{listed}, on {graph.name}: {count} call{plural}, {fits} rewritten"

    def text(self):
        """Every attempt, comparison by comparison."""
        return matcher_page.page(self)

    def html(self):
        """The pattern beside the graph, with the comparisons to step through."""
        return matcher_page.card(self)


def matcher(source, *more):
    """How the rule (``source``, ``target``, ``when``) is tried at every call of ``f`` on ``args``.

    ``viz.matcher(source, target, when, f, *args)``; ``when`` may be True. In place of the three:
    a rule, a pass of rules or a pass in MindSpore's shape: ``viz.matcher(rule, f, *args)``. ``f``
    may be a FuncGraph. The passes before an added one run first, as in ``viz.passes``.
    """
    rules, rest = _rules(source, more)
    if not rest:
        raise errors.InvalidType(
            "There is no function to look for the pattern in.",
            given=f"{len(more) + 1} argument(s)",
            hint="viz.matcher(source, target, when, f, *args), or viz.matcher(rule, f, *args)",
        )
    function, *args = rest
    if hasattr(function, "all_graphs"):
        graph, before = clone(function), ()
        prune(graph)
    else:
        graph = jit.trace(function, *args)
        before = _before(source)
        pipeline.run_only(graph, before)
    return Matching(rules, graph, before)


def _rules(source, more):
    """(the rules, what comes after them) of the arguments."""
    if isinstance(source, Rule):
        return [source], more
    plain = callable(source) and not isinstance(source, type) and not hasattr(source, "as_rule")
    if plain and not hasattr(source, "rules") and len(more) > 1:
        return list(passes.find((source, *more[:2])).rules), more[2:]
    rules = passes.find(source).rules
    if not rules:
        raise errors.InvalidType(
            "This pass has no pattern: it walks the graph by itself.",
            given=f"{source!r:.60}",
            hint="viz.passes(f, *args, passes=[...]) shows what it changes.",
        )
    return list(rules), more


def _before(source):
    """The passes that run before: of a pass of the library those in front of it."""
    name = source if isinstance(source, str) else getattr(source, "name", "")
    order = pipeline.DEFAULT
    return order[: order.index(name) if name in order else -len(pipeline.CLEANING)]


def _ending(rules, graph):
    """What comes of it when the pass is run to its end on a copy: one sentence."""
    copy = clone(graph)
    try:
        record = pipeline.run_only(copy, [passes.of_rules(rules, rules[0].name)], watch=True)
    except Exception as error:  # an endless pass, or what the learner's code raises
        return f"Run to its end, the pass stops: {said(error)}"
    done = record.passes[0]
    times = f"{len(done.matches)} time{'s' * (len(done.matches) != 1)}"
    calls = f"{done.cost_before.nodes} → {done.cost_after.nodes} calls"
    return f"Run to its end, the pass rewrites {times}: {calls}."
