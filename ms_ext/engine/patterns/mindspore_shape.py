"""How does a pass in the shape of MindSpore's C++ classes become a rule?

>>> from ms_ext import ops
>>> class AddNeg(PatternToPatternPass):
...     def DefineSrcPattern(self, src_pattern):
...         src_pattern.AddVar("x").AddVar("y").AddCNode("neg", ["Neg", "y"])
...         src_pattern.AddCNode("add", ["Add", "x", "neg"])
...     def DefineDstPattern(self, dst_pattern):
...         dst_pattern.AddCNode("sub", ["Sub", "x", "y"])
>>> AddNeg().as_rule()
AddNeg: Add(x, Neg(y)) -> ...
"""

from .. import errors, primitive
from ..ir import CONTROL, MAKE_TUPLE, CNode
from ..symbol import Builder
from .matching import compiled
from .pattern import Call, Rest, Var
from .rule import Rule


class PatternToPatternPass:
    """A pass of one pattern: define DefineSrcPattern, DefineDstPattern and, to refuse,
    CheckMatchedDAG."""

    def __init__(self, name="", *_flags):
        self.name = name or type(self).__name__
        self._rule = None

    def DefineSrcPattern(self, src_pattern):
        """Add the pattern's variables and calls; the last call is the root. Called once."""
        raise errors.NotRunnable(f"{self.name} does not define DefineSrcPattern.")

    def DefineDstPattern(self, dst_pattern):
        """Add what takes the root's place, the last one. Called at every match."""
        raise errors.NotRunnable(f"{self.name} does not define DefineDstPattern.")

    def CheckMatchedDAG(self, pattern_map, func_graph, node):
        """True, or False (or a sentence) to leave this match alone."""
        return True

    def Unpacking(self, name):
        """The nodes of a sequence variable, to be put into AddCNode's list."""
        return [name]

    def as_rule(self):
        """The rule that this pass is."""
        if getattr(self, "_rule", None) is None:
            source = SrcPattern()
            self.DefineSrcPattern(source)
            matcher = compiled(source.root())
            name = getattr(self, "name", type(self).__name__)
            self._rule = Rule(name, matcher, self._builder(matcher), self._checker(matcher))
        return self._rule

    def _checker(self, matcher):
        def refuses(places):
            answer = self.CheckMatchedDAG(PatternMap(matcher, places), places[0].graph, places[0])
            return (
                None if answer is True else answer if isinstance(answer, str) else _silent(answer)
            )

        return refuses

    def _builder(self, matcher):
        def build(graph, places):
            target = DstPattern(graph, PatternMap(matcher, places))
            self.DefineDstPattern(target)
            return target.build()

        return build


def _silent(answer):
    return None if answer else ""


class SrcPattern:
    """What to look for."""

    def __init__(self):
        self._parts, self._root = {}, None

    def AddVar(self, name, condition=None):
        """Any node; ``condition(node)`` may refuse it."""
        return self._add(name, Var(name, condition))

    def AddSeqVar(self, name, condition=None):
        """All further inputs of a call."""
        return self._add(name, Rest(name, condition))

    def AddCNode(self, name, inputs):
        """A call: its primitive, then names."""
        op, attrs = resolved(inputs[0])
        parts = [_spliced(op, self._part(each)) for each in inputs[1:]]
        self._root = Call(op, tuple(part for several in parts for part in several), attrs, name)
        return self._add(name, self._root)

    def root(self):
        """The call that was added last."""
        if self._root is None:
            raise errors.NotRunnable("This SrcPattern has no root node.")
        return self._root

    def _add(self, name, part):
        if name in self._parts:
            raise errors.NotRunnable(f"Var: {name} is already in SrcPattern.")
        self._parts[name] = part
        return self

    def _part(self, name):
        if name not in self._parts:
            raise _unknown(name, self._parts)
        return self._parts[name]


def _spliced(op, part):
    """An op of any number of operands takes them without a tuple here."""
    packed = op.arity is None and isinstance(part, Call) and part.primitive is MAKE_TUPLE
    return part.inputs if packed else (part,)


