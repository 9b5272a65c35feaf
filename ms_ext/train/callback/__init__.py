"""``mindspore.train.callback``: what is called while a Model trains, and may look, say or stop.

>>> from ms_ext.train.callback import History
>>> History().history
{}

Each file of this folder is imported at the first use of one of its names.
"""

from ...engine.later import showing

_FILES = {
    "calling": ("Callback", "CallbackManager", "InternalCallbackParam", "RunContext"),
    "early_stopping": ("EarlyStopping",),
    "functions": ("LambdaCallback",),
    "history": ("History",),
    "loss_monitor": ("LossMonitor",),
    "model_checkpoint": ("CheckpointConfig", "ModelCheckpoint"),
    "rates": ("LearningRateScheduler", "ReduceLROnPlateau"),
    "time_monitor": ("TimeMonitor",),
}
_CALLING = "ms_ext.train.callback.calling"
_SPELLED = {  # MindSpore's own names of what is not public there
    "_CallbackManager": (_CALLING, "CallbackManager"),
    "_InternalCallbackParam": (_CALLING, "InternalCallbackParam"),
}

__all__, __getattr__, __dir__ = showing(globals(), _FILES, _SPELLED)
