"""How is an operation of ATB declared? For each type of Param what it gives and what it does."""

from typing import NamedTuple

from ...quiet import quietly
from ..places import form_of, pieces, widen, widened, write

OPERATIONS: dict = {}  # type of a Param -> Declared

#: Numbers of the real library for what Setup refuses.
NO_ERROR, INVALID_PARAM, TENSOR_COUNT, TENSOR_DTYPE, TENSOR_DIM, TENSOR_SIZE = 0, 1, 5, 6, 8, 9
NO_WORKSPACE, NOT_SET_UP = 20, 3


class Refused(Exception):
    """Why an operation does not take what it was given: a status, and words."""

    def __init__(self, status, why):
        super().__init__(why)
        self.status, self.why = status, why


class Declared(NamedTuple):
    """``infer(param, *forms)``: the outputs' forms; ``scratch``: memory beside widened inputs.

    ``body(param, *arrays, scratch)``: the results. ``check(param)`` refuses a Param at once.
    """

    name: str
    check: object
    infer: object
    scratch: object
    body: object

    def set_up(self, param, inputs, outputs):
        """The forms of the workspace for these tensors."""
        given = [form_of(each) for each in inputs]
        expected = self.infer(param, *given)
        if len(outputs) != len(expected):
            raise Refused(TENSOR_COUNT, f"it has {len(expected)} result(s), not {len(outputs)}")
        for index, (wanted, each) in enumerate(zip(expected, map(form_of, outputs), strict=True)):
            if each.shape != wanted.shape:
                raise Refused(TENSOR_DIM, f"result {index} is a {wanted}, not a {each}")
            if each.dtype != wanted.dtype:
                raise Refused(TENSOR_DTYPE, f"result {index} is a {wanted}, not a {each}")
        return self.wanted(param, given)

    def wanted(self, param, given):
        """The forms of the workspace."""
        return widened(given) + list(self.scratch(param, *given) if self.scratch else ())

    def run(self, param, inputs, outputs, workspace):
        """Calculate, and write into the outputs."""
        given = [form_of(each) for each in inputs]
        taken = pieces(workspace, self.wanted(param, given))
        arrays = widen(given, inputs, taken)
        settings = {"scratch": taken} if taken else {}
        results = quietly(self.body, param, *arrays, **settings)
        for target, result in zip(outputs, results, strict=True):
            write(target, result)


def operation(param_type):
    """Enter the operation that a Param of this type makes."""

    def enter(declaration):
        said = vars(declaration)
        OPERATIONS[param_type] = Declared(
            declaration.__name__,
            said.get("check", lambda param: None),
            said["infer"],
            said.get("scratch"),
            said["body"],
        )
        return declaration

    return enter


def counted(forms, *counts):
    """Refuse another number of inputs."""
    if len(forms) not in counts:
        words = " or ".join(map(str, counts))
        raise Refused(TENSOR_COUNT, f"it takes {words} input(s), not {len(forms)}")
    return forms


def alike(*forms):
    """Refuse inputs of several dtypes."""
    if len({form.dtype for form in forms}) > 1:
        raise Refused(TENSOR_DTYPE, f"its inputs have several dtypes: {', '.join(map(str, forms))}")
