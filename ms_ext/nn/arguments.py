"""Is what a layer was given of the right kind? Checks of the arguments of ``__init__``.

Each returns the value, or raises what MindSpore raises, with the layer's and the argument's names.
"""

from ..engine import errors


def check_positive(layer, name, value):
    """A whole number above 0.

    >>> check_positive("Dense", "in_channels", 3)
    3
    """
    check_int(layer, name, value)
    if value <= 0:
        raise errors.InvalidValue(
            f"For '{layer}', the '{name}' must be int and must > 0, "
            f"but got '{value}' with type 'int'."
        )
    return value


def check_int(layer, name, value):
    """A whole number; True is none.

    >>> check_int("Embedding", "vocab_size", 3)
    3
    """
    if type(value) is not int:
        raise errors.InvalidType(
            f"For '{layer}', the '{name}' must be int, but got '{type(value).__name__}'."
        )
    return value


def check_flag(layer, name, value):
    """True or False.

    >>> check_flag("Dense", "has_bias", True)
    True
    """
    return check_type(layer, name, value, bool)


def check_type(layer, name, value, *kinds):
    """A value of one of these types, exactly: True is no int.

    >>> check_type("Dropout", "p", 0.5, float, int)
    0.5
    """
    if type(value) not in kinds:
        got, names = type(value).__name__, [kind.__name__ for kind in kinds]
        wanted = f"'{names[0]}'" if len(names) == 1 else f"one of '{names}'"
        raise errors.InvalidType(
            f"For '{layer}', the type of '{name}' should be {wanted}, but got type '{got}'."
        )
    return value


def check_word(layer, name, value, words):
    """One of some words.

    >>> check_word("RNNCell", "nonlinearity", "tanh", ("tanh", "relu"))
    'tanh'
    """
    check_type(layer, name, value, str)
    if value not in words:
        raise errors.InvalidValue(
            f"For '{layer}', the '{name}' must be str and must be in '{list(words)}', "
            f"but got '{value}' with type 'str'.",
            hint=errors.did_you_mean(value, words),
        )
    return value


def check_share(layer, name, value, last=True):
    """A float from 0 to 1; ``last``: whether 1 is allowed.

    >>> check_share("Dropout", "p", 0.5, last=False)
    0.5
    """
    check_type(layer, name, value, float)
    if not 0 <= value <= 1 or (value == 1 and not last):
        end = "1]" if last else "1)"
        raise errors.InvalidValue(
            f"For '{layer}', the '{name}' must be a number in range [0, {end}, but got {value}."
        )
    return value


def check_number(layer, name, value, least=None, above=None, below=None, whole_too=False):
    """A float not below ``least``; or above ``above`` and, if that is given too, below ``below``.

    ``whole_too``: an int does as well, and comes back as a float.

    >>> check_number("SGD", "momentum", 1, least=0.0, whole_too=True)
    1.0
    """
    if isinstance(value, bool) or not isinstance(value, (int, float) if whole_too else float):
        raise errors.InvalidType(
            f"For '{layer}', the type of '{name}' should be 'float', "
            f"but got type '{type(value).__name__}'.",
            hint=f"Write {value}.0." if type(value) is int else "",
        )
    if below is not None and not above < value < below:
        raise _outside(layer, name, value, f"in range of ({above}, {below})")
    if above is not None and not value > above:
        raise _outside(layer, name, value, f"float and must > {above:g}")
    if least is not None and not value >= least:
        raise _outside(layer, name, value, f"float and must >= {least:g}")
    return float(value)


def check_from_zero(layer, name, value):
    """A whole number, 0 or more.

    >>> check_from_zero("Conv2d", "padding", 0)
    0
    """
    check_int(layer, name, value)
    if value < 0:
        raise _outside(layer, name, value, "int and must >= 0")
    return value


def _outside(layer, name, value, wanted):
    kind = type(value).__name__
    return errors.InvalidValue(
        f"For '{layer}', the '{name}' must be {wanted}, but got '{value}' with type '{kind}'."
    )
