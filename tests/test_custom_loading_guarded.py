"""Kernels that write where they must not, crash, exit or never end: an error says so."""

import os
from pathlib import Path

import numpy as np
import pytest
from custom_libraries import HEAD, needs_compiler, own_cache
from custom_ops import X, Y, value

from ms_ext import Tensor, jit, ops
from ms_ext.engine.custom.loading import open_kernel
from ms_ext.engine.custom.loading.arena import PAGE, Arena
from ms_ext.engine.custom.loading.guarded import run_guarded

pytestmark = [
    needs_compiler,
    pytest.mark.usefixtures(own_cache.__name__),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs Linux"),
]
BODIES = {
    "good": 'printf("%s", dtypes[0]); for (k = 0; k < n; k++) out[k] = x[k] * y[k];',
    "behind": "for (k = 0; k <= n; k++) out[k] = 2;",
    "far": "out[n + 1000] = 2;",
    "before": "for (k = -1; k < n; k++) out[k] = 2;",
    "far_before": "out[-5000] = 2;",
    "into_input": "x[1] = 3;",
    "reads": "for (k = 0; k <= n; k++) out[0] += y[k];",
    "params_read": "*(float *)params[nparam] = 1;",
    "shape_read": "out[0] = shapes[0][2];",
    "null": "*(volatile int *)stream = 1;",
    "wild": "*(volatile int *)0x123456789000 = 1;",
    "loop": "for (;;) { volatile int z = 0; z++; }",
    "leaves": "exit(3);",
    "aborts": "abort();",
    "divides": "volatile int z = 0; return 8 / z;",
    "deep": "volatile char c[4096]; c[9] = nparam; params[2] ? 0 : exit(4); "
    "return deep(c[9], params, ndims, shapes, dtypes, stream, (void *)c) + c[8];",
    "seven": "return 7;",
    "scratch": "char *w = params[3]; w[99] = 1; w[100] = 1;",
}


def source():
    text = "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    for name, body in BODIES.items():
        text += (
            f"{HEAD.format(name)} {{\n  float *x = params[0], *y = params[1], *out = params[2];\n"
        )
        text += "  int64_t k = 0, n = shapes[2][0] * shapes[2][1]; (void)x; (void)y; (void)k;\n"
        text += f"  (void)out; (void)n; {body}\n  return 0;\n}}\n"
    return text


@pytest.fixture
def guarded(tmp_path):
    """Run one of the kernels on 2x2 arrays: (returned, result)."""
    path = tmp_path / "kernels.c"
    path.write_text(source())

    def run(name, shape=(2, 2), seconds=5.0, **more):
        kernel = open_kernel(f"{path}:{name}", name=name)
        x, y = np.full(shape, 2, "f4"), np.full(shape, 3, "f4")
        out = np.zeros(shape, "f4")
        return run_guarded(
            kernel, [x, y], [out], ["float32"] * 3, seconds=seconds, **more
        ), out.tolist()

    return run


def test_a_good_kernel_computes_and_prints(guarded, capsys):
    assert guarded("good") == (0, [[6, 6], [6, 6]])
    assert capsys.readouterr().out == "float32"


def test_its_own_error_code_is_returned_and_nothing_is_written(guarded):
    assert guarded("seven") == (7, [[0, 0], [0, 0]])


@pytest.mark.parametrize(
    "name, message",
    [
        ("behind", "The kernel behind wrote behind the end of output 0: element 4 of 4."),
        ("far", "The kernel far wrote behind the end of output 0: element 1004 of 4."),
        ("before", "The kernel before wrote before the beginning of output 0: element -1 of 4."),
        ("far_before", "The kernel far_before wrote before the beginning of output 0: element "
                       "-5000 of 4."),
        ("reads", "The kernel reads read behind the end of input 1: element 4 of 4."),
        ("params_read", "The kernel params_read read behind the end of params: element 3 of 3."),
        ("shape_read", "The kernel shape_read read behind the end of shapes[0]: element 2 of 2."),
    ],
)  # fmt: skip
def test_a_step_over_an_end_is_named(guarded, name, message):
    with pytest.raises(RuntimeError) as caught:
        guarded(name)
    if "touched" in caught.value.message:  # a CPU that does not tell writes from reads
        message = message.replace(" wrote ", " touched ").replace(" read ", " touched ")
    assert (caught.value.reason, caught.value.message) == ("out-of-bounds", message)


def test_the_buffers_kind_is_shown(guarded):
    with pytest.raises(RuntimeError) as caught:
        guarded("behind")
    assert caught.value.given == "output 0: float32[2, 2]"


