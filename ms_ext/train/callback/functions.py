"""A callback made of functions."""

from .calling import HOOKS, Callback


class LambdaCallback(Callback):
    """Calls functions: ``LambdaCallback(on_train_step_end=f)`` calls ``f(run_context)``.

    >>> LambdaCallback(on_train_end=print).on_train_end("done")
    done
    """

    def __init__(
        self,
        on_train_epoch_begin=None,
        on_train_epoch_end=None,
        on_train_step_begin=None,
        on_train_step_end=None,
        on_train_begin=None,
        on_train_end=None,
        on_eval_epoch_begin=None,
        on_eval_epoch_end=None,
        on_eval_step_begin=None,
        on_eval_step_end=None,
        on_eval_begin=None,
        on_eval_end=None,
    ):
        given = locals()
        for name in HOOKS:
            setattr(self, name, given[name] or _nothing)


def _nothing(run_context):
    """What a hook without a function does."""
