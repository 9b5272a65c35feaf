"""What does a runner do with a call? It sends it through the stages: workspace, then launch.

| stage | the runner's part |
|---|---|
| PyTask, FrontendTask | ``Run``: the inputs are copied, the outputs promised |
| DeviceTask | ``CalcWorkspace``, the workspace is allocated, ``ProcessWithWorkspace`` |
| LaunchTask | ``LaunchKernel``; then the workspace is given back |

Each ``Run`` works on a copy of the runner, which is that call: it may be on its way while the next
one begins. The names are those of MindSpore's C++ classes.
"""

import copy

from ... import declaration, errors, stages, tape
from ...infer import AbstractTensor
from ...memory import POOL
from ...stages import delivery
from ...symbol import Symbol
from ...tensor import Tensor, core
from ..places import DeviceTensor, Form


class PyboostRunner:
    """A call through the stages; a subclass says what ``LaunchKernel`` does.

    >>> import numpy as np
    >>> class Twice(PyboostRunner):
    ...     def CalcWorkspace(self):
    ...         return 64
    ...     def LaunchKernel(self):
    ...         np.multiply(self.inputs()[0].array, 2, out=self.outputs()[0].array)
    >>> x, y = Tensor([1.0, 2.0]), Tensor([0.0, 0.0])
    >>> Twice("Twice").Run([x], [y])
    >>> y
    Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  4.00000000e+00])
    """

    def __init__(self, op_name):
        self._op_name, self._inputs, self._outputs = op_name, (), ()
        self._workspace, self._stream, self._tensors = None, None, {}

    def Run(self, inputs, outputs):
        """Send the call on its way; the outputs, tensors of the right dtype and shape, are what it
        gives from now on."""
        _check_tensors(self._op_name, "inputs", inputs)
        _check_tensors(self._op_name, "outputs", outputs)
        _check_watched(self._op_name, inputs)
        call = Call(self._this_call(), inputs, outputs)
        op = _op_of(self._op_name, len(outputs))
        made = stages.call(lambda *operands: op(*operands, runner=call), tuple(inputs))
        made = made if isinstance(made, tuple) else (made,)
        for tensor, promised in zip(outputs, made, strict=True):
            delivery.promise_into(tensor, promised)

    # what a subclass may say ----------------------------------------------------------------------

    def CalcWorkspace(self):
        """In DeviceTask: bytes of workspace."""
        return 0

    def ProcessWithWorkspace(self):
        """In DeviceTask, once the workspace is there."""

    def LaunchKernel(self):
        """In LaunchTask: compute the outputs."""
        raise errors.NotOffered(
            f"{type(self).__name__} has no LaunchKernel.", hint="Define it: it computes outputs()."
        )

    # what it may ask ------------------------------------------------------------------------------

    def op_name(self):
        """The name it was made with."""
        return self._op_name

    def inputs(self):
        """The inputs, as DeviceTensors; their elements are there in LaunchTask."""
        return self._inputs

    def outputs(self):
        """The outputs, as DeviceTensors."""
        return self._outputs

    def stream(self):
        """The stream: None, the CPU has no streams."""
        return self._stream

    def stream_id(self):
        """The number of the stream."""
        return 0

    def workspace_ptr(self):
        """The workspace, an array of bytes; None if it asked for none."""
        return self._workspace

    # the stages -----------------------------------------------------------------------------------

    def _this_call(self):
        return copy.copy(self)

    def _allocate(self, size):
        return POOL.empty((size,), "uint8") if size else None

    def attach(self, inputs, outputs, tensors=()):
        """This call's inputs and outputs; ``tensors``: by id, and whether it is an output."""
        self._inputs, self._outputs = tuple(inputs), tuple(outputs)
        self._tensors = dict(tensors)

    def device_task(self):
        """In DeviceTask: ask for the workspace, and allocate it; its bytes."""
        size = int(self.CalcWorkspace())
        self.use_workspace(self._allocate(size))
        return size

    def use_workspace(self, workspace):
        """The workspace is there: an array of bytes, or None."""
        self._workspace = workspace
        self.ProcessWithWorkspace()

    def finish(self):
        """The call is over: let go of everything."""
        self._inputs = self._outputs = ()
        self._tensors, self._workspace = {}, None


