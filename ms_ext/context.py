"""The settings of a session, as MindSpore keeps them: the mode, and how strict to be.

>>> get_context("mode") == PYNATIVE_MODE
True
"""

import os
import warnings

from .engine import errors, making, strict

GRAPH_MODE, PYNATIVE_MODE = 0, 1
STRICT, COMPATIBLE, LAX = 0, 1, 2
TARGETS = ["CPU", "GPU", "Ascend"]

_settings = {
    "mode": PYNATIVE_MODE,
    "device_target": "CPU",
    "device_id": 0,
    "save_graphs": 0,
    "save_graphs_path": ".",
    "jit_syntax_level": LAX,
    "jit_config": {},
    "max_call_depth": 1000,
    "pynative_synchronize": False,
    "deterministic": "OFF",
    "check_bprop": False,
    "strict": strict.settings["strict"],
}
_TYPES = {
    "mode": int,
    "device_target": str,
    "device_id": int,
    "save_graphs": (bool, int),
    "save_graphs_path": str,
    "jit_syntax_level": int,
    "jit_config": dict,
    "max_call_depth": int,
    "pynative_synchronize": bool,
    "deterministic": str,
    "check_bprop": bool,
    "strict": (str, type(None)),
}


def set_context(**settings):
    """Change settings: ``set_context(mode=ms.GRAPH_MODE)``; none is changed if one is wrong.

    mode: PYNATIVE_MODE (each op at once) or GRAPH_MODE (Cells are compiled when called).
    save_graphs: which files each compilation writes, 0 (none) to 3 (all); True means 2. The files
    are those of ``engine.saving``: graphs in MindSpore's text, one for each stage.
    save_graphs_path: the folder they are written to, made when there is something to write.
    jit_syntax_level: STRICT compiles as ``jit(fullgraph=True)`` does.
    max_call_depth: how many function calls inside each other a graph is read through.
    jit_config, pynative_synchronize, deterministic: MindSpore's; checked and kept, without effect:
    here no run differs from another.
    check_bprop: MindSpore's check of what a bprop returns, in its words.
    strict: "2.10" answers as MindSpore 2.10 does where an article's form would work here, or a
    wrong bprop would be refused; None takes that back. MS_EXT_STRICT=2.10 begins with it.
    """
    _settings.update({key: _checked(key, value) for key, value in settings.items()})
    making.limits["calls"] = _settings["max_call_depth"]
    if not strict.settings.keys().isdisjoint(settings):
        strict.change(**{key: _settings[key] for key in strict.settings if key in settings})


def set_device(device_target, device_id=0):
    """Choose a device: there is one, the CPU."""
    _check_type("device_target", device_target)
    _check_type("device_id", device_id)
    if device_target not in TARGETS:
        raise errors.InvalidValue(
            f"The argument 'device_target' must be one of {TARGETS}, but got {device_target}."
        )
    if device_id < 0:
        raise errors.InvalidValue("The device id must bigger than or equal to 0.")
    set_context(device_target=device_target, device_id=device_id)


def get_context(key):
    """The value of a setting."""
    if key not in _settings:
        raise errors.InvalidValue(
            f"For 'context.get_context', the argument {key} is not recognized!",
            hint=errors.did_you_mean(key, _settings),
        )
    return strict.settings.get(key, _settings[key])


def _checked(key, value):
    """The value to keep for a setting."""
    if key not in _settings:
        raise errors.InvalidValue(
            f"For 'context.set_context', the keyword argument {key} is not recognized!",
            hint=errors.did_you_mean(key, _settings),
        )
    if value is not None or key != "mode":  # MindSpore calls None a wrong mode, not a wrong type
        _check_type(key, value)
    return _CHECKS[key](value)


def _check_type(key, value):
    kinds = _TYPES[key]
    if not isinstance(value, kinds):
        raise errors.InvalidType(
            f"The parameter '{key}' must be {kinds}, but got {type(value)}",
            hint="Use ms.GRAPH_MODE or ms.PYNATIVE_MODE." if key == "mode" else None,
        )


def _mode(mode):
    if mode not in (GRAPH_MODE, PYNATIVE_MODE):
        raise errors.InvalidValue(
            "For 'context.set_context', the argument 'mode' should be context.GRAPH_MODE (0) or "
            f"context.PYNATIVE_MODE (1), but got {mode}.",
            hint="Use ms.GRAPH_MODE or ms.PYNATIVE_MODE.",
        )
    return int(mode)


def _target(target):
    known = [*TARGETS, "Davinci"]
    if target not in known:
        raise errors.InvalidValue(
            f"For 'context.set_context', the argument 'device_target' must be one of {known}, but "
            f"got {target}."
        )
    name = "Ascend" if target == "Davinci" else target
    if name == "Ascend" and not strict.on():
        words = "Ascend is simulated: everything runs on this CPU."
        warnings.warn(words, errors.MsExtWarning, stacklevel=5)
        return name
    if target != "CPU":
        raise errors.NotRunnable(
            f"Unsupported device target {name}. This process only supports one of the ['CPU']."
        )
    return target


def _device(number):
    if not 0 <= number <= 4095:
        raise errors.InvalidValue(
            "For 'context.set_context', the argument 'device_id' must be in range [0, 4095], but "
            f"got {number}."
        )
    if number != 0:
        raise errors.NotRunnable(f"There is one device here, number 0, not {number}.")
    return int(number)


def _level(level):
    if level is True:
        return 2
    if level > 3:  # MindSpore keeps negative ones, too: they write nothing
        raise errors.InvalidValue(f"value for save_graphs should be 0-3 but got '{level}'")
    return int(level)


def _folder(path):
    if not path:
        raise errors.InvalidValue(
            "For 'context.set_context', the 'save_graphs_path' or the 'print_file_path' is invalid "
            "type, it should be Non-empty string, but got ''."
        )
    return os.path.realpath(path)


def _syntax(level):
    if level not in (STRICT, COMPATIBLE, LAX):
        raise errors.InvalidValue(
            "For 'jit_syntax_level', the value should be context.STRICT or context.LAX, but got "
            f"{level}."
        )
    return int(level)


def _config(config):
    known, level = ["O0", "O1", "O2"], config.get("jit_level", "O0")
    if level not in known:
        raise errors.InvalidValue(
            f"For 'jit_config', the value of argument jit_level must be one of {known}, but got "
            f"{level}."
        )
    return config


def _depth(depth):
    if depth <= 0:
        raise errors.InvalidValue(
            "For 'context.set_context', the argument 'max_call_depth' must be greater than 0, but "
            f"got {depth}."
        )
    return depth


def _deterministic(word):
    if word not in ("ON", "OFF"):
        raise errors.InvalidValue(
            "For 'context.set_context', the argument 'deterministic' must be one of ['ON', 'OFF'], "
            f"but got {word}."
        )
    return word


_CHECKS = {
    "mode": _mode,
    "device_target": _target,
    "device_id": _device,
    "save_graphs": _level,
    "save_graphs_path": _folder,
    "jit_syntax_level": _syntax,
    "jit_config": _config,
    "max_call_depth": _depth,
    "pynative_synchronize": bool,
    "deterministic": _deterministic,
    "check_bprop": bool,
    "strict": strict.checked,
}
