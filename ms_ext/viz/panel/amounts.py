"""How numbers are said: counts, arithmetic, memory, times."""


def number(value):
    """A whole number with thin groups of three.

    >>> number(2914)
    '2\u2009914'
    """
    return f"{value:,}".replace(",", "\u2009")


def _scaled(value, unit):
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            scaled = value / factor
            return f"{scaled:.{2 if scaled < 100 else 1}f} {prefix}{unit}"
    return f"{value} {unit}"


def flops(value):
    """An amount of arithmetic.

    >>> flops(76_060_000)
    '76.06 MFLOP'
    """
    return _scaled(value, "FLOP")


def size(value):
    """An amount of memory, in decimal units.

    >>> size(7_280_000)
    '7.28 MB'
    """
    return _scaled(value, "B")


def both(show, old, new):
    """Two amounts with an arrow, the unit once where it is the same.

    >>> both(size, 7_280_000, 6_490_000)
    '7.28 → 6.49 MB'
    """
    first, second = show(old), show(new)
    unit = first.rpartition(" ")[2]
    if " " in first and second.endswith(f" {unit}"):
        first = first.removesuffix(f" {unit}")
    return f"{first} → {second}"


def milliseconds(seconds):
    """A time.

    >>> milliseconds(0.00022)
    '0.22 ms'
    """
    return f"{seconds * 1e3:.{2 if seconds < 0.1 else 0}f} ms"
