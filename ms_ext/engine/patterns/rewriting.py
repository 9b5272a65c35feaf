"""How are rules applied until none fits? A list of places to look at, filled once, outputs first.

After a rewriting only what it can have changed is looked at again: the new calls, those that use them,
and the last user of a value that lost the others.

A pass that never ends is stopped: nodes made by rewriting nodes made by rewriting ... more often than
there are nodes in the graph. The rules of that chain are named.
"""

from .. import errors
from ..ir import ERASED

SPARE = 100


def rewrite(graph, rules, editor):
    """Apply ``rules`` to ``graph`` until none fits."""
    _Drive(graph, rules, editor).run()


class _Drive:
    """One run: ``stack`` holds the calls to look at, ``made`` who was made from whom by which rule."""

    def __init__(self, graph, rules, editor):
        self.graph, self.editor, self.record = graph, editor, editor.record
        self.index, self.made = {}, {}
        for rule in rules:
            self.index.setdefault(rule.matcher.root, []).append(rule)
        self.reach = max((rule.matcher.depth for rule in rules), default=1) - 1
        nodes = graph.order()
        self.limit = SPARE + len(nodes)
        self.stack = [n for n in nodes if n.primitive.name in self.index]
        self.waiting = set(self.stack)
        if self.record is not None:
            self.note_relatives(nodes)

    def run(self):
        """Look at every place; outputs first."""
        stack, waiting, index = self.stack, self.waiting, self.index
        while stack:
            node = stack.pop()
            waiting.discard(node)
            if node.mark == ERASED:
                continue
            for rule in index[node.primitive.name]:
                if self.apply(rule, node):
                    break

    def apply(self, rule, root):
        """Rewrite at ``root`` if the rule fits; whether it did."""
        places = [root]
        for step in rule.matcher.steps:
            why_not = step(places)
            if why_not is not None:
                return self.left(rule, root, why_not)
        if rule.refuses is not None:
            sentence = rule.refuses(places)
            if sentence is not None:
                return self.left(rule, root, ("when", None, None, sentence))
        new, made = rule.build(self.graph, places)
        if new is None or new is root:
            return False
        if new.abstract is not root.abstract:
            self.undo(new, made)
            return self.left(rule, root, ("type", None, new.abstract, root.abstract))
        self.substitute(rule, places, new, made)
        return True

    def substitute(self, rule, places, new, made):
        root, editor = places[0], self.editor
        self.graph.replace(root, new)
        gone = editor.sweep(root)
        if made and (made[0] is not new or len(made) > 1):
            self.undo(new, made)
        editor.matched(rule, root, lambda: _bindings(rule.matcher, places), gone, made)
        self.remember(rule, root, made)
        self.look_again(new, made, gone)

    def undo(self, new, made):
        """Remove what a target wrote and nothing uses."""
        for node in (*made, new):
            if not node.users:
                self.editor.sweep(node)

    def look_again(self, new, made, gone):
        self.push(made)
        near = [new]
        for _ in range(self.reach):
            near = [user for node in near for user in node.users]
            self.push(near)
        for node in gone:
            for used in node.inputs:
                if len(used.users) == 1:
                    self.push(used.users)

    def push(self, nodes):
        for node in nodes:
            if node.kind == "call" and node.primitive.name in self.index and node not in self.waiting:
                self.waiting.add(node)
                self.stack.append(node)

    # what is noted ----------------------------------------------------------------------------------

    def left(self, rule, root, why_not):
        if self.record is not None:
            code, parent, index, wanted = why_not
            data = (wanted,) if code == "when" else (index, wanted)
            if parent is not None:
                data = (parent, parent.inputs, index, wanted)
            self.record.refused(rule, root, code, *data)
        return False

    def note_relatives(self, nodes):
        """AddExt is not Add, and a learner who wonders should be told."""
        for node in nodes:
            name = node.primitive.name
            for rule in self.index.get(name.removesuffix("Ext"), ()) if name.endswith("Ext") else ():
                self.record.refused(rule, node, "primitive", name, rule.matcher.root)

    def remember(self, rule, root, made):
        before = self.made.get(root)
        count = before[0] + 1 if before else 1
        if count > self.limit:
            raise self.endless(rule, before)
        for node in made:
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


def _bindings(matcher, places):
    return {name: places[at] for name, at in matcher.places.items()}
