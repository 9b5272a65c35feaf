"""ms_ext: see how a deep-learning framework works inside. MindSpore's names, no MindSpore needed.

>>> import ms_ext as ms
>>> ms.grad(lambda x: x**3 + 2 * x)(ms.Tensor(2.0))
Tensor(shape=[], dtype=Float32, value= 14)

What MindSpore names the same is portable; ``viz``, ``check`` and ``engine`` are extras of this
package. Everything below is imported at its first use; in IPython there is also ``%%check``, and
``%load_ext ms_ext`` makes ``import mindspore`` find this package. With MS_EXT_ENGINE=mindspore the
portable names are MindSpore's own.
"""

import importlib
import os
import sys

__version__ = "0.1.0"

_DTYPES = (
    "bfloat16",
    "bool_",
    "float16",
    "float32",
    "float64",
    "int16",
    "int32",
    "int64",
    "int8",
    "uint8",
)
_TRAIN = (
    "Accuracy", "Callback", "CheckpointConfig", "ConfusionMatrix", "ConfusionMatrixMetric",
    "CosineSimilarity", "Dice", "DynamicLossScaleManager", "EarlyStopping", "F1", "Fbeta",
    "FixedLossScaleManager", "History", "LambdaCallback", "LearningRateScheduler", "Loss",
    "LossMonitor", "LossScaleManager", "MAE", "MSE", "Metric", "ModelCheckpoint", "Perplexity",
    "Precision", "ROC", "Recall", "ReduceLROnPlateau", "RunContext", "TimeMonitor",
    "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "auc",
    "build_train_network", "get_metric_fn", "names", "rearrange_inputs",
)  # fmt: skip
_RUNTIME = (
    "Event", "Stream", "StreamCtx", "current_stream", "default_stream", "launch_blocking",
    "set_cur_stream", "synchronize",
)  # fmt: skip
_WHERE = {
    **dict.fromkeys(_TRAIN, "train"),
    **dict.fromkeys(_RUNTIME, "runtime"),
    **dict.fromkeys(_DTYPES, "dtype"),
    "Tensor": "common", "Parameter": "common", "ParameterTuple": "common", "tensor": "common",
    "jit_class": "common", "lazy_inline": "common", "mutable": "common",
    "COMPATIBLE": "context", "LAX": "context", "STRICT": "context",
    "GRAPH_MODE": "context", "PYNATIVE_MODE": "context",
    "dtype_to_nptype": "dtype", "dtype_to_pytype": "dtype", "pytype_to_dtype": "dtype",
    "from_numpy": "common", "is_tensor": "common",
    "get_context": "context", "set_context": "context", "set_device": "context",
    "get_seed": "session", "run_check": "session", "set_deterministic": "session",
    "set_recursion_limit": "session",
    "constexpr": "common.mapping",
    "jit": "engine.jit", "set_seed": "ops.randomness",
    "grad": "engine.gradients.gradient", "value_and_grad": "engine.gradients.gradient",
    "vjp": "engine.gradients.pullbacks", "jvp": "engine.gradients.pushforwards",
    "jacfwd": "engine.gradients.jacobians", "jacrev": "engine.gradients.jacobians",
    "get_grad": "engine.gradients.answers", "gradcheck": "engine.custom.gradcheck.checking",
    "why_no_gradient": "engine.custom.why.asking",
    "recompute": "engine.gradients.blocks",
    "enable_dynamic": "engine.declared_inputs",
    "vmap": "engine.batching",
    "load_checkpoint": "train", "load_checkpoint_async": "train", "load_param_into_net": "train",
    "save_checkpoint": "train", "async_ckpt_thread_status": "train",
    "ckpt_to_safetensors": "train", "safetensors_to_ckpt": "train", "Model": "train",
    "check": "grading", "hint": "grading",
}  # fmt: skip
_MODULES = (
    "amp",
    "common",
    "context",
    "dataset",
    "dtype",
    "engine",
    "experimental",
    "grading",
    "graph",
    "kernels",
    "libraries",
    "log",
    "mindrecord",
    "mint",
    "nn",
    "ops",
    "runtime",
    "train",
    "viz",
)

__all__ = sorted([*_WHERE, *_MODULES, "__version__"])


def __getattr__(name):
    resolve = sys.modules.get("ms_ext.resolve")
    if resolve is not None and not name.startswith("__") and resolve.elsewhere():
        return resolve.mirrored(name)
    if name in _MODULES:
        value = importlib.import_module(f"ms_ext.{name}")
    elif name in _WHERE:
        importlib.import_module("ms_ext.ops")  # tensors get their operators from the ops
        _offer_heavy_calls()
        value = getattr(importlib.import_module(f"ms_ext.{_WHERE[name]}"), name)
    else:
        from .engine.errors import UnknownAttribute, did_you_mean

        message = f"module 'ms_ext' has no attribute {name!r}"
        raise UnknownAttribute(message, hint=did_you_mean(name, __all__))
    globals()[name] = value
    return value


def _offer_heavy_calls():
    """The first call that may be worth handing over brings in the stages, which then decide."""
    from .engine.tensor import core

    def dispatch(op, operands, attributes):
        from .engine.stages import policy

        return policy.dispatch(op, operands, attributes)

    before = core.set_dispatcher(dispatch)
    if before is not None:
        core.set_dispatcher(before)


def __dir__():
    return __all__


def load_ipython_extension(shell):
    """``%load_ext ms_ext``: ``import mindspore`` finds this package, as ``ms-ext run`` does it."""
    from . import resolve

    _offer_magics(shell)
    if resolve.engine() == resolve.OURS:
        resolve.here()


def unload_ipython_extension(shell):
    """``%unload_ext ms_ext``: ``import mindspore`` is MindSpore again; ``%%check`` stays."""
    from . import resolve

    if resolve.engine() == resolve.OURS:
        resolve.withdraw()


def _offer_magics(shell):
    """``%%check 05.mul_bprop`` and ``%%cpp_op add3``; their code is imported when used."""

    def check(line, cell=None):
        from ms_ext.grading.notebook import cell_magic

        return cell_magic.run(shell, line, cell)

    def cpp_op(line, cell):
        from ms_ext.engine.custom.builder import cell as magic

        return magic.run(shell, line, cell)

    shell.register_magic_function(check, "line_cell", "check")
    shell.register_magic_function(cpp_op, "cell", "cpp_op")


if os.environ.get("MS_EXT_ENGINE") not in (None, "", "ms_ext"):
    from . import resolve

    resolve.there()

if "IPython" in sys.modules and (_shell := sys.modules["IPython"].get_ipython()) is not None:
    _offer_magics(_shell)
