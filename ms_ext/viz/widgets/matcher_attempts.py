"""Does a rule fit at this node? The engine's own steps, one after the other, each put into words.

Nothing is matched here: ``engine.patterns`` does that, and says why not.
"""

from dataclasses import dataclass, field

from ...engine.ir import clone, journal
from ...engine.patterns import Editor, Record, Refusal, rewrite_at
from ..drawing import labels
from .matcher_steps import Comparison, Parts, compared, stands_for, word
from .shapes_cases import said


@dataclass
class Attempt:
    """One rule tried at one node."""

    root: int
    name: str  # the node in words
    rule: str
    comparisons: list = field(default_factory=list)
    bound: dict = field(default_factory=dict)  # variable or label -> what it stands for, in words
    condition: str = ""  # what was asked and answered; empty if nothing was
    outcome: str = "no match"  # no match, refused, rewritten, stopped
    why: str = ""  # the sentence about the outcome


def attempts(graph, rules):
    """The attempts at every call of ``graph`` that a rule's output fits, in the engine's order."""
    found = []
    for node in reversed(graph.order()):
        for rule in rules:
            if node.primitive.name == rule.matcher.root:
                found.append(attempt(graph, node, rule))
                if found[-1].outcome == "rewritten":
                    break
    return found


def others(graph, rules):
    """(node in words, id, sentence) of each call at which no rule's output fits."""
    roots = [rule.matcher.root for rule in rules]
    for node in reversed(graph.order()):
        name = node.primitive.name
        if name in roots:
            continue
        if name.removesuffix("Ext") in roots:
            sentence = Refusal(node.id, "primitive", (name, name.removesuffix("Ext"))).sentence()
        else:
            known = list(dict.fromkeys(roots))
            several = f"No rule has {name} at its output."
            sentence = f"{name} is not {known[0]}." if len(known) == 1 else several
        yield word(node), node.id, sentence


def attempt(graph, root, rule):
    """Try ``rule`` at ``root``: step by step, then its condition, then what it would write."""
    parts = Parts(rule.matcher.pattern)
    tried = Attempt(root.id, word(root), rule.name)
    first = f"the output: {rule.matcher.root} wanted, {word(root)} found"
    tried.comparisons.append(Comparison(1, root.id, True, first))
    places = [root]
    for step, look in zip(rule.matcher.steps, rule.matcher.looks, strict=True):
        seen = len(places)
        try:
            why_not = step(places)
        except Exception as error:  # a condition of a variable is the learner's code
            tried.outcome, tried.why = "stopped", said(error)
            return tried
        tried.comparisons.append(compared(parts, look, places, rule.matcher, why_not is None, seen))
        if why_not is not None:
            tried.why = _sentence(rule, root, why_not)
            return tried
    tried.bound = {name: stands_for(places[at]) for name, at in rule.matcher.places.items()}
    _write(graph, root, rule, places, tried)
    return tried


def _sentence(rule, root, why_not):
    """The engine's refusal in the engine's words."""
    code, parent, index, wanted = why_not
    record = Record()
    record.refused(rule, root, code, parent, parent.inputs, index, wanted)
    return record.refusals()[0].sentence()


# what it would write ------------------------------------------------------------------------------


def _write(graph, root, rule, places, tried):
    """Let the engine rewrite a copy of the graph at this one place, and say what it did."""
    copy = clone(graph)
    new = _copied(graph, copy)
    user, slot = _use(new[root])
    record = Record()
    asked = rule.refuses is not None
    try:
        there = [_in(new, place) for place in places]
        done = rewrite_at(copy, rule, there, Editor(copy, rule.name, record))
    except Exception as error:  # the condition and the target are the learner's code
        tried.outcome, tried.why = "stopped", said(error)
        return
    if done:
        old = {copied.id: word(node) for node, copied in new.items()}
        tried.outcome, removed = "rewritten", record.matches()[0].removed
        tried.why = f"{word(root)} becomes {_expression(user.inputs[slot], old)}"
        tried.why += _what_went(rule, there, removed, old)
        tried.condition = "asked, and it says yes" if asked else ""
        return
    refused = [each for each in record.refusals() if each.root == new[root].id]
    tried.outcome = "refused"
    tried.why = refused[0].sentence() if refused else "The target is what stands there already."
    no = bool(refused) and refused[0].code in ("when", "no")
    tried.condition = f"asked, and it says {'no' if no else 'yes'}" if asked else ""


def _copied(graph, copy):
    """Each node of a graph -> the node of its copy."""
    new = dict(zip(graph.parameters, copy.parameters, strict=True))
    pairs = zip((*graph.order(), graph.result), (*copy.order(), copy.result), strict=True)
    for node, copied in pairs:
        new |= {node: copied, **dict(zip(node.inputs, copied.inputs, strict=True))}
    return new


def _in(new, place):
    """What a step found, in the copy: a node, the rest of the operands, or an attribute's value."""
    if isinstance(place, tuple):
        return tuple([_in(new, each) for each in place])
    return new.get(place, place) if hasattr(place, "abstract") else place


def _use(node):
    """A user of a node, and the operand that it is there."""
    user = next(iter(node.users))
    return user, user.inputs.index(node)


def _expression(node, old):
    """New calls written out down to the nodes that were there before."""
    if node.id in old:
        return old[node.id]
    if node.kind != "call":
        return labels.short(journal.row(node).label)
    return f"{node.primitive.name}({', '.join(_expression(used, old) for used in node.inputs)})"


def _what_went(rule, there, removed, old):
    """Which matched calls go with the output, and which stay because somebody else uses them."""
    inner = dict.fromkeys(there[at].id for at in rule.matcher.inner)
    gone = [old[each] for each in inner if each in removed]
    kept = [old[each] for each in inner if each not in removed]
    parts = f"; {_counted(gone, 'goes', 'go')}" if gone else ""
    stay = _counted(kept, "has other users and stays", "have other users and stay")
    return parts + (f"; {stay}" if kept else "")


def _counted(names, one, several):
    return f"{', '.join(names)} {one if len(names) == 1 else several}"
