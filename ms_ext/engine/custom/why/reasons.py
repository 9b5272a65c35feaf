"""Where does the way from a result back to an op's inputs end? Both halves of it are walked.

Forwards from the op's result to the function's outputs, and back from its inputs to what the
gradient is asked of. The first place where the way ends is the reason.
"""

from ... import tape
from ...tensor import Tensor, core

STOP = "StopGradient"
TAKES_OUT = "asnumpy(), item(), float() and print take numbers out of a tensor: no way leads back."


def before(run, calls):
    """(code, sentence) of why nothing that a gradient is asked of comes to the op's inputs."""
    found = [each for call in calls for each in _sources(run, call)]
    for code in ("stopped", "integer", "no-path", "frozen", "not-asked", "constant"):
        for reason, sentence in found:
            if reason == code:
                return code, sentence
    return "constant", "It is called without a tensor."


def _sources(run, call):
    """(code, sentence) of each place where the way back from a call's operands ends."""
    makers = _makers(run)
    ahead, met = [v for v in call.operands if isinstance(v, Tensor)], set()
    while ahead:
        value = ahead.pop()
        if id(value) in met:
            continue
        met.add(id(value))
        maker = makers.get(id(value))
        if maker is None:
            yield _leaf(run, value)
        elif any(maker.moving) and not maker.recorded:
            yield _end(maker)
        else:
            ahead += [v for v in maker.operands if isinstance(v, Tensor)]


def _leaf(run, value):
    if hasattr(value, "requires_grad"):
        if not value.requires_grad:
            return "frozen", f"The Parameter '{value.name}' has requires_grad=False."
        return "not-asked", (
            f"It reads the Parameter '{value.name}', whose gradient is not asked for: give "
            "weights=net.trainable_params() to the gradient."
        )
    for place, given in enumerate(run.arguments):
        if any(value is each for each in tape.tensors_in((given,))):
            return "not-asked", (
                f"Its input comes from argument {place}, whose gradient is not asked for: "
                f"grad_position={place}."
            )
    return "constant", f"Its input is made of numbers, so it is a constant. {TAKES_OUT}"


def _end(call):
    """Why a call of moving operands has a result that the tape does not follow."""
    result = call.results[0]
    if result.dtype.kind != "float":
        return "integer", (
            f"{call.op.name} makes {result.dtype} of it: what counts does not move, so nothing "
            "flows back through it."
        )
    return "no-path", f"{call.op.name} has no gradient: nothing flows back through it."


def after(run, calls):
    """(code, sentence) of why nothing comes back to the op's results."""
    outputs = {id(out) for out in run.outputs}
    ends, used, ahead, met = [], False, [r for call in calls for r in call.results], set()
    leads_out = any(id(value) in outputs for value in ahead)
    while ahead:
        value = ahead.pop()
        for call, place in _users(run, value):
            used = True
            if (id(call), place) in met:
                continue
            met.add((id(call), place))
            end = _blocks(call, place)
            if end:
                ends.append(end)
            else:
                ahead += call.results
                leads_out = leads_out or any(id(each) in outputs for each in call.results)
    if ends:
        return ends[0]
    if leads_out:
        return "no-path", "It leads to an output to which no gradient comes back."
    if used:
        return "discarded", f"What is made of its result is not returned. {TAKES_OUT}"
    return "discarded", f"Nothing uses its result. {TAKES_OUT}"


def _users(run, value):
    for call in run.calls:
        for place, operand in enumerate(call.operands):
            if operand is value:
                yield call, place


def _blocks(call, place):
    """(code, sentence) if nothing flows back through a call to this operand; else None."""
    if call.op.name == STOP:
        return "stopped", "Its result goes through stop_gradient: nothing flows back."
    if not call.recorded:
        return _end(call)
    if _hands_back(call, place):
        return None
    name = call.op.name
    if call.is_custom:
        return "no-path", f"The bprop of {name} gives None for it (input {place})."
    return "no-path", f"{name} is flat: its gradient is zero everywhere, so nothing flows back."


def _hands_back(call, place):
    """Whether the op gives a gradient for this operand, tried once more by itself."""

    def alone(value):
        operands = (*call.operands[:place], value, *call.operands[place + 1 :])
        return core.default(call.op, operands, call.attributes)

    try:
        _, (gradient,), _ = tape.differentiate(alone, (call.operands[place],), zeros=False)
    except Exception:  # it was raised in the run, too, and is told there
        return True
    return gradient is not None


def in_vain(run, calls):
    """(code, sentence) if what the bprop gave goes nowhere: all its inputs were cut off before."""
    makers, asked = _makers(run), not calls
    for call in calls:
        ahead, met = [v for v, m in zip(call.operands, call.moving, strict=True) if m], set()
        while ahead:
            value = ahead.pop()
            maker = makers.get(id(value))
            if maker is None:
                asked = True
            elif maker.op.name != STOP and id(maker) not in met:
                met.add(id(maker))
                ahead += [v for v, m in zip(maker.operands, maker.moving, strict=True) if m]
    if asked:
        return None
    return "stopped", "But its inputs went through stop_gradient: what it gave goes no further."


def _makers(run):
    return {id(result): call for call in run.calls for result in call.results}
