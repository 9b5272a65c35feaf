"""``ms.experimental``: optimizers with PyTorch's arguments and their schedules, in ``optim``."""

from ..engine.later import showing

__all__, __getattr__, __dir__ = showing(globals(), {}, modules=("optim",))
