"""The sequence of calls in words: its title, its arrows, and one sentence of all."""

from ..timing.words import counted


def title(steps):
    """How many calls, what the caches had, how much workspace."""
    calls = len({step.call for step in steps} - {0})
    hits = sum(step.cache == "hit" for step in steps)
    others = sum(step.cache in ("miss", "busy") for step in steps)
    size = sum(step.bytes for step in steps)
    had = f"{counted(hits, 'hit')}, {others} {'miss' if others == 1 else 'misses'}"
    return f"{counted(calls, 'call')}; the caches: {had}; {size} bytes of workspace"


def page(shown):
    """The title, and each arrow in a line."""
    lines = [
        f"{number:4}  {step.stage:12}  {step.source:7} -> {step.target:7}  {said(step)}"
        for number, step in enumerate(shown.steps, 1)
    ]
    return "\n".join([shown.title, *lines])


def sentence(shown):
    """All arrows as one sentence."""
    if not shown.steps:
        return "No function of a library was called."
    parts = [
        f"in {step.stage} {step.source} to {step.target}: {said(step)}" for step in shown.steps
    ]
    return f"{shown.title}. {'; '.join(parts)}."


def said(step):
    """What stands at an arrow."""
    return f"{step.call}: {step.words}" if step.call else step.words
