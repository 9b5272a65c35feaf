"""How is a kernel of the library declared? One class: what it gives, what it needs, what it does.

>>> @kernel
... class Twice:
...     def infer(x):
...         return (x,)
...     def body(x):
...         return x + x
>>> KERNELS.pop("Twice").parameters
('x', 'out')
"""

import inspect
from typing import NamedTuple

import numpy as np

from ... import errors
from ...quiet import quietly
from ..places import Form, form_of, is_tensor, pieces, widen, widened, write

#: ACLNN_ERR_PARAM_INVALID: what the real library answers to arguments that do not fit.
PARAM_INVALID = 161002
KERNELS: dict = {}  # "Matmul" -> Kernel


class Kernel(NamedTuple):
    """A declaration: ``parameters`` in the order of a call, ``outputs`` the names among them.

    ``infer(forms and values of the inputs)``: the outputs' forms. ``scratch(the same)``: forms of
    the memory that the body uses beside them. ``body(arrays and values, scratch)``: the results.
    """

    name: str
    parameters: tuple
    defaults: dict
    outputs: tuple
    infer: object
    scratch: object
    body: object
    doc: str

    @property
    def inputs(self):
        """The names of what is not written to."""
        return tuple([name for name in self.parameters if name not in self.outputs])

    def bind(self, arguments, named):
        """The arguments of a call by name."""
        given = dict(zip(self.parameters, arguments, strict=False)) | named
        missing = [n for n in self.parameters if n not in given and n not in self.defaults]
        unknown = [name for name in named if name not in self.parameters]
        if len(arguments) > len(self.parameters) or missing or unknown:
            raise self.refused(
                f"takes ({', '.join(self.parameters)})",
                given=f"{len(arguments)} argument(s)" + (f" and {list(named)}" if named else ""),
                hint=f"Without {', '.join(missing)} it cannot run." if missing else None,
                kind=errors.InvalidType,
            )
        return {name: given.get(name, self.defaults.get(name)) for name in self.parameters}

    def forms(self, bound):
        """Bound arguments with a Form for each tensor."""
        return {n: form_of(v) if is_tensor(v) else _plain(v) for n, v in bound.items()}

    def checked(self, forms):
        """The forms that the inputs give; refuses outputs that are not like that."""
        inputs = [forms[name] for name in self.inputs]
        expected = self.infer(*inputs)
        for name, wanted in zip(self.outputs, expected, strict=True):
            self._check_output(name, forms[name], wanted)
        return expected

    def wanted(self, forms):
        """The forms of the workspace: what is widened, and the kernel's own scratch memory."""
        inputs = [forms[name] for name in self.inputs]
        own = [] if self.scratch is None else list(self.scratch(*inputs))
        return widened(inputs) + own

    def run(self, bound, workspace):
        """Calculate, and write into the outputs."""
        forms = self.forms(bound)
        taken = pieces(workspace, self.wanted(forms))
        inputs = [(forms[n], _plain(bound[n])) for n in self.inputs]
        arrays = widen(*zip(*inputs, strict=True), taken)
        settings = {"scratch": taken} if taken else {}
        results = quietly(self.body, *arrays, **settings)
        results = results if isinstance(results, tuple) else (results,)
        for name, result in zip(self.outputs, results, strict=True):
            if bound[name] is not None:
                write(bound[name], result)

    def refused(self, what, given=None, hint=None, kind=errors.InvalidValue):
        """The error for arguments that do not fit."""
        return kind(
            f"Call aclnn{self.name}GetWorkspaceSize failed, ret: {PARAM_INVALID}: it {what}.",
            given=given,
            hint=hint,
        )

    def _check_output(self, name, given, wanted):
        if given is None and wanted is not None:
            return  # nobody asks for this output
        shape = given.shape if isinstance(given, Form) else None
        if shape != wanted.shape or wanted.dtype not in (None, given.dtype):
            raise self.refused(
                f"writes a {wanted} to {name!r}",
                given=f"{name}: {given}",
                hint="Make the output with the shape and the dtype that the inputs give.",
                kind=errors.InvalidValue if shape != wanted.shape else errors.InvalidType,
            )


def kernel(declaration):
    """Enter a kernel: ``infer`` and ``body``, perhaps ``scratch`` and ``outputs``.

    ``outputs`` are behind the inputs, unless ``order`` names all parameters in another order.
    """
    said, name = vars(declaration), declaration.__name__
    found = inspect.signature(said["infer"]).parameters.values()
    outputs = said.get("outputs", ("out",))
    order = said.get("order", (*(p.name for p in found), *outputs))
    KERNELS[name] = Kernel(
        name=name,
        parameters=tuple(order),
        defaults={p.name: p.default for p in found if p.default is not p.empty},
        outputs=outputs,
        infer=said["infer"],
        scratch=said.get("scratch"),
        body=said["body"],
        doc=inspect.cleandoc(declaration.__doc__ or ""),
    )
    return KERNELS[name]


def broadcast(name, *forms):
    """The shape of operands together."""
    try:
        return np.broadcast_shapes(*(form.shape for form in forms))
    except ValueError:
        raise KERNELS[name].refused(
            "needs operands whose shapes can be broadcast",
            given=", ".join(map(str, forms)),
            hint="Sizes are equal from behind, or 1.",
        ) from None


def axis_of(name, axis, form):
    """An axis counted from 0; refuses one that the tensor does not have."""
    count = max(len(form.shape), 1)
    if type(axis) is not int or not -count <= axis < count:
        raise KERNELS[name].refused(
            "needs an axis of its input", given=f"axis {axis!r} of {form}", hint="-1 is the last."
        )
    return axis % count


def _plain(value):
    """A value as a key: lists become tuples, dtypes their names; a tensor stays itself."""
    if is_tensor(value):
        return value
    if isinstance(value, list | tuple):
        return tuple(value)
    public = getattr(value, "public", None)
    return value if public is None else value.numpy.name
