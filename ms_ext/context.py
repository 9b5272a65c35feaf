"""The settings of a session, as MindSpore keeps them: the mode, and how strict to be.

>>> get_context("mode") == PYNATIVE_MODE
True
"""

from .engine import errors

GRAPH_MODE, PYNATIVE_MODE = 0, 1

_settings = {"mode": PYNATIVE_MODE, "device_target": "CPU", "device_id": 0}


def set_context(**settings):
    """Change settings: ``set_context(mode=ms.GRAPH_MODE)``.

    mode: PYNATIVE_MODE (each op at once) or GRAPH_MODE (Cells are compiled when called).
    """
    for key, value in settings.items():
        if key not in _settings:
            raise errors.InvalidValue(
                f"For 'context.set_context', the keyword argument {key} is not recognized!",
                hint=errors.did_you_mean(key, _settings),
            )
        _CHECKS[key](value)
    _settings.update(settings)


def get_context(key):
    """The value of a setting."""
    if key not in _settings:
        raise errors.InvalidValue(
            f"For 'context.get_context', the argument {key} is not recognized!",
            hint=errors.did_you_mean(key, _settings),
        )
    return _settings[key]


def _check_mode(mode):
    if type(mode) is not int:
        raise errors.InvalidType(
            f"For 'set_context', the type of 'mode' must be int, but got {type(mode).__name__}.",
            hint="Use ms.GRAPH_MODE or ms.PYNATIVE_MODE.",
        )
    if mode not in (GRAPH_MODE, PYNATIVE_MODE):
        raise errors.InvalidValue(
            "For 'context.set_context', the argument 'mode' should be context.GRAPH_MODE (0) or "
            f"context.PYNATIVE_MODE (1), but got {mode}.",
            hint="Use ms.GRAPH_MODE or ms.PYNATIVE_MODE.",
        )


def _check_target(target):
    if target != "CPU":
        raise errors.NotRunnable(
            f"Unsupported device target {target}. This process only supports one of the ['CPU']."
        )


def _check_device(number):
    if number != 0:
        raise errors.NotRunnable(f"There is one device here, number 0, not {number}.")


_CHECKS = {"mode": _check_mode, "device_target": _check_target, "device_id": _check_device}
