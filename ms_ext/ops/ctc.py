"""The loss of a sequence whose places in time are not known: connectionist temporal classification.

The labels l1 l2 are written as ``_ l1 _ l2 _``, with blanks between. ``alpha[t, s]`` is the
probability, in logarithms, of all ways to have read the first s of these after t steps: one stays,
goes on by one, or skips a blank between two different labels.
"""

from .. import ops
from ..engine import errors
from .composite import composite
from .loss_reduction import known_reduction
from .losses import need_tensors

_NEVER = -1e30  # the logarithm of a probability of 0


def _with_blanks(targets, lengths, blank):
    """[batch, 2 * labels + 1]: blanks before, between and behind the labels."""
    batch, count = targets.shape
    inside = ops.expand_dims(ops.arange(count), 0) < ops.expand_dims(lengths, 1)
    blanks = ops.full_like(targets, blank)
    labels = ops.where(inside, targets, blanks)
    pairs = ops.reshape(ops.stack((blanks, labels), -1), (batch, 2 * count))
    return ops.concat((pairs, blanks[:, :1]), 1)


def _moved(alpha, steps):
    """Shifted to the right: what is one or two places before."""
    never = ops.full((alpha.shape[0], steps), _NEVER, alpha.dtype)
    return ops.concat((never, alpha[:, :-steps]), 1)


def _alphas(log_probs, places, blank, lengths):
    """alpha after each step; from a sequence's end on it stays."""
    never = ops.full((places.shape[0], 2), 0) > 0
    other = ops.logical_and(places[:, 2:] != places[:, :-2], places[:, 2:] != blank)
    skips = ops.concat((never, other), 1)
    first = ops.expand_dims(ops.arange(places.shape[1]), 0) < 2
    found = [ops.where(first, ops.GatherD(log_probs[0], places, dim=1), _NEVER)]
    for t in range(1, log_probs.shape[0]):
        before = found[-1]
        skipped = ops.where(skips, _moved(before, 2), _NEVER)
        ways = ops.logsumexp(ops.stack((before, _moved(before, 1), skipped)), 0)
        now = ways + ops.GatherD(log_probs[t], places, dim=1)
        found.append(ops.where(ops.expand_dims(lengths > t, 1), now, before))
    return found


@composite("ctc_loss")
def ctc_loss(
    log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean",
    zero_infinity=False,
):  # fmt: skip
    """Two results: -log of the probability of the labels, over all places in time; and alpha.

    ``log_probs`` [time, batch, classes], ``targets`` [batch, labels], a length for each of both.
    "mean" divides each loss by its number of labels first. ``zero_infinity``: 0 for labels that
    are too many for the time.

    >>> x = ops.log_softmax(ops.zeros((2, 1, 2)), 2)
    >>> ops.ctc_loss(x, Tensor([[1]]), Tensor([2]), Tensor([1]))[0]
    Tensor(shape=[], dtype=Float32, value= 0.287682)
    """
    known_reduction(reduction)
    need_tensors(
        "ctc_loss", log_probs=log_probs, targets=targets, input_lengths=input_lengths,
        target_lengths=target_lengths,
    )  # fmt: skip
    if log_probs.ndim != 3 or targets.ndim != 2 or targets.shape[0] != log_probs.shape[1]:
        raise errors.InvalidValue(
            "log_probs must be [time, batch, classes], and targets [batch, labels].",
            given=f"{list(log_probs.shape)} and {list(targets.shape)}",
        )
    if not 0 <= blank < log_probs.shape[2]:
        raise errors.InvalidValue("blank must be one of the classes.", given=repr(blank))
    places = _with_blanks(targets, target_lengths, blank)
    alphas = _alphas(log_probs, places, blank, input_lengths)
    losses = _losses(alphas[-1], target_lengths, zero_infinity)
    return _reduced(losses, target_lengths, reduction), _shown(alphas)


def _losses(alpha, lengths, zero_infinity):
    """-log of the probability to have ended at the last label, or at the blank behind it."""
    last = ops.expand_dims(2 * lengths, 1)
    end = ops.squeeze(ops.GatherD(alpha, last, dim=1), 1)
    label = ops.squeeze(ops.GatherD(alpha, ops.maximum(last - 1, 0), dim=1), 1)
    label = ops.where(lengths > 0, label, _NEVER)
    losses = -ops.logsumexp(ops.stack((end, label)), 0)
    return ops.where(losses > -_NEVER / 2, 0.0 if zero_infinity else float("inf"), losses)


def _reduced(losses, lengths, reduction):
    if reduction == "none":
        return losses
    if reduction == "sum":
        return ops.ReduceSum(losses)
    return ops.mean(losses / ops.cast(ops.maximum(lengths, 1), losses.dtype))


def _shown(alphas):
    """[batch, time, places]; what cannot be is -inf."""
    table = ops.stack(tuple(alphas), 1)
    return ops.where(table < _NEVER / 2, float("-inf"), table)