def test_a_workspace_has_ends_too(guarded):
    assert guarded("scratch", workspace=(101,))[0] == 0
    with pytest.raises(RuntimeError, match="behind the end of workspace 0: element 100 of 100"):
        guarded("scratch", workspace=(100,))


def test_an_input_is_not_to_be_written_unless_it_is_said(guarded):
    with pytest.raises(RuntimeError, match="into input 0, which is not its to change") as caught:
        guarded("into_input")
    assert caught.value.given == "element 1 of float32[2, 2]"
    assert guarded("into_input", in_place=(0,))[0] == 0


@pytest.mark.parametrize(
    "name, reason, words",
    [
        ("null", "null-pointer", "memory that is nobody's"),
        ("wild", "wild-pointer", "memory that is nobody's"),
        ("leaves", "exited", "ended the process with exit code 3 instead of returning"),
        ("aborts", "aborted", "called abort()"),
        ("deep", "crashed", "crashed (SIGSEGV)"),
    ],
)
def test_the_process_survives_a_crash(guarded, name, reason, words):
    with pytest.raises(RuntimeError) as caught:
        guarded(name)
    assert caught.value.reason == reason and words in caught.value.message


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="others divide by 0 in silence")
def test_a_division_of_integers_by_zero_is_named(guarded):
    with pytest.raises(RuntimeError, match="divided an integer by zero"):
        guarded("divides")


def test_an_endless_loop_is_ended(guarded):
    with pytest.raises(RuntimeError, match=r"was still running after 0\.2 seconds") as caught:
        guarded("loop", seconds=0.2)
    assert caught.value.reason == "too-long"


def test_no_child_descriptor_or_memory_is_left(guarded):
    def counts():
        with open("/proc/self/maps") as maps:
            return len(os.listdir("/proc/self/fd")), len(maps.readlines())

    def children():
        return {p.read_text() for p in Path("/proc/self/task").glob("*/children")}

    guarded("good")
    before, others = counts(), children()
    for _ in range(5):
        guarded("good")
    assert counts()[0] == before[0] and abs(counts()[1] - before[1]) < 10
    assert children() == others


@pytest.mark.parametrize("shape", [(), (0,), (3,), (PAGE // 4,), (PAGE // 4 + 1,), (70, 1001)])
def test_buffers_end_at_a_page_and_keep_what_is_written(shape):
    arena = Arena([("a", "float32", 4, shape), ("b", "int8", 1, (5,))])
    first, second = arena.buffers
    data = np.arange(int(np.prod(shape)), dtype="f4")
    arena.write(first, data.tobytes())
    assert bytes(arena.memory(first)) == data.tobytes()
    assert first.end % PAGE == 0 and first.high <= second.low
    assert arena.damaged() is None
    assert arena.around(first.end) is first and arena.around(second.page) is second
    arena.close()
    arena.close()


# as an op --------------------------------------------------------------------------------------


@pytest.fixture
def op(tmp_path):
    """An op of one of the kernels."""
    path = tmp_path / "kernels.c"
    path.write_text(source())
    return lambda name: ops.Custom(f"{path}:{name}", lambda x, y: x, lambda x, y: x, "aot")


def test_a_guarded_op_computes_the_same_in_both_modes(op):
    product = op("good").guarded()
    x, y = Tensor(X), Tensor(Y)
    assert value(product(x, y)) == value(jit(lambda x, y: product(x, y))(x, y)) == (X * Y).tolist()
    assert value(product.guarded(False)(x, y)) == (X * Y).tolist()


def test_a_guarded_op_that_steps_over_an_end_is_an_error_in_both_modes(op):
    beyond = op("behind").guarded()
    for call in (beyond, jit(lambda x, y: beyond(x, y))):
        with pytest.raises(RuntimeError, match="behind the end of output 0: element 4 of 4"):
            value(call(Tensor(X), Tensor(Y)))


def test_a_guarded_ops_own_error_code_in_mindspores_words(op):
    with pytest.raises(RuntimeError, match=r"function\(seven\) is 7. Any return value not equal"):
        value(op("seven").guarded()(Tensor(X), Tensor(Y)))


def test_a_guarded_crash_leaves_the_process_and_its_ops_alive(op):
    with pytest.raises(RuntimeError, match=r"crashed|nobody's"):
        value(op("null").guarded(seconds=5)(Tensor(X), Tensor(Y)))
    assert value(op("good")(Tensor(X), Tensor(Y))) == (X * Y).tolist()
