"""Forms of this package's articles that MindSpore's own ``ops.Custom`` and others do not take."""

import ast

from .findings import NOTE
from .rule import rule

_CUSTOM = ("ops.Custom", "ops.operations.Custom")
#: What ``func_type`` may be there.
FUNC_TYPES = ("hybrid", "akg", "tbe", "aicpu", "aot", "pyfunc")
_GRADIENTS = ("grad", "value_and_grad", "ops.grad", "ops.value_and_grad")


def _word(call, name, place=None):
    """An argument of a call, by its name or place."""
    found = [each.value for each in call.keywords if each.arg == name]
    if not found and place is not None and len(call.args) > place:
        return call.args[place]
    return found[0] if found else None


def _text(node):
    value = getattr(node, "value", None)
    return value if isinstance(value, str) else None


@rule(
    "gradient-of-a-custom-op",
    "ms.grad takes a function here, not an op or a partial.",
    "Put it into a function: def f(x): return op(x).",
    """
op = ms.ops.Custom(lambda x: x * 2, lambda s: s, lambda d: d, "pyfunc",
                   bprop=lambda x, out, dout: (dout * 2,))
print(ms.grad(op)(ms.Tensor([1.0])))
""",
    """
op = ms.ops.Custom(lambda x: x * 2, lambda s: s, lambda d: d, "pyfunc",
                   bprop=lambda x, out, dout: (dout * 2,))

def f(x):
    return op(x)

print(ms.grad(f)(ms.Tensor([1.0])))
""",
)
def gradient_of_a_custom_op(program):
    """ms.grad(op) of an op made by ops.Custom, ms.grad(functools.partial(...))."""
    made: dict = {}
    for node in program.nodes(ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                made.setdefault(target.id, []).append(node.value)
    for call in program.calls(*_GRADIENTS):
        first = call.args[0] if call.args else None
        values = made.get(first.id, [None]) if isinstance(first, ast.Name) else [first]
        if all(_is_no_function(program, value) for value in values):
            yield call


def _is_no_function(program, value):
    if not isinstance(value, ast.Call):
        return False
    return program.is_one(value.func, *_CUSTOM) or ast.unparse(value.func) in (
        "partial",
        "functools.partial",
    )


@rule(
    "kind-of-a-custom-op",
    f"func_type is one of {', '.join(FUNC_TYPES)}.",
    "Write the op as func_type='pyfunc', or build it with CustomOpBuilder.",
    "op = ms.ops.Custom('f', lambda s: s, lambda d: d, func_type='mindir')",
    "op = ms.ops.Custom(lambda x: x, lambda s: s, lambda d: d, func_type='pyfunc')\n"
    "print(op(ms.Tensor([1.0])))",
)
def kind_of_a_custom_op(program):
    """func_type='mindir'"""
    for call in program.calls(*_CUSTOM):
        kind = _text(_word(call, "func_type", 3))
        if kind is not None and kind not in FUNC_TYPES:
            yield call


@rule(
    "file-of-a-custom-op",
    "The function of an 'aot' op is given as 'folder/file.so:function'.",
    "Write func='./my_ops.so:my_mul'.",
    "op = ms.ops.Custom('my_mul', lambda a: a, lambda a: a, 'aot')\nprint(op(ms.Tensor([1.0])))",
)
def file_of_a_custom_op(program):
    """func='my_mul'"""
    for call in program.calls(*_CUSTOM):
        kind, name = _text(_word(call, "func_type", 3)), _text(_word(call, "func", 0))
        if kind == "aot" and name is not None and ":" not in name:
            yield call


@rule(
    "shape-of-a-shape",
    "out_shape is given lists of numbers there, which have no 'shape'.",
    "Use what is given: out_shape=lambda x: x.",
    "op = ms.ops.Custom(lambda x: x, lambda x: x.shape, lambda d: d, 'pyfunc')\n"
    "print(op(ms.Tensor([1.0])))",
    "op = ms.ops.Custom(lambda x: x, lambda x: x, lambda d: d, 'pyfunc')\n"
    "print(op(ms.Tensor([1.0])))",
)
def shape_of_a_shape(program):
    """out_shape=lambda x: x.shape"""
    for call in program.calls(*_CUSTOM):
        function = _word(call, "out_shape", 1)
        if isinstance(function, ast.Name):
            named = [f for f in program.nodes(ast.FunctionDef) if f.name == function.id]
            function = named[-1] if named else None
        if isinstance(function, ast.Lambda | ast.FunctionDef):
            given = {each.arg for each in function.args.args}
            yield from (each for each in ast.walk(function) if _is_shape(each, given))


def _is_shape(node, names):
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "shape"
        and isinstance(node.value, ast.Name)
        and node.value.id in names
    )


