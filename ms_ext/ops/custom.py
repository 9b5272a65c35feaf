"""``ops.Custom``: an op made from your own function. What it does stands in ``engine/custom``."""

from ..engine.custom.custom import Custom
from .composite import composite

composite("Custom")(Custom)
