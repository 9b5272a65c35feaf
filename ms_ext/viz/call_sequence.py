"""``viz.call_sequence(recording)``: who calls whom in which stage, from the caller to the library.

>>> from ms_ext import Tensor
>>> from ms_ext.engine.libraries import LAUNCH_ACLNN_FUNC, AclnnOpRunner, aclnn
>>> aclnn.CACHE.clear()
>>> x, y, out = Tensor([1.0, 2.0]), Tensor([3.0, 4.0]), Tensor([0.0, 0.0])
>>> def add():
...     runner = AclnnOpRunner("Add")
...     runner.SetLaunchFunc(LAUNCH_ACLNN_FUNC("aclnnAdd", x, y, 1, out))
...     runner.Run([x, y], [out])
>>> print(call_sequence(add).text())
1 call; the caches: 0 hits, 1 miss; 0 bytes of workspace
   1  PyTask        caller  -> runner   1: Add.Run
   2  FrontendTask  runner  -> runner   1: dtypes and shapes
   3  DeviceTask    runner  -> cache    1: aclnnAddGetWorkspaceSize
   4  DeviceTask    cache   -> library  1: not kept: prepare it
   5  DeviceTask    library -> runner   1: executor, 0 bytes of workspace
   6  LaunchTask    runner  -> library  1: aclnnAdd
"""

from ..engine import errors, events, stages
from ..engine.events import Recording
from .card import Card
from .widgets import call_sequence_page, call_sequence_steps, call_sequence_words


class CallSequence(Card):
    """The chart; ``steps`` are its arrows as data, in the order in which they happened."""

    def __init__(self, steps):
        self.steps = steps
        self.title = call_sequence_words.title(steps)

    def text(self):
        """The arrows, one in a line."""
        return call_sequence_words.page(self)

    def html(self):
        """The arrows between four lines of life."""
        return call_sequence_page.card(self)


def call_sequence(what, *arguments):
    """The sequence of calls in a recording, or of ``what(*arguments)``, which is called for it.

    Lanes: the caller, the runner, the cache, the library. The stage in which each call was made
    stands before it. Operators of C++ and runners in Python look the same.
    """
    if callable(what):
        with events.record() as recording:
            what(*arguments)
            stages.synchronize()
    elif isinstance(what, Recording) and not arguments:
        recording = what
    else:
        raise errors.InvalidType(
            "viz.call_sequence takes a recording, or a function and its arguments.",
            given=f"{what!r:.60}",
            hint="with events.record() as recording: ..., or call_sequence(f, x)",
        )
    return CallSequence(call_sequence_steps.found(recording))
