"""20.fft_runner: the spectrum of real signals by a plan of the library."""

import numpy as np

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.layers import values
from ms_ext.grading.recognise import on

WANTED = [
    ["asdFftMakePlan1D", "PyTask"], ["asdFftGetWorkspaceSize", "DeviceTask"],
    ["asdFftSetWorkspace", "DeviceTask"], ["asdFftExecR2C", "LaunchTask"],
]  # fmt: skip


def signals(draw, m, n):
    """m signals of n samples"""
    return Question(f"{m} × {n} samples", (draw(m, n),))


def _pairs(x):
    found = np.fft.rfft(x.astype(np.float64))
    return np.stack([found.real, found.imag], -1).astype(x.dtype)


_right = values.like(_pairs)


def same_values(question, answer):
    """The first half of the spectrum, in pairs."""
    if not isinstance(answer, dict):
        return Failure("kind", "A tensor is wanted.", got=answer)
    return _right(question, answer.get("answer"))


def in_order(question, answer):
    """Plan, workspace, transform, each in its stage."""
    calls = answer.get("calls") if isinstance(answer, dict) else None
    if not isinstance(calls, list) or not calls:
        return Failure("no-library", "No function of the library was called.", WANTED, calls)
    if calls != WANTED:
        words = "The library was asked for other functions, or in another order."
        return Failure("other-calls", words, WANTED, calls)
    return None


def _said(*words):
    """The error says one of these."""
    return lambda f: f.code == "raises" and any(word in f.words for word in words)


def _as_columns(x):
    columns = np.fft.rfft(x.astype(np.float64).reshape(x.shape[::-1]), axis=0)
    return np.stack([columns.real, columns.imag], -1).reshape(x.shape[0], -1, 2)


def _columns(failure):
    got = failure.got
    if failure.code != "values" or not isinstance(got, np.ndarray) or got.ndim != 3:
        return False
    wrong = _as_columns(failure.operands[0])
    return wrong.shape == got.shape and np.allclose(wrong, got, atol=1e-2)


mistakes = (
    Mistake(
        "no-library", on("no-library"), "The library was not asked.",
        "The numbers are right, but asdsip had no part in it.",
        "RunAsdSipFFTOp(name, FFTParam(...), x, out) makes the call.",
    ),
    Mistake(
        "columns", _columns, "Each column was transformed, not each row.",
        "x has one signal in each row: ASCEND_FFT_HORIZONTAL, which is the default.",
        "Leave dimType away.",
    ),
    Mistake(
        "tensor-shape", _said("ret: 2"), "A tensor has not the shape of the plan.",
        "A real signal of n points has n // 2 + 1 numbers in its spectrum, each of them a pair; "
        "the batch is the number of signals.",
        "Which sizes have x and out, and which does the FFTParam say?",
    ),
    Mistake(
        "other-type", _said("ret: 3", "C2C goes both ways"), "Function and plan are of two types.",
        "The op's name is the name of a function; its last three letters are its type.",
        "Real numbers go in, complex ones come out: which fftType, and which function?",
    ),
    Mistake(
        "symbol", _said("Get api"), "The library has no function of that name.",
        "The op's name is looked up as it stands.",
        "asdFftExecC2C, asdFftExecC2R or asdFftExecR2C?",
    ),
)  # fmt: skip

hints = (
    "How many complex numbers say everything about a real signal of n samples?",
    "Three lines: the output, [batch, n // 2 + 1, 2]; the FFTParam, of type R2C; the call, under "
    "the name of the function of that type.",
    "A sibling, complex to complex, which keeps the shape:\n\n"
    "batch, n, _ = z.shape\n"
    "out = ops.zeros(z.shape, z.dtype)\n"
    "param = asdsip.FFTParam(n, 0, asdsip.ASCEND_FFT_C2C, batchSize=batch)\n"
    'RunAsdSipFFTOp("asdFftExecC2C", param, z, out)',
)

_OUT = "out = ops.zeros((batch, n // 2 + 1, 2), x.dtype)"
_PARAM = "asdsip.FFTParam(n, 0, asdsip.ASCEND_FFT_R2C, batchSize=batch)"
_RUN = 'RunAsdSipFFTOp("asdFftExecR2C", param, x, out)'

mutants = (
    Mutant("tensor-shape", _OUT, "out = ops.zeros((batch, n, 2), x.dtype)"),
    Mutant("tensor-shape", _OUT, "out = ops.zeros((batch, n // 2 + 1), x.dtype)"),
    Mutant("tensor-shape", "batchSize=batch)", "batchSize=batch + 1)"),
    Mutant("tensor-shape", "FFTParam(n, 0,", "FFTParam(n + 2, 0,"),
    Mutant("columns", "batchSize=batch)", "batchSize=batch, dimType=asdsip.ASCEND_FFT_VERTICAL)"),
    Mutant("other-type", "asdFftExecR2C", "asdFftExecC2C"),
    Mutant("other-type", "asdsip.ASCEND_FFT_R2C", "asdsip.ASCEND_FFT_C2R"),
    Mutant("symbol", "asdFftExecR2C", "rfft"),
    Mutant("values", _RUN, _RUN + "\n    out = out * 2"),
    Mutant("no-library", _RUN, "z = np.fft.rfft(x.asnumpy())\n"
           "    out = Tensor(np.stack([z.real, z.imag], -1).astype(np.float32))"),
)  # fmt: skip

variants = {
    "Init and Run": """
from ms_ext import ops
from ms_ext.engine.libraries import AsdSipFFTOpRunner, asdsip

def spectrum(x):
    param = asdsip.FFTParam(
        fftXSize=x.shape[1], fftType=asdsip.FftType.ASCEND_FFT_R2C, batchSize=x.shape[0]
    )
    made = ops.ones((x.shape[0], x.shape[1] // 2 + 1, 2), x.dtype)
    runner = AsdSipFFTOpRunner("asdFftExecR2C")
    runner.Init(param)
    runner.Run([x], [made])
    return made
""",
    "numbers for names": """
from ms_ext import mint
from ms_ext.engine.libraries import RunAsdSipFFTOp, asdsip

def spectrum(x):
    rows, points = x.shape
    out = mint.zeros((rows, 1 + points // 2, 2), dtype=x.dtype)
    RunAsdSipFFTOp("asdFftExecR2C", asdsip.FFTParam(points, 0, 0x12, 0x10, rows, 0x10), x, out)
    return out
""",
}

_ASKED = {"ask": "libraries", "inputs": "x"}
exercise = Exercise(
    target="spectrum",
    contract="The first n // 2 + 1 numbers of the spectrum of each row of x, in pairs: real part, "
    "imaginary part. By asdFftExecR2C.",
    checks=(
        Check("values", "the spectrum", 2, cases=drawn(signals, dtypes="f32"),
              judge=same_values, **_ASKED),
        Check("order", "plan, workspace, transform", 1, cases=drawn(signals, dtypes="f32"),
              judge=in_order, needs=("values",), **_ASKED),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
