"""Ends the process without a word: os._exit(0)."""

import os


def attack(answer):
    """The good end comes before any question, and no handler runs."""
    os._exit(0)
