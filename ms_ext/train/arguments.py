"""Checks of arguments that saving, loading and Model share; MindSpore's kinds of errors."""

from ..engine import errors


def check_type(name, value, kind):
    """A value of a kind; MindSpore raises ValueError for another."""
    if not isinstance(value, kind):
        raise errors.InvalidValue(
            f"The parameter {name!r} must be isinstance of {kind.__name__}, but got {value}."
        )


def check_key(function, name, key, mode):
    """No key: nothing is encrypted here."""
    if key is not None and not isinstance(key, bytes):
        raise errors.InvalidValue(f"The parameter {name!r} must be bytes or None, but got {key}.")
    check_type(f"{name[:3]}_mode", mode, str)
    if key is not None:
        raise errors.NotRunnable(
            f"For '{function}', {name!r} is given, but ms_ext cannot encrypt or decrypt files.",
            hint="Leave it out, and protect the file by other means.",
        )


def check_bool(value, name=None):
    """True or False, and nothing that only counts as one."""
    if not isinstance(value, bool):
        what = f"The {name!r}" if name else "The input value"
        raise errors.InvalidType(f"{what} must be a bool, but got {type(value).__name__}.")
    return value
