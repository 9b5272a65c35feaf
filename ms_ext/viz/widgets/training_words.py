"""What is said about the steps of a training: for the text, and beside the pictures."""

import math

STATIONS = ("batch", "forward", "loss", "gradients", "update")
DRAWN = 4  # layers or Parameters of a station that are drawn, too
_SAID = 40  # that are told at all


def title(shown):
    """The heading of the whole."""
    losses = [step.loss for step in shown.steps]
    way = f"loss {figure(losses[0])}"
    way += f" → {figure(losses[-1])}" if len(losses) > 1 else ""
    count = f"{len(losses)} step{'s' * (len(losses) > 1)}"
    return f"{count} of {shown.net} with {shown.loss_fn} and {shown.optimizer}, {way}"


def figure(number):
    """A number in a few characters, with a true minus.

    >>> figure(-0.123456), figure(float("nan")), figure(3.0), figure(45372)
    ('−0.123', 'nan', '3', '45400')
    """
    if not math.isfinite(number):
        return str(number).replace("-", "−")
    if 1e3 <= abs(number) < 1e6:
        return f"{float(f'{number:.3g}'):.0f}".replace("-", "−")
    return f"{number:.3g}".replace("-", "−").replace("e+0", "e").replace("e−0", "e−")


def spread(seen):
    """The numbers of a small tensor, of a larger one its mean and its ends: one line or two."""
    if seen.few:
        return (" ".join(map(figure, seen.few)),)
    return f"mean {figure(seen.mean)}", f"{figure(seen.low)} to {figure(seen.high)}"


def slopes(seen):
    """What is said of a gradient."""
    return spread(seen)[0] if seen.few else f"norm {figure(seen.norm)}"


def labels(seen):
    """The first of a row of whole numbers."""
    more = " …" if _count(seen) > len(seen.numbers) else ""
    return " ".join(map(str, seen.numbers)) + more


def _count(seen):
    return int(seen.kind.partition("[")[2].rstrip("]") or 1)


def where(place):
    """An index as it is written behind a name.

    >>> where((3, 1)), where(())
    ('[3, 1]', '')
    """
    return str(list(place)) if place else ""


def moved(update):
    """The element that moved most, from and to, how far, and its gradient."""
    change = f"by {figure(update.new - update.old)}, its gradient is {figure(update.slope)}"
    place = f"at {where(update.place)} " if update.place else ""
    return f"{place}{figure(update.old)} → {figure(update.new)} ({change})"


# a station --------------------------------------------------------------------------------------


def rows(shown, at, station):
    """(name, words) of everything that a station shows."""
    return _ROWS[station](shown, at)


def _batch(shown, at):
    for each in shown.steps[at].batch:
        said = f": {labels(each)}" if each.numbers else f", {', '.join(spread(each))}"
        yield each.name, f"{each.kind}{said}"


def _forward(shown, at):
    for each in shown.steps[at].layers:
        yield f"{each.name} ({each.owner})", f"{each.kind}, {', '.join(spread(each))}"


def _loss(shown, at):
    now = shown.steps[at].loss
    said = figure(now)
    if at:
        before = shown.steps[at - 1].loss
        said += f", {figure(abs(now - before))} {'less' if now < before else 'more'} than before"
    yield "", said


def _gradients(shown, at):
    for each in shown.steps[at].gradients:
        yield each.name, f"{each.kind}, {slopes(each)}"


def _updates(shown, at):
    for each in shown.steps[at].updates:
        yield each.before.name, f"moved most {moved(each)}"


_ROWS = {
    "batch": _batch,
    "forward": _forward,
    "loss": _loss,
    "gradients": _gradients,
    "update": _updates,
}


def sentence(shown, at, station):
    """A station in one sentence."""
    found = list(rows(shown, at, station))
    said = "; ".join(f"{name}: {words}" if name else words for name, words in found[:DRAWN])
    more = f"; and {len(found) - DRAWN} more" if len(found) > DRAWN else ""
    return f"step {at + 1}, {station}: {said or 'nothing'}{more}"


# text -------------------------------------------------------------------------------------------


def page(shown):
    """All of it as text."""
    lines = [shown.title]
    for at in range(len(shown.steps)):
        lines += ["", f"step {at + 1} of {len(shown.steps)}"]
        for station in STATIONS:
            lines += _section(station, list(rows(shown, at, station)))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _section(station, found):
    wide = max((len(name) for name, _ in found[:_SAID]), default=0)
    for number, (name, said) in enumerate(found[:_SAID]):
        named = f"{name:<{wide}}  " if name else ""
        yield f"  {'' if number else station:<11}{named}{said}"
    if len(found) > _SAID:
        yield f"  {'':<11}and {len(found) - _SAID} more"
