"""Who is called when? The hooks of a Callback, what they are given, and several called as one."""

import contextlib

from ...common.tensor import Tensor
from ...engine import errors


class Callback:
    """The parent of what is called while a Model trains or evaluates; every hook may be left out.

    ``on_train_begin, on_train_epoch_begin, on_train_step_begin, on_train_step_end,
    on_train_epoch_end, on_train_end`` and the same with ``eval``; each gets a RunContext. A hook
    without ``on_train_`` in its name (``step_end``) is called for both.

    >>> class Last(Callback):
    ...     def on_train_end(self, run_context):
    ...         print("steps:", run_context.original_args().cur_step_num)
    >>> Last().on_train_end(RunContext(InternalCallbackParam(cur_step_num=6)))
    steps: 6
    """

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def begin(self, run_context):
        """Before all."""

    def epoch_begin(self, run_context):
        """Before each epoch."""

    def epoch_end(self, run_context):
        """After each epoch."""

    def step_begin(self, run_context):
        """Before each step."""

    def step_end(self, run_context):
        """After each step."""

    def end(self, run_context):
        """After all."""


#: The hooks of training and evaluation, each with the one that it calls if it is not overwritten.
HOOKS = {
    f"on_{phase}_{when}": when
    for phase in ("train", "eval")
    for when in ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end")
}


def _hook(name, plain):
    def hook(self, run_context):
        getattr(self, plain)(run_context)

    hook.__name__, hook.__qualname__ = name, f"Callback.{name}"
    hook.__doc__ = f"Calls ``{plain}``, unless it is overwritten."
    return hook


for _name, _plain in HOOKS.items():
    setattr(Callback, _name, _hook(_name, _plain))


class InternalCallbackParam(dict):
    """What callbacks may ask: a dict whose items are attributes, too.

    >>> asked = InternalCallbackParam(batch_num=3)
    >>> asked.cur_step_num = 1
    >>> asked.batch_num, asked["cur_step_num"], asked.get("metrics")
    (3, 1, None)
    """

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            hint = errors.did_you_mean(name, self)
            raise _NotKnown(f"The run has no {name!r} now.", hint=hint) from None

    def __setattr__(self, name, value):
        self[name] = value


class _NotKnown(errors.UnknownAttribute, KeyError):
    """MindSpore raises KeyError; ``hasattr`` needs AttributeError."""


class RunContext:
    """What every hook is given: the run's values, and a way to stop it.

    >>> run = RunContext(InternalCallbackParam(mode="train"))
    >>> run.original_args().mode, run.get_stop_requested()
    ('train', False)
    >>> run.request_stop()
    >>> run.get_stop_requested()
    True
    """

    def __init__(self, original_args):
        if not isinstance(original_args, dict):
            raise errors.InvalidType(
                "The argument 'original_args' of RunContext should be dict type, "
                f"but got {type(original_args)}."
            )
        self._original_args, self._stop_requested = original_args, False

    def original_args(self):
        """The values of the run: ``cur_step_num, cur_epoch_num, batch_num, net_outputs, ...``"""
        return self._original_args

    def request_stop(self):
        """Have training end behind this step."""
        self._stop_requested = True

    def get_stop_requested(self):
        """Whether that was asked for."""
        return self._stop_requested


class CallbackManager(Callback):
    """Several callbacks as one: each hook calls theirs, in order.

    >>> CallbackManager([Callback(), Callback()]).callbacks  # doctest: +ELLIPSIS
    (<...Callback object at ...>, <...Callback object at ...>)
    """

    def __init__(self, callbacks):
        one = isinstance(callbacks, Callback)
        if not one and not isinstance(callbacks, list | tuple | type(None)):
            raise errors.InvalidType("The 'callbacks' is not a Callback or a list of Callback.")
        self.callbacks = (callbacks,) if one else tuple(callbacks or ())
        if not all(isinstance(each, Callback) for each in self.callbacks):
            raise errors.InvalidType(
                "When the 'callbacks' is a list, the elements in 'callbacks' must be Callback "
                "functions."
            )
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        entered = [self._stack.enter_context(each) for each in self.callbacks]
        pairs = zip(self.callbacks, entered, strict=True)
        self.callbacks = tuple(new if isinstance(new, Callback) else old for old, new in pairs)
        return self

    def __exit__(self, *error):
        return self._stack.__exit__(*error)


def _all(name):
    def hook(self, run_context):
        for each in self.callbacks:
            getattr(each, name)(run_context)

    hook.__name__, hook.__doc__ = name, f"Calls ``{name}`` of each."
    return hook


for _name in (*HOOKS, *set(HOOKS.values())):
    setattr(CallbackManager, _name, _all(_name))


def number_of(outputs):
    """The loss as a float, or the first of several outputs as it is: what monitors look at.

    >>> number_of(Tensor([1.0, 3.0]))
    2.0
    """
    if isinstance(outputs, tuple | list) and isinstance(outputs[0], Tensor):
        return outputs[0]
    return float(outputs.asnumpy().mean()) if isinstance(outputs, Tensor) else outputs
