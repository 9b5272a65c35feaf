"""What did the learner say of an op beyond its function? Whether it is pure, its cost, aliases.

Nobody can know these from outside: without a word the op may do anything, costs no FLOPs, moves
its operands and results once, and gives results in memory of their own.
"""

from typing import NamedTuple

from .. import errors


class Traits(NamedTuple):
    """``flops``, ``bytes``: a number, or a function of the inputs' types; None: not said.

    ``aliases``: result -> the input whose memory it is written into; ``printer``: told of every
    call, None for nobody.
    """

    pure: bool = False
    flops: object = None
    bytes: object = None
    aliases: tuple = ()
    printer: object = None

    def cost(self, out, *types, **_attributes):
        """What ``Op.cost`` gives: FLOPs, or (FLOPs, bytes) if the bytes are declared, too."""
        flops = _number(self.flops, types)
        return flops if self.bytes is None else (flops, _number(self.bytes, types))

    def costing(self, flops, bytes):
        """The same op with declared costs, looked at first."""
        for word, value in (("flops", flops), ("bytes", bytes)):
            if value is not None and not callable(value):
                _counted(word, value)
        return self._replace(flops=flops, bytes=bytes)

    def writing(self, input, result):
        """The same op, whose ``result`` is written into the memory of ``input``."""
        for word, place in (("input", input), ("result", result)):
            if isinstance(place, bool) or not isinstance(place, int) or place < 0:
                raise errors.InvalidValue(
                    f"in_place takes the position of an {word}, counted from 0.",
                    given=f"{word}={place!r:.40}",
                    hint="op.in_place(0): result 0 is written into input 0's memory.",
                )
        others = {r: i for r, i in self.aliases if r != result}
        if input in others.values():
            raise errors.InvalidValue(
                f"Input {input} takes one result already: two cannot share its memory."
            )
        return self._replace(aliases=tuple(sorted({**others, result: input}.items())))


def _number(declared, types):
    if not callable(declared):
        return declared or 0
    return _counted("the declared cost", declared(*types))


def _counted(word, value):
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e30:
        raise errors.InvalidValue(
            f"A cost is a number that is not negative: {word}.",
            given=f"{value!r:.40}",
            hint="op.costs(flops=100), or a function of the inputs' types: "
            "op.costs(flops=lambda x, y: 2 * x.size).",
        )
    return int(value)
