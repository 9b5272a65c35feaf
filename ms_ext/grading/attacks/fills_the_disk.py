"""Writes files until the disk is full, and as many names as it can hold."""

NEEDS = ("small disk", "file size")


def attack(answer):
    """A hundred megabytes in small files, and one that is larger than allowed."""
    for number in range(200):
        with open(f"file{number}", "wb") as file:
            file.write(b"x" * (1 << 20))
    with open("large", "wb") as file:
        file.truncate(1 << 40)
    return answer
