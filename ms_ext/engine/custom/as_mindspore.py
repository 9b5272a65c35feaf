"""What does MindSpore 2.10 make of what a bprop returned? Its own answers, in each mode.

It counts too few gradients and refuses, and looks at nothing else, so that a gradient of another
shape or dtype, or none at all, is handed on. ``set_context(check_bprop=True)`` has it look.
"""

import inspect

from .. import errors, strict
from ..tensor import Tensor
from . import outside

FEW = (
    "Fn gradient size should larger than next edges size, but got {} vs {}. This may because your "
    "network has self defined bprop function which args of construct function not same as bprop "
    "function outputs, please check it"
)
NO_BPROP = "Illegal primitive Custom's bprop not defined"
NO_BPROP_IN_GRAPH = (
    "Illegal primitive: Primitive Custom's bprop not defined.node:ValueNode<Primitive> fake_bprop"
)
NO_SECOND_IN_GRAPH = "The pointer[local_dict_cnode] is null."
NOTHING = "The python function output is none."
_METHOD = "For user defined method 'bprop'"


def gradients(name, bprop, inputs, out, dout, in_graph):
    """One gradient per input of the op ``name`` as MindSpore hands them on, or its error."""
    if in_graph:
        return _in_graph(name, bprop, inputs, out, dout)
    return _eager(bprop, inputs, out, dout)


def _eager(bprop, inputs, out, dout):
    returned = bprop(*inputs, out, dout)
    if returned is None:
        raise errors.InvalidType(NOTHING)
    if strict.checks_bprop():
        check(returned if isinstance(returned, tuple) else (returned,), inputs, False)
    found = list(_flat(returned))
    if not found:
        raise errors.NotRunnable("Hook fn output is not <PyObjectRef> type!")
    if len(found) < len(inputs):
        raise errors.NotRunnable(FEW.format(len(found), len(inputs)))
    return strict.AsGiven(map(_tensor, found[: len(inputs)]))


def _in_graph(name, bprop, inputs, out, dout):
    _check_parameters(bprop, inputs)

    def read(inputs, out, dout):
        return _passed_on(bprop(*inputs, out, dout), inputs)

    return strict.AsGiven(outside.unless_it_asks(name, bprop, read, inputs, out, dout))


def _passed_on(returned, inputs):
    """Of what a bprop returned in a graph, one gradient per input."""
    if strict.checks_bprop():
        if not isinstance(returned, tuple):
            kind = "TensorType" if hasattr(returned, "abstract") else type(returned).__name__
            raise errors.InvalidType(
                "For 'user defined method 'bprop'', the type of 'grads' should be 'tuple', but got "
                f"type '{kind}'."
            )
        check(returned, inputs, True)
    if not isinstance(returned, tuple):
        raise errors.NotRunnable(
            "The type of argument in TupleAdd operator should be tuple, but the first argument is "
            f"AbstractTuple{{...}}, the second argument is {_abstract(returned)}"
        )
    if len(returned) < len(inputs):
        beyond = len(returned) + 1
        raise errors.InvalidIndex(
            f"The tuple_getitem index should be less than {beyond}, but got {beyond}"
        )
    return returned[: len(inputs)]


def _check_parameters(bprop, inputs):
    """A graph is made of ``bprop`` for exactly the inputs, ``out`` and ``dout``."""
    if not callable(bprop):
        raise errors.NotRunnable(NO_BPROP_IN_GRAPH)
    count = len(inspect.signature(bprop).parameters)
    if count < 2:
        raise errors.NotRunnable(
            "The function 'bprop' of Primitive or Cell requires at least 2 params 'out' and "
            f"'dout', but got only {count}."
        )
    if count - 2 != len(inputs):
        raise errors.InvalidType(
            f"The parameters number of the function is {count - 2}, but the number of provided "
            f"arguments is {len(inputs)}."
        )


def _flat(value):
    if not isinstance(value, tuple | list):
        yield value
        return
    for each in value:
        yield from _flat(each)


def _tensor(value):
    if value is None or isinstance(value, Tensor):
        return value
    if isinstance(value, bool | int | float):
        return Tensor(value)
    raise errors.InvalidType(f"Unreasonable data type: {type(value)}.")


def _abstract(value):
    if isinstance(value, list):
        return "AbstractList{...}"
    return "AbstractNone(...)" if value is None else "AbstractTensor(...)"


# set_context(check_bprop=True) --------------------------------------------------------------------


def check(returned, inputs, in_graph, hint=None, where=None):
    """MindSpore's check of a bprop: count, then shape and dtype of each gradient."""
    words = {"hint": hint, "where": where}
    net = "" if in_graph else " of net ''"
    if len(returned) != len(inputs):
        ends = "which is:{} but got {}." if in_graph else "which is: {}, but got:{}."
        raise (errors.InvalidValue if in_graph else errors.InvalidType)(
            f"{_METHOD}{net}, the number of return values(gradients) "
            f"{'must' if in_graph else 'should'} be equal to the number of input arguments except "
            f"'out' and 'dout', {ends.format(len(inputs), len(returned))}",
            **words,
        )
    for number, (gradient, given) in enumerate(zip(returned, inputs, strict=True)):
        if not _is_tensor(given):
            continue
        if not _is_tensor(gradient):
            raise _no_tensor(number, gradient, given, in_graph, words)
        whose = f"{_METHOD}{net}, the {number}th return value(gradient of the {number}th argument)"
        pairs = (
            ("shape", errors.InvalidValue, _shape(given, in_graph), _shape(gradient, in_graph)),
            ("dtype", errors.InvalidType, _dtype(given, in_graph), _dtype(gradient, in_graph)),
        )
        for what, kind, wanted, got in pairs:
            if wanted != got:
                raise kind(
                    f"{whose} should have the same {what} as the {number}th argument, which is:"
                    f"{wanted}, but got: {got}.",
                    **words,
                )


def _no_tensor(number, gradient, given, in_graph, words):
    whose = f"the {number}th return value(gradient of the {number}th argument)"
    if in_graph:
        kinds = {float: "Float32", int: "Int64", bool: "Bool", str: "String", type(None): "None"}
        return errors.InvalidType(
            f"{_METHOD}, {whose} should have the same dtype as the {number}th argument, which is:"
            f"{_dtype(given, True)}, but got: {kinds.get(type(gradient), 'External')}.",
            **words,
        )
    return errors.InvalidType(
        f"{_METHOD} of net '', {whose} should be Tensor, but got {type(gradient).__name__}, and "
        f"the value is {gradient}.",
        **words,
    )


def _is_tensor(value):
    return isinstance(value, Tensor) or hasattr(value, "abstract")


def _shape(value, in_graph):
    return list(value.shape) if in_graph else tuple(value.shape)


def _dtype(value, in_graph):
    return f"Tensor[{value.dtype}]" if in_graph else str(value.dtype)
