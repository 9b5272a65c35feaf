"""The ways in: what ``func_type`` says, one file each, imported when the first such op is made.

A file ``ways/<func_type>.py`` enters its class with ``WAYS.add("<func_type>", ItsWay)``.
"""

from ...registry import Registry

WAYS = Registry("way into ops.Custom", package=__name__)
