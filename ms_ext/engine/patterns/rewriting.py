"""How are rules applied until none fits? A list of places to look at, filled once, outputs first.

After a rewriting only what it can have changed is looked at again: the new calls, those that use
them, and the last user of a value that lost the others.

A pass that never ends is stopped: nodes made by rewriting nodes made by rewriting ... more often
than there are nodes in the graph. The rules of that chain are named.
"""

import functools

from .. import errors
from ..ir import ERASED

SPARE = 100
WAITING = -2  # the mark of a node that is in the list
FEW = 4  # a pass of more rules notes what its conditions refuse, not every near miss


def rewrite(graph, rules, editor):
    """Apply ``rules`` to ``graph`` until none fits."""
    drive = _Drive(graph, rules, editor)
    while drive.stack:
        node = drive.stack.pop()
        if node.mark != ERASED:
            node.mark = 0
            drive.visit(node)


def rewrite_at(graph, rule, places, editor):
    """Rewrite at the one place where ``rule`` fits, unless its condition or the types say no.

    Whether it did; the editor's record has the rest. Elsewhere nothing is looked at.
    """
    return _Drive(graph, [rule], editor).apply(rule, places[0], places)


@functools.lru_cache(maxsize=64)
def _indexed(rules):
    """Rules by the op of their root, whether one has a condition, how far below a root they look.

    Kept, as a program of many branches is rewritten one small graph at a time.
    """
    index = {}
    for rule in rules:
        index.setdefault(rule.matcher.root, []).append(rule)
    asks = any(rule.refuses is not None for rule in rules)
    return index, asks, max((rule.matcher.depth for rule in rules), default=1) - 1


class _Drive:
    """One run: ``stack`` holds the calls to look at, ``made`` what was made from what by which
    rule."""

    def __init__(self, graph, rules, editor):
        self.graph, self.editor, self.record = graph, editor, editor.record
        self.near = self.record if len(rules) <= FEW else None
        self.index, self.asks, self.reach = _indexed(tuple(rules))
        self.made = {}
        nodes = graph.order()
        self.limit = SPARE + len(nodes)
        self.stack = [n for n in nodes if n.primitive.name in self.index]
        for node in self.stack:
            node.mark = WAITING
        if self.near is not None:
            self.note_relatives(nodes)

    def visit(self, root):
        """Rewrite at ``root`` by the first rule that fits."""
        for rule in self.index[root.primitive.name]:
            places = [root]
            for step in rule.matcher.steps:
                why_not = step(places)
                if why_not is not None:
                    if self.near is not None:
                        self.almost(rule, root, *why_not)
                    break
            else:
                if self.apply(rule, root, places):
                    return

    def apply(self, rule, root, places):
        """The pattern fits: rewrite, unless the condition or the types say no; whether it did."""
        if rule.refuses is not None:
            sentence = rule.refuses(places)
            if sentence is not None:
                return self.left(rule, root, sentence)
        new, made = rule.build(self.graph, places)
        if new.abstract is not root.abstract:
            self.undo(new, made)
            return self.missed(rule, root, "type", new.abstract, root.abstract)
        if new is root:
            return False
        self.graph.replace(root, new)
        gone = self.editor.sweep(root)
        if made and (made[0] is not new or len(made) > 1):
            self.undo(new, made)
        self.editor.matched(rule, root, places, gone, made)
        self.look_again(rule, root, new, made, gone)
        return True

    def look_again(self, rule, root, new, made, gone):
        """Put on the list what a rewriting can have changed."""
        index, again = self.index, [*new.users]
        for node in made:
            if node.primitive.name in index:
                self.remember(rule, root, node)
                again.append(node)
        near = again
        for _ in range(self.reach - 1):
            near = [user for node in near for user in node.users]
            again += near
        for node in gone if self.asks else ():
            for used in node.inputs:
                if len(used.users) == 1:
                    again += used.users
        for node in again:
            if node.primitive.name in index and node.mark != WAITING:
                node.mark = WAITING
                self.stack.append(node)

    def undo(self, new, made):
        """Remove what a target wrote and nothing uses."""
        for node in (*made, new):
            if not node.users:
                self.editor.sweep(node)

    # what is noted --------------------------------------------------------------------------------

    def left(self, rule, root, sentence):
        """The condition said no, with a sentence or without."""
        if not sentence:
            return self.missed(rule, root, "no")
        if self.record is not None:
            self.record.refused(rule, root, "when", sentence)
        return False

    def almost(self, rule, root, code, parent, index, wanted):
        """The pattern did not fit; the operands of that moment are part of why."""
        self.near.refused(rule, root, code, parent, parent.inputs, index, wanted)

    def missed(self, rule, root, code, *data):
        """The root fitted and something else did not."""
        if self.near is not None:
            self.near.refused(rule, root, code, *data)
        return False

    def note_relatives(self, nodes):
        """AddExt is not Add, and a learner who wonders should be told."""
        for node in nodes:
            name = node.primitive.name
            for rule in (
                self.index.get(name.removesuffix("Ext"), ()) if name.endswith("Ext") else ()
            ):
                self.near.refused(rule, node, "primitive", name, rule.matcher.root)

    def remember(self, rule, root, node):
        """Which rule made ``node``, and from what: the chain that must not become endless."""
        before = self.made.get(root)
        count = before[0] + 1 if before else 1
        if count > self.limit:
            raise self.endless(rule, before)
        self.made[node] = (count, rule, before)

    def endless(self, rule, link):
        """The error of a pass that never ends: which rules take turns, and what they make."""
        rules = [rule]
        while link is not None and len(rules) < 40:
            rules.append(link[1])
            link = link[2]
        names = list(dict.fromkeys(r.name for r in rules))
        chain = " -> ".join(r.matcher.root for r in reversed(rules[:4]))
        if len(names) == 1:
            fault = f"the rule {names[0]!r} rewrites its own result again and again."
        else:
            fault = f"the rules {' and '.join(map(repr, sorted(names)))} undo each other."
        return errors.NotRunnable(
            f"The pass {self.editor.pass_name!r} never ends: {fault}",
            given=f"after {self.editor.done} rewritings, at one place: ... {chain} -> ...",
            hint="Let `when` refuse one of them, or give the target fewer nodes than the source.",
        )