class PatternMap:
    """What the names of a pattern stand for at a match."""

    def __init__(self, matcher, places):
        self._places, self._found = matcher.places, places

    def Contains(self, name):
        """Whether the pattern has that name."""
        return name in self._places

    def CheckSeq(self, name):
        """Whether the name is a sequence variable."""
        return self.Contains(name) and isinstance(self.Get(name), tuple)

    def Get(self, name):
        """The node of a name."""
        if name not in self._places:
            raise _unknown(name, self._places)
        return self._found[self._places[name]]

    GetSeq = Get


class DstPattern:
    """What takes the root's place at one match; built after all of it was added."""

    def __init__(self, graph, pattern_map):
        self._graph, self._map = graph, pattern_map
        self._lines, self._made, self._new = [], {}, []

    def AddCNode(self, name, inputs, build=None):
        """A new call: its primitive, then names; ``build(pattern_map, default_cnode)`` may finish
        it."""
        self._lines.append((name, self._cnode, inputs, build))
        return self

    def AddValueNode(self, name, build):
        """A node or a value that ``build(pattern_map)`` returns."""
        self._lines.append((name, self._value, build))
        return self

    def build(self):
        """The node of the last line, and the calls that were made."""
        if not self._lines:
            raise errors.NotRunnable("This DstPattern has no root node.")
        for name, line, *arguments in self._lines:
            self._made[name] = node = line(*arguments)
        return node, self._new

    def _cnode(self, inputs, build):
        op, attrs = resolved(inputs[0])
        nodes = [node for name in inputs[1:] for node in self._nodes(name)]
        if op.arity is None:
            nodes = [n for node in nodes for n in (node.inputs if _is_tuple(node) else (node,))]
        root = self._map._found[0]
        default = self._graph.add(op, nodes, complete(op, attrs), where=root.where, origin=root.id)
        self._new.append(default)
        return default if build is None else self._checked(build(self._map, default), default)

    def _checked(self, node, default):
        if node is None:
            raise errors.NotRunnable(
                "The pointer[node] is null.", hint="BuildXxx must return a CNode."
            )
        if not isinstance(node, CNode):
            raise errors.NotRunnable(
                "The pointer[cnode] is null.", hint="AddValueNode takes other nodes."
            )
        if node.inputs != default.inputs:
            raise errors.NotRunnable(
                "The build function must keep the inputs that AddCNode declares.",
                given=f"{list(node.inputs)} where {list(default.inputs)} was declared",
            )
        return node

    def _value(self, build):
        value = build(self._map)
        if value is None:
            raise errors.NotRunnable(
                "The pointer[node] is null.", hint="The value function returned None."
            )
        return Builder(self._graph).node(value)

    def _nodes(self, name):
        found = self._made[name] if name in self._made else self._map.Get(name)
        return found if isinstance(found, tuple) else (found,)


def _is_tuple(node):
    return node.kind == "call" and node.primitive is MAKE_TUPLE


def _unknown(name, known):
    return errors.NotRunnable(
        f"Key: {name} not in PatternMap", hint=errors.did_you_mean(name, known)
    )


def resolved(item):
    """The primitive and the attributes that a name, an Op or a bound Primitive means."""
    if isinstance(item, str):
        return CONTROL.get(item) or primitive.named(item), {}
    if isinstance(item, primitive.Primitive):
        return item.op, dict(item.attributes)
    return item, {}


def complete(op, attrs):
    """``attrs`` with the defaults of those that are missing; None if the op has none."""
    known = dict(op.attributes)
    missing = [
        key for key, value in known.items() if value is primitive.REQUIRED and key not in attrs
    ]
    if missing or not attrs.keys() <= known.keys():
        raise errors.InvalidType(
            f"The attributes of {op.name} do not fit.",
            given=str(attrs),
            hint=f"It takes {', '.join(known)}.",
        )
    return {**known, **attrs} or None


# build functions ----------------------------------------------------------------------------------


def DefaultCNodeFunc():
    """A build function that takes the new call as it is."""
    return lambda pattern_map, default_cnode: default_cnode


def InplaceCNodeFunc(name):
    """A build function that takes a matched call instead of the new one."""
    return lambda pattern_map, default_cnode: pattern_map.Get(name)


def DefaultValueFunc(value):
    """A value function: a constant."""
    return lambda pattern_map: value


def InplaceValueFunc(name):
    """A value function: a matched node, so that nothing new is made."""
    return lambda pattern_map: pattern_map.Get(name)
