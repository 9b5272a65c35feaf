"""How does the engine see a custom op? As an Op, like any other: this is its declaration."""

from .. import declaration, stages
from ..tensor import core
from .gradient import CheckedBprop, missing


def made(custom, remembered):
    """The Op that the engine works with: tape, graphs, backends and stages know only this."""
    name, traits = custom.way.name, custom.traits
    fewest, most = custom.way.takes
    arity = most if fewest == most else None
    bprop = missing(name, custom.func)
    if custom.bprop:
        bprop = CheckedBprop(name, custom.bprop, arity is not None)
    count = custom.body.count()
    body = {
        "compute": lambda *arrays: remembered().compute(*arrays),
        "infer": remembered.infer,
        "cost": traits.cost,
        "outputs": 1 if count in (None, stages.ASK) else count,
        "nondeterministic": not traits.pure,  # nobody knows what it does: not merged, not folded
        "__module__": getattr(custom.func, "__module__", None) or "__main__",
        "__doc__": getattr(custom.func, "__doc__", None) or f"The learner's function {name}.",
    }
    fields = declaration.read(body, name, (), "as given", (), None)
    names = tuple(f"x{i}" for i in range(arity or 0))
    fields |= {"bprop": bprop, "arity": arity, "operand_names": names, "bprop_attributes": ()}
    fields["keep"] = frozenset(range(2 if arity is None else arity + 1))
    fields["operands"] = "as given" if arity is None else ("as given",) * arity
    fields |= {"func_type": custom.way.func_type, "workspace": remembered.workspace}
    fields["reason"] = getattr(custom.func, "reason", "its body is a Python function")
    fields["passing"] = True  # it goes with the Custom, the graphs and the tapes that hold it
    fields["declared_cost"] = traits.flops is not None
    return core.register(fields)
