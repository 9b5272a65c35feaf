"""What is a graph without If, While and For? Flat subgraphs that call each other by name.

A ``Program`` is MindSpore's form of a FuncGraph: a choice is a ``Switch`` between two subgraphs
whose arguments are bound by ``Partial``, a loop a subgraph whose body ends in a call of it.
Operands are Parameters, Constants, Calls and, as functions are values here, Subgraphs.

>>> main = Subgraph(1, "main", None)
>>> x = main.parameter("x", NONE)
>>> main.result = main.call("Neg", [x], NONE)
>>> main, main.result, main.result.inputs
(@1_main, Call(Neg), (Parameter(x),))
"""

from ..infer import STATE, Abstract


class Special(Abstract):
    """The type of what only this form has; one object each."""

    __slots__ = ("word",)

    def __init__(self, word):
        self.word = word

    def __repr__(self):
        return self.word


#: FUNCTION: a subgraph, perhaps with arguments bound. UMONAD: the state that reads and writes of
#: Parameters are ordered by. IOMONAD: the state that effects are ordered by. NONE: nothing.
FUNCTION, UMONAD, IOMONAD, NONE = map(Special, ("Func", "UMonad", "IOMonad", "None"))
STATES = (UMONAD, IOMONAD)


def typed(abstract):
    """The type of a structured graph's value in this form."""
    return IOMONAD if abstract is STATE else abstract


class Parameter:
    """An input of a subgraph. ``reference``: the name of the Parameter object that it is, if any.

    ``source`` is the parameter of the structured graph, None for one that lowering added.
    """

    __slots__ = ("abstract", "name", "reference", "source")

    def __init__(self, name, abstract, source=None, reference=None):
        self.name = "io" if abstract is STATE else name
        self.abstract = typed(abstract)
        self.source, self.reference = source, reference

    def __repr__(self):
        return f"Parameter({self.name})"


class Constant:
    """A value that is known; of a state, the first one."""

    __slots__ = ("abstract", "value")

    def __init__(self, value, abstract):
        self.value, self.abstract = value, typed(abstract)

    def __repr__(self):
        return f"Constant({self.value!r:.20})"


class Call:
    """A call of the primitive named ``op``, or of the function value ``inputs[0]`` if ``op`` is
    "call".

    ``source`` is the node of the structured graph that it comes from: it has the place, the name
    and the attributes. Several calls may come from one node.
    """

    __slots__ = ("abstract", "inputs", "op", "source")

    def __init__(self, op, inputs, abstract, source=None):
        self.op, self.inputs = op, tuple(inputs)
        self.abstract, self.source = typed(abstract), source

    def __repr__(self):
        return f"Call({self.op})"


class Subgraph:
    """Parameters, calls in an order in which they can run, and one result.

    As an operand it is a function value. ``source`` is the FuncGraph that it was made of.
    """

    __slots__ = ("calls", "label", "name", "parameters", "result", "source")

    abstract = FUNCTION

    def __init__(self, number, label, source):
        self.name, self.label, self.source = f"{number}_{label}", label, source
        self.parameters, self.calls, self.result = [], [], None

    def __repr__(self):
        return f"@{self.name}"

    def parameter(self, name, abstract, source=None, reference=None):
        """A new input, last in order."""
        self.parameters.append(Parameter(name, abstract, source, reference))
        return self.parameters[-1]

    def call(self, op, inputs, abstract, source=None):
        """A new call, last in order."""
        self.calls.append(Call(op, inputs, abstract, source))
        return self.calls[-1]


class Program:
    """The subgraphs that a graph became; the first is the entry."""

    __slots__ = ("_later", "called", "subgraphs")

    def __init__(self):
        self.subgraphs, self._later = [], []
        self.called = {}  # graph of a Call -> its subgraph

    @property
    def entry(self):
        """The subgraph that stands for the whole graph."""
        return self.subgraphs[0]

    def subgraph(self, label, source):
        """A new subgraph without parameters."""
        self.subgraphs.append(Subgraph(len(self.subgraphs) + 1, label, source))
        return self.subgraphs[-1]

    def later(self, fill):
        """Have ``fill()`` called when what is being written is done: nests need no stack."""
        self._later.append(fill)

    def finish(self):
        """Call what was left for later, and what that leaves."""
        for fill in self._later:  # grows
            fill()
        self._later = []


def functions(operand):
    """The subgraphs that a function value may be.

    >>> functions(Subgraph(1, "f", None))
    (@1_f,)
    """
    if isinstance(operand, Subgraph):
        return (operand,)
    bound = operand.inputs[:1] if operand.op == "Partial" else operand.inputs[1:]
    return tuple([each for value in bound for each in functions(value)])