@rule(
    "strict-setting",
    "set_context knows no 'strict'.",
    "Leave it away: there is nothing to choose there.",
    "ms.set_context(strict='2.10')",
    "ms.set_context(mode=ms.PYNATIVE_MODE)",
)
def strict_setting(program):
    """set_context(strict=...)"""
    for call in program.calls("set_context", "context.set_context"):
        if _word(call, "strict") is not None:
            yield call


@rule(
    "another-device",
    "Only the CPU is there, unless MindSpore was built for this device.",
    "Write device_target='CPU', or leave it away.",
    "ms.set_context(device_target='Ascend')",
    "ms.set_context(device_target='CPU')",
    kind=NOTE,
)
def another_device(program):
    """set_context(device_target='Ascend'), set_device('Ascend')"""
    for call in program.calls("set_context", "context.set_context", "set_device"):
        place = 0 if program.is_one(call.func, "set_device") else None
        if _text(_word(call, "device_target", place)) in ("Ascend", "GPU"):
            yield call


@rule(
    "format-of-an-export",
    "The format AIR is written with an Ascend device only.",
    "Write file_format='MINDIR'.",
    "net = ms.nn.Dense(1, 1)\n"
    "ms.export(net, ms.Tensor([[1.0]]), file_name='net', file_format='AIR')",
    kind=NOTE,
)
def format_of_an_export(program):
    """export(..., file_format='AIR')"""
    for call in program.calls("export", "train.export", "train.serialization.export"):
        if _text(_word(call, "file_format")) == "AIR":
            yield call


@rule(
    "loss-scale-of-a-model",
    "A Model on the CPU takes no loss scale that drops updates; on Ascend it does.",
    "Write FixedLossScaleManager(drop_overflow_update=False), or leave it away.",
    "net = ms.nn.Dense(1, 1)\n"
    "manager = ms.amp.DynamicLossScaleManager()\n"
    "ms.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params()),"
    " loss_scale_manager=manager)",
    "net = ms.nn.Dense(1, 1)\n"
    "manager = ms.amp.FixedLossScaleManager(drop_overflow_update=False)\n"
    "ms.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params()),"
    " loss_scale_manager=manager)",
    kind=NOTE,
)
def loss_scale_of_a_model(program):
    """Model(..., loss_scale_manager=DynamicLossScaleManager())"""
    words = ("DynamicLossScaleManager", "amp.DynamicLossScaleManager")
    fixed = ("FixedLossScaleManager", "amp.FixedLossScaleManager")
    dynamic = {*program.calls(*words)}
    for call in program.calls(*fixed):
        drops = _word(call, "drop_overflow_update", 1)
        if drops is None or getattr(drops, "value", None) is True:
            dynamic.add(call)
    named = {
        target.id
        for node in program.nodes(ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and node.value in dynamic
    }
    for call in program.calls("Model", "train.Model", "train.model.Model"):
        given = _word(call, "loss_scale_manager")
        if given in dynamic or isinstance(given, ast.Name) and given.id in named:
            yield call
