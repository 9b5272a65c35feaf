"""The parts of the small views: ``shapes``, ``backward``, ``matcher``, ``stack``."""
