"""A backend as a class with Build and Run, the shape of MindSpore's C++ interface.

>>> from ms_ext.engine.backends import REGISTRY, backend, build
>>> @backend("echo")
... class Echo(BackendBase):
...     def Build(self, func_graph, config):
...         return 0
...     def Run(self, graph_id, inputs, outputs):
...         outputs.append(inputs[0])
...         return RunningStatus.kRunningSuccess
>>> REGISTRY.discard("echo")
"""

import enum

from .. import errors


class RunningStatus(enum.IntEnum):
    """What Run returns."""

    kRunningSuccess = 0
    kRunningFailure = 1


class BackendBase:
    """What a backend class implements: Build once per graph, Run once per call."""

    def Build(self, func_graph, config):
        """Compile ``func_graph`` and return an id for it; ``config`` is a dictionary."""
        raise errors.NotRunnable(
            f"{type(self).__name__} does not define Build(self, func_graph, config)."
        )

    def Run(self, graph_id, inputs, outputs):
        """Run a graph on arrays, append its results to ``outputs``, return a RunningStatus."""
        raise errors.NotRunnable(
            f"{type(self).__name__} does not define Run(self, graph_id, inputs, outputs)."
        )


def class_form(name, kind):
    """The build function of a backend class; the one instance is made at the first build."""
    instances = []

    def build(graph):
        if not instances:
            instances.append(kind())
        return _run(name, instances[0], graph)

    return build


def _run(name, instance, graph):
    graph_id = instance.Build(graph, {"backend": name, "jit_level": "O0"})

    def run(*arrays):
        outputs = []
        status = instance.Run(graph_id, list(arrays), outputs)
        if status not in (None, RunningStatus.kRunningSuccess):
            raise errors.NotRunnable(
                f"The backend {name!r} reports that it failed.", given=repr(status)
            )
        return tuple(outputs)

    return run
