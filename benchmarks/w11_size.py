"""Does compiling stay linear? Microseconds a line, stage by stage, as programs grow.

Straight lines, small ifs on a tensor, ifs with a new name each, calls of an inner function: each
in sizes that grow by ten, and what the process holds at the end.
"""

import linecache
import time

import numpy as np

import ms_ext as ms
from ms_ext.engine import backends, jit, making, pipeline

X, Y = ms.Tensor(np.float32(1.5)), ms.Tensor(np.float32(0.5))


def straight(count):
    """One op a line."""
    lines = ("t = t * 1.01", "t = t + y", "t = abs(t)", "t = t - 0.5")
    return ["t = x", *[lines[i % 4] for i in range(count)], "return t"]


def small_ifs(count):
    """Each if is one region with one op."""
    return [
        "t = x",
        *[x for i in range(count) for x in (f"if t > {i}:", "  t = t + y")],
        "return t",
    ]


def ifs_on_new_names(count):
    """As many names as ifs."""
    steps = [(f"t{i + 1} = t{i} * y", f"if t{i} > {i}:", f"  t{i + 1} = x") for i in range(count)]
    return ["t0 = x", *[line for step in steps for line in step], f"return t{count}"]


def inner_calls(count):
    """Each call is read in place."""
    return ["def g(a, b):", "  return a * b + a", "t = x", *["t = g(t, y)"] * count, "return t"]


SIZES = {
    straight: (1000, 10_000, 100_000),
    small_ifs: (1000, 10_000),
    ifs_on_new_names: (1000, 10_000),
    inner_calls: (1000, 10_000, 100_000),
}


def function_of(lines):
    """A function nobody has read."""
    text = "def f(x, y):\n" + "".join(f"  {line}\n" for line in lines)
    name = f"<{len(lines)} lines at {time.perf_counter_ns()}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def stages(function):
    """Seconds of processor time for reading, for the passes, for building."""
    with making.making():
        marks = [time.process_time()]
        graph = jit.trace(function, X, Y)
        marks.append(time.process_time())
        pipeline.run(graph)
        marks.append(time.process_time())
        backends.build("", graph)
        marks.append(time.process_time())
    return [b - a for a, b in zip(marks, marks[1:], strict=False)]


def held():
    """MiB that this process holds; 0 where the system does not say."""
    try:
        with open("/proc/self/status") as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["VmRSS"].split()[0]) >> 10
    except OSError:
        return 0


def main():
    """Print the table."""
    ms.jit(lambda x: x + 1)(X)  # what is done once is done
    print("\n| program | size | read | passes | build | process |\n|---|---|---|---|---|---|")
    for program, sizes in SIZES.items():
        for count in sizes:
            times = [f"{1e6 * t / count:.0f} us" for t in stages(function_of(program(count)))]
            print(
                f"| {program.__name__} | {count} | {' | '.join(times)} | {held()} MiB |", flush=True
            )


if __name__ == "__main__":
    main()
