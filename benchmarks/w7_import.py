"""What importing costs on top of NumPy: new processes that take turns."""

import subprocess
import sys
import time

from benchmarks import measure

PROGRAMS = {
    "import numpy": "import numpy",
    "import ms_ext": "import numpy, ms_ext",
    "ms_ext and its ops": "import numpy, ms_ext; ms_ext.ops; ms_ext.Tensor",
    "ms_ext to a first jit": "import numpy, ms_ext; ms_ext.jit(ms_ext.ops.sin)(ms_ext.Tensor(1.0))",
}


def run(program):
    """Seconds of one process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - start


def main(rounds=9):
    """Print the table of wall times, and what each adds to numpy's median."""
    samples = {name: [] for name in PROGRAMS}
    for _ in range(rounds):
        for name, program in PROGRAMS.items():
            samples[name].append(run(program))
    timings = {name: measure.timing(values) for name, values in samples.items()}
    measure.table("import", timings, "import numpy")
    base = timings["import numpy"]
    for name, t in timings.items():
        print(
            f"- {name}: +{measure.shown(max(t.least - base.least, 0))} (least), "
            f"+{measure.shown(max(t.median - base.median, 0))} (median) on top of numpy"
        )


if __name__ == "__main__":
    main()
