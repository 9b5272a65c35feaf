"""Takes all the memory."""

NEEDS = ("memory",)


def attack(answer):
    """Every byte is touched."""
    kept = []
    while True:
        kept.append(b"x" * (8 << 20))