class Call:
    """One call: its runner, and what the stages have found out about its tensors."""

    __hash__ = None  # nothing may remember it by its value

    def __init__(self, runner, inputs, outputs):
        self.runner = runner
        self.given = [(id(tensor), tensor) for tensor in (*inputs, *outputs)]
        self.types = tuple([AbstractTensor(t.dtype, tuple(t.shape)) for t in outputs])
        self.arrays = None

    def infer(self, *inputs):
        """In FrontendTask: the outputs' types are those of the tensors that were given."""
        forms = map(_form, (*inputs, *self.types))
        places = [DeviceTensor(form, self._finder(i)) for i, form in enumerate(forms)]
        keys = [(key, index >= len(inputs)) for index, (key, _) in enumerate(self.given)]
        tensors = zip(keys, places, strict=False)
        self.runner.attach(places[: len(inputs)], places[len(inputs) :], tensors)
        return self.types if len(self.types) > 1 else self.types[0]

    def device(self):
        """In DeviceTask: bytes of workspace."""
        try:
            return self.runner.device_task()
        except BaseException:
            self._finish()
            raise

    def launch(self, inputs, outputs):
        """In LaunchTask: compute."""
        self.arrays = (*inputs, *outputs)
        try:
            self.runner.LaunchKernel()
        finally:
            self._finish()

    def _finish(self):
        self.arrays, self.given = None, ()
        self.runner.finish()

    def _finder(self, index):
        return lambda: None if self.arrays is None else self.arrays[index]


_ops: dict = {}  # (name, number of outputs) -> Op


def _op_of(name, count):
    """The Op that the stages know: all calls of runners of this name are its."""
    found = _ops.get((name, count))
    if found is None:
        found = _ops[name, count] = _declared(name, count)
        number = None if count == 1 else count
        stages.stage_always(found, number, prepare=_prepare, launch=_launch)
    return found


def _prepare(task):
    return task.attributes["runner"].device()


def _launch(task, inputs):
    task.attributes["runner"].launch(inputs, task.storage)


def _declared(name, count):
    body = {
        "compute": _compute,
        "infer": lambda *types, runner: runner.infer(*types),
        "outputs": count,
        "nondeterministic": True,
        "__module__": __name__,
        "__doc__": f"The runner {name}.",
    }
    fields = declaration.read(body, name, (), "as given", (), None)
    return core.register(fields | {"declared_cost": False})


def _compute(*arrays, runner):
    """All stages at once, where a stage itself calls a runner."""
    made = [POOL.empty(t.shape, t.dtype.numpy) for t in runner.types]
    runner.infer(*[AbstractTensor(Tensor(a).dtype, a.shape) for a in arrays])
    runner.device()
    runner.launch(arrays, made)
    return tuple(made) if len(made) > 1 else made[0]


def _form(abstract):
    return Form(abstract.dtype.numpy.name, tuple(abstract.shape))


def _check_watched(name, inputs):
    """A gradient cannot go through the library: it would be zero, and nobody would know."""
    if core.recording() and tape.watches(inputs):
        raise errors.NotRunnable(
            f"The runner '{name}' has no gradient: the library computes forward only.",
            given="an input whose gradient is being taken",
            hint="Call it in the construct of a Cell that has a bprop, which calls another runner.",
        )


def _check_tensors(name, what, given):
    if not isinstance(given, list | tuple) or not given:
        raise errors.InvalidType(
            f"Run of '{name}' takes a list of {what}.", given=f"{given!r:.60}", hint="Run([x], [y])"
        )
    for tensor in given:
        if isinstance(tensor, Symbol):
            raise errors.NotRunnable(
                f"The runner '{name}' runs op by op: it is no part of a graph.",
                given=f"{tensor!r:.60}",
                hint="Call it outside of @jit.",
            )
        if not isinstance(tensor, Tensor):
            raise errors.InvalidType(
                f"Run of '{name}' takes tensors.",
                given=f"{type(tensor).__name__} among the {what}",
                hint="Numbers belong to the Param, or to the launch function.",
            )
