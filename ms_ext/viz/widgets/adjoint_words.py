"""What is said of a graph, its adjoint and the steps between: the same in the page and the text."""

import inspect
import textwrap

from ...engine.custom.gradient import CheckedBprop
from ...engine.infer import AbstractTensor, AbstractTuple
from ...engine.ir import TUPLE_GET_ITEM, ControlPrimitive
from ..drawing.labels import place, short
from .backward_words import value as _value
from .modes_values import shown as _shown

RULE_LINES = 12  # of a bprop's source


class Names:
    """Names for the nodes of a graph and its adjoint: a forward call is called the same in both."""

    def __init__(self, found):
        given = [*found.graph.parameters, *found.graph.order()]
        words = [node.name for node in given if node.name]
        self.names = {}
        for number, node in enumerate(found.graph.order(), 1):
            own = node.name if node.name and words.count(node.name) == 1 else f"%{number}"
            self.names[node] = self.names[found.copies[node]] = own
        for node in found.graph.parameters:
            self.names[node] = self.names[found.copies[node]] = node.name
        several = len(found.douts) > 1
        for number, node in enumerate(found.douts):
            self.names[node] = f"dout{number}" if several else "dout"
        first = len(found.graph.order()) + 1
        self.names |= {node: f"%{number}" for number, node in enumerate(found.back, first)}

    def of(self, node):
        """The name of a value; a constant is its number."""
        if node.kind != "constant":
            return self.names.get(node, "%?")
        array = getattr(node.value, "ndim", 0) or getattr(node.value, "shape", None) == ()
        return _value(node.value) if array else _shown(node.value)

    def call(self, node):
        """What a node calls: ``Mul(x, 2.0)``."""
        operands = ", ".join(map(self.of, node.inputs))
        attributes = (node.attrs or {}).items()
        named = [f"{k}={_plain(v)}" for k, v in attributes if v is not None and v is not False]
        more = f"; {', '.join(named)}" if named else ""
        return short(f"{node.primitive.name}({operands}{more})", 90)

    def made(self, node):
        """A node and its call: ``%3 = Mul(x, 2.0)``; the name alone of what is no call."""
        return f"{self.of(node)} = {self.call(node)}" if node.kind == "call" else self.of(node)


def _plain(value):
    return _shown(list(value) if type(value) is tuple else value)


def kind(node):
    """The type of a node as text."""
    return str(node.abstract)


def worth(found, node):
    """The value of a node in a few characters; nothing where it was not run."""
    array = found.values.get(found.copies.get(node, node))
    short_name = node.dtype.short if isinstance(node.abstract, AbstractTensor) else ""
    return "" if array is None else _value(array, short_name)


def title(name, found):
    """How much there is on the way there and on the way back."""
    dead = sum(node not in found.alive for node in found.back)
    there, back = len(found.graph.order()), len(found.back)
    dropped = f", {dead} of them dropped" if dead else ""
    return f"the adjoint of {name}: {many(there, 'call')} there, {back} back{dropped}"


def many(count, word):
    """ "1 call", "2 calls"."""
    return f"{count} {word}{'s' * (count != 1)}"


# steps --------------------------------------------------------------------------------------------


def head(found, names, step):
    """A step in a few words."""
    if step is found.start:
        return "Start: dout arrives"
    if step is found.end:
        return "End: the gradients are returned"
    return f"Step {step.number} of {len(found.steps)}: {names.made(step.node)}"


def sentences(found, names, step):
    """What happens in a step, sentence by sentence."""
    if step is found.end:
        return _ends(found, names)
    told = [] if step is found.start else [_arrives(found, names, step), _writes(names, step)]
    if step is found.start:
        told.append("The calls of the way there are copied, so that the way back can read them.")
    read = _read(found, names, step)
    told += [read] if read else []
    told += [_gives(names, give) for give in step.gives]
    return told + _dead(found, names, step)


def _arrives(found, names, step):
    if isinstance(step.dout, list):
        parts = ", ".join("none" if part is None else names.of(part) for part in step.dout)
        return f"Its douts are ({parts}); where there is none the rule gets zeros."
    given = " that the caller gives" if step.dout in found.douts else ""
    return f"Its dout is {names.of(step.dout)}{given}."


def _writes(names, step):
    op = step.node.primitive
    if not step.added:
        hands = "hands it on" if step.gives else "gives nothing back"
        return f"The rule of {op.name} writes nothing: it {hands}."
    return f"The rule of {op.name} writes {'; '.join(map(names.made, step.added))}."


def _read(found, names, step):
    copies = {copy: node for node, copy in found.copies.items()}
    alive = [node for node in step.added if node in found.alive]
    read = dict.fromkeys(used for node in alive for used in node.inputs if used in copies)
    several = ", ".join(names.of(used) for used in read)
    return f"It reads {several} from the way there." if read else ""


def _gives(names, give):
    to, what = names.of(give.receiver), names.of(give.dout)
    summed = getattr(getattr(give.dout, "primitive", None), "name", "") == "SumTo"
    fitted = f" ({to} was broadcast, so what came back is summed)" if summed else ""
    if give.added:
        return f"To {to} goes {what}{fitted}. Something is there already: {names.made(give.total)}."
    return f"To {to} goes {what}{fitted}."


def _dead(found, names, step):
    dead = [node for node in step.added if node not in found.alive]
    if not dead:
        return []
    listed = ", ".join(map(names.of, dead))
    return [f"Nobody needs {listed}: no gradient that is returned depends on that. Dropped."]


def _ends(found, names):
    told = [
        f"The gradient of {names.of(parameter)} is {names.of(node)}."
        for parameter, node in found.gradients
    ]
    told += [f"Nothing came back to it, so it is zeros: {names.made(n)}." for n in found.end.added]
    gone = [node for node in found.graph.order() if found.copies[node] not in found.alive]
    if gone:
        listed = ", ".join(map(names.of, gone))
        told.append(f"Return does not reach {listed} of the way there: not needed for gradients.")
    kept = found.kept()
    listed = ", ".join(map(names.of, kept)) or "nothing"
    return [*told, f"Kept from the way there: {listed}."]


def slots(found, names, number):
    """(name, terms, value) of every slot after so many steps."""
    for receiver, gives in found.slots(number).items():
        terms, total = [names.of(give.dout) for give in gives], gives[-1].total
        if isinstance(receiver.abstract, AbstractTuple):  # a dout for each of its results
            yield names.of(receiver), f"({', '.join(terms)})", ""
        elif len(gives) == 1:
            yield names.of(receiver), terms[0], worth(found, total)
        else:
            yield (
                names.of(receiver),
                f"{' + '.join(terms)} = {names.of(total)}",
                worth(found, total),
            )


def rule(step):
    """(place, source) of a step's bprop; two empty texts where it has none to be read."""
    op = step.node.primitive
    if isinstance(op, ControlPrimitive) or op is TUPLE_GET_ITEM or op.bprop is None:
        return "", ""
    function = op.bprop.bprop if isinstance(op.bprop, CheckedBprop) else op.bprop
    try:
        lines, first = inspect.getsourcelines(function)
        where = f"{inspect.getsourcefile(function)}:{first}"
    except (OSError, TypeError):
        return "", ""
    text = textwrap.dedent("".join(lines[:RULE_LINES])).rstrip()
    return place(where), text if len(lines) <= RULE_LINES else f"{text}\n..."
