"""Ignores every signal that could end it, sets alarms, and stays."""

import signal

SLOW = True
NEEDS = ("processor",)


def attack(answer):
    """Only what cannot be handled ends this loop."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    while True:
        continue
