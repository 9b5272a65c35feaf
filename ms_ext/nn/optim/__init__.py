"""Optimizers: how Parameters move along their gradients. One file for each family of formulas.

>>> from ms_ext.nn.optim import Adam
>>> Adam.__module__
'ms_ext.nn.optim.adam'
"""

from ...engine.later import showing

FILES = {
    "adam": ("AdaMax", "Adam", "AdamWeightDecay", "LazyAdam"),
    "adaptive": ("Adadelta", "Adagrad", "FTRL", "ProximalAdagrad", "RMSProp"),
    "averaged": ("ASGD",),
    "layerwise": ("Lamb",),
    "momentum": ("Momentum", "SGD"),
    "optimizer": ("Optimizer",),
    "signs": ("Rprop",),
}

__all__, __getattr__, __dir__ = showing(globals(), FILES)
