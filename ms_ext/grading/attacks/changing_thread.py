"""Changes its answers from a second thread while they are read."""

import inspect
import threading


def attack(answer):
    """Every result is written to for as long as it lives."""
    if not inspect.isfunction(answer):
        return answer
    given = []

    def disturb():
        for _ in range(20_000):
            for each in given[-4:]:
                try:
                    each[...] = 0
                except (TypeError, ValueError):
                    continue

    def watched(*operands):
        results = answer(*operands)
        given.extend(results)
        return results

    threading.Thread(target=disturb, daemon=True).start()
    return watched
