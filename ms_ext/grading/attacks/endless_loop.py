"""Never comes back."""

SLOW = True
NEEDS = ("processor",)


def attack(answer):
    """Catching whatever is thrown at it."""
    while True:
        try:
            while True:
                continue
        except BaseException:
            continue
