"""20.matmul_runner: a matrix product by aclnn, each phase in its stage."""

import numpy as np

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.layers import values
from ms_ext.grading.recognise import on

WANTED = [["aclnnMatmulGetWorkspaceSize", "DeviceTask"], ["aclnnMatmul", "LaunchTask"]]


def product(draw, m, n, k):
    """x of shape [m, k] times y of shape [k, n]"""
    return Question(f"x [{m}, {k}] times y [{k}, {n}]", (draw(m, k), draw(k, n)))


_right = values.like(lambda x, y: np.matmul(x, y))


def same_values(question, answer):
    """x @ y, of their dtype."""
    if not isinstance(answer, dict):
        return Failure("kind", "A tensor is wanted.", got=answer)
    return _right(question, answer.get("answer"))


def in_order(question, answer):
    """The library is asked for a workspace in DeviceTask, and launches in LaunchTask."""
    calls = answer.get("calls") if isinstance(answer, dict) else None
    if not isinstance(calls, list) or not calls:
        return Failure("no-library", "No function of the library was called.", WANTED, calls)
    if [call[0] for call in calls] != [call[0] for call in WANTED]:
        words = "The library was asked for other functions, or in another order."
        return Failure("other-calls", words, WANTED, calls)
    for (name, stage), (_, wanted) in zip(calls, WANTED, strict=True):
        if stage != wanted:
            return Failure("other-stage", f"{name} was called in {stage}.", wanted, stage)
    return None


def _said(*words):
    """The error says one of these."""
    return lambda f: f.code == "raises" and any(word in f.words for word in words)


mistakes = (
    Mistake(
        "no-library", on("no-library"), "The library was not asked.",
        "The product is right, but aclnn had no part in it.",
        "Two functions make the call: aclnn.aclnnMatmulGetWorkspaceSize and aclnn.aclnnMatmul.",
    ),
    Mistake(
        "workspace", _said("needs a workspace"), "The launch has no workspace.",
        "Phase one said how many bytes it needs; nobody allocated them, or handed them on.",
        "device.allocate(size) gives the memory that the second phase takes.",
    ),
    Mistake(
        "too-early", _said("before LaunchTask"), "The launch is made in DeviceTask.",
        "Earlier calls are still to write the inputs: their elements come in LaunchTask.",
        "device.dispatch(f) has f() called there. f takes no argument: lambda: ...",
    ),
    Mistake(
        "nothing-launched", _said("launched nothing"), "The launch function launches nothing.",
        "It asks for a workspace and stops there.",
        "What is dispatched runs in LaunchTask: device.dispatch(lambda: ...).",
    ),
    Mistake(
        "output-form", _said("to 'out'"), "The output has another shape or dtype.",
        "[m, k] times [k, n] is [m, n], in the dtype of the inputs.",
        "ops.zeros(shape, dtype) makes it; x.dtype is the dtype.",
    ),
    Mistake(
        "operands", _said("matrices that can be multiplied"), "The operands are exchanged.",
        "aclnnMatmul takes x, then mat2, then the output.",
        "device.inputs() are in the order of Run's first list.",
    ),
    Mistake(
        "other-stage", on("other-stage"), "A phase runs in the wrong stage.",
        "Memory is set aside in DeviceTask, so that is where the library is asked how much.",
        "Ask in the launch function itself; dispatch only the second phase.",
    ),
)  # fmt: skip

hints = (
    "The launch function runs in DeviceTask. What of the two phases needs the elements?",
    "Three lines: ask for size and executor; allocate; dispatch a function that launches. The "
    "output is made before Run, with the shape of a product.",
    "A sibling, the exponential, which takes x and the output:\n\n"
    "def both_phases(place, stream):\n"
    "    needed, executor = aclnn.aclnnExpGetWorkspaceSize(*place.inputs(), *place.outputs())\n"
    "    memory = place.allocate(needed)\n"
    "    place.dispatch(lambda: aclnn.aclnnExp(memory, needed, executor, stream))",
)

_ASK = "size, executor = aclnn.aclnnMatmulGetWorkspaceSize(*device.inputs(), *device.outputs(), 0)"
_ALLOCATE = "workspace = device.allocate(size)"
_DISPATCH = "device.dispatch(lambda: aclnn.aclnnMatmul(workspace, size, executor, stream))"
_OUT = "out = ops.zeros((x.shape[0], y.shape[1]), x.dtype)"

mutants = (
    Mutant("workspace", _ALLOCATE, "workspace = None"),
    Mutant("workspace", _ALLOCATE, "workspace = device.allocate(size // 2)"),
    Mutant("too-early", _DISPATCH,
           "aclnn.aclnnMatmul(workspace, size, executor, stream)"),
    Mutant("nothing-launched", _DISPATCH, "pass"),
    Mutant("output-form", _OUT, "out = ops.zeros(x.shape, x.dtype)"),
    Mutant("output-form", _OUT, "out = ops.zeros((x.shape[0], y.shape[1]))"),
    Mutant("operands", "*device.inputs(), *device.outputs(), 0)",
           "*device.inputs()[::-1], *device.outputs(), 0)"),
    Mutant("no-library", "runner.Run([x, y], [out])", "out = x @ y"),
    Mutant("other-stage", _ASK, "pass", more=((_ALLOCATE, "pass"), (_DISPATCH, """
        def late():
            size, executor = aclnn.aclnnMatmulGetWorkspaceSize(
                *device.inputs(), *device.outputs(), 0
            )
            aclnn.aclnnMatmul(device.allocate(size), size, executor, stream)
        device.dispatch(late)"""))),
)  # fmt: skip

variants = {
    "by LAUNCH_ACLNN_FUNC": """
from ms_ext import ops
from ms_ext.engine.libraries import LAUNCH_ACLNN_FUNC, AclnnOpRunner

def matmul(x, y):
    out = ops.zeros((x.shape[0], y.shape[1]), x.dtype)
    runner = AclnnOpRunner("Matmul")
    runner.SetLaunchFunc(LAUNCH_ACLNN_FUNC("aclnnMatmul", x, y, out, 0))
    runner.Run([x, y], [out])
    return out
""",
    "a runner of one's own": """
from ms_ext import ops
from ms_ext.engine.libraries import PyboostRunner, aclnn

class Product(PyboostRunner):
    def CalcWorkspace(self):
        x, y = self.inputs()
        (out,) = self.outputs()
        self.size, self.executor = aclnn.aclnnMatmulGetWorkspaceSize(x, y, out)
        return self.size

    def LaunchKernel(self):
        aclnn.aclnnMatmul(self.workspace_ptr(), self.size, self.executor, self.stream())

def matmul(x, y):
    out = ops.zeros((x.shape[0], y.shape[1]), x.dtype)
    Product("Product").Run([x, y], [out])
    return out
""",
}

_ASKED = {"ask": "libraries", "inputs": "x y"}
exercise = Exercise(
    target="matmul",
    contract="x @ y by the library: asked for a workspace in DeviceTask, launched in LaunchTask.",
    checks=(
        Check("order", "each phase in its stage", 2, cases=drawn(product, dtypes="f32"),
              judge=in_order, **_ASKED),
        Check("values", "the product", 1, cases=drawn(product, dtypes="f32 f16"),
              judge=same_values, needs=("order",), **_ASKED),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
