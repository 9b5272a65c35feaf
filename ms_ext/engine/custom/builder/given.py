"""What may a builder be given? The checks and their words are MindSpore's.

>>> names("sources", "add3.cpp"), names("include_paths", None)
(['add3.cpp'], None)
>>> names("sources", 3)
Traceback (most recent call last):
    ...
ms_ext.engine.errors.InvalidType: The type of 'sources' should be one of '['list', 'tuple']', \
but got type 'int'.
"""

import os
import warnings

from ... import errors

#: What MindSpore reads beside the named parameters.
OTHERS = ("build_dir", "debug_mode", "enable_asdsip", "enable_atb", "op_def", "op_doc")
_told = set()


def typed(name, value, *kinds):
    """The value, if it is of one of these types."""
    if isinstance(value, kinds) and not (isinstance(value, bool) and bool not in kinds):
        return value
    words = [kind.__name__ for kind in kinds]
    one_of = f"one of '{words}'" if len(words) > 1 else f"'{words[0]}'"
    raise errors.InvalidType(
        f"The type of '{name}' should be {one_of}, but got type '{type(value).__name__}'."
    )


def names(name, value):
    """A list of texts, from one text or several; None stays None."""
    if value is None:
        return None
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    given = [value] if isinstance(value, str) else list(typed(name, value, list, tuple))
    given = [os.fspath(each) if isinstance(each, os.PathLike) else each for each in given]
    for each in given:
        if not isinstance(each, str):
            kind = type(each).__name__
            raise errors.InvalidType(
                f"The type of '{name}' should be str, but got '{each}' with type '{kind}'."
            )
    return given


def switch(value, name=None):
    """True or False, and nothing that stands for it."""
    if isinstance(value, bool):
        return value
    called = f"'{name}'" if name else "input value"
    raise errors.InvalidType(f"The {called} must be a bool, but got {type(value).__name__}.")


def backend(value, enabled):
    """None, "CPU" or "Ascend"; ``enabled``: the libraries of Ascend that the ops want."""
    typed("backend", value, str, type(None))
    if value not in (None, "CPU", "Ascend"):
        near = {"cpu": "CPU", "ascend": "Ascend"}.get(value.lower())
        raise errors.InvalidValue(
            f"For 'backend', only 'CPU' or 'Ascend' are allowed, but got '{value}'.",
            hint=f"Write backend={near!r}." if near else None,
        )
    for name in enabled:
        if value == "CPU":
            raise errors.InvalidValue(
                f"For 'CustomOpBuilder', when '{name}' is set to True, the 'backend' must be "
                f"'Ascend' (or left implicit), but got '{value}'"
            )
    return "Ascend" if enabled else value


def name_unknown(given):
    """One warning for words that MindSpore would pass over in silence."""
    unknown = tuple(sorted(set(given) - set(OTHERS)))
    if not unknown or unknown in _told:
        return
    _told.add(unknown)
    hint = errors.did_you_mean(unknown[0], OTHERS)
    warnings.warn(
        f"CustomOpBuilder knows nothing of {', '.join(map(repr, unknown))}: passed over, as "
        f"MindSpore does it silently. {hint}",
        errors.MsExtWarning,
        stacklevel=3,
    )


def definitions(paths):
    """Check the files of ``op_def`` or ``op_doc``."""
    for path in paths or ():
        if not os.path.isfile(path):
            raise NoSuchFile(f"File not found: {path}", hint=f"Looked for in {os.getcwd()}.")
        ending = os.path.splitext(path)[1].lower()
        if ending not in (".yaml", ".yml"):
            raise errors.InvalidValue(
                f"Invalid file extension: {ending} for {os.path.basename(path)}",
                hint="These files describe ops in YAML: my_op.yaml.",
            )


class NoSuchFile(errors.MsExtError, FileNotFoundError):
    """A source that is not there."""


def sources(paths):
    """The sources, if all of them are there."""
    for path in paths:
        if not os.path.isfile(path):
            folder = os.path.dirname(path) or "."
            there = os.listdir(folder) if os.path.isdir(folder) else []
            near = [each for each in there if each.endswith((".cpp", ".cc", ".cxx", ".c", ".pyx"))]
            raise NoSuchFile(
                f"[Errno 2] No such file or directory: {path!r}",
                given=f"looked for in {os.getcwd()}" if not os.path.isabs(path) else None,
                hint=errors.did_you_mean(os.path.basename(path), near) if near else None,
            )
    return paths
