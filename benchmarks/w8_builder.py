"""Build and load an operator in C++, and call it through the four stages, beside MindSpore.

``MSPY=PYTHON python -m benchmarks w8``: a Python that has MindSpore 2.10. Each program is a process
of its own; they take turns. "first" builds with nothing there but the precompiled header, "no
header" makes that too, "again" loads what a new process finds built. "returns": the time of one of
500 calls in a row, "blocking" the same with all stages on the caller's thread.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import measure

BUILDS, ROUNDS = 3, 5
OPERATOR = r"""
#include "ms_extension/api.h"
class Add3 : public ms::pynative::PyboostRunner {
 public:
  using PyboostRunner::PyboostRunner;
  void LaunchKernel() override {
    const float *x = static_cast<const float *>(inputs()[0].GetDataPtr());
    const float *y = static_cast<const float *>(inputs()[1].GetDataPtr());
    const float *z = static_cast<const float *>(inputs()[2].GetDataPtr());
    float *out = static_cast<float *>(outputs()[0].GetDataPtr());
    for (size_t i = 0; i < inputs()[0].numel(); ++i) out[i] = x[i] + y[i] + z[i];
  }
  static ms::Tensor Eval(const ms::Tensor &x, const ms::Tensor &y, const ms::Tensor &z) {
    auto out = ms::Tensor(x.data_type(), x.shape());
    std::make_shared<Add3>("Add3")->Run({x, y, z}, {out});
    return out;
  }
};
py::object add3(const ms::Tensor &x, const ms::Tensor &y, const ms::Tensor &z) {
  return ms::pynative::PyboostRunner::Call<1>(Add3::Eval, x, y, z);
}
PYBIND11_MODULE(MS_EXTENSION_NAME, m) { m.def("add3", &add3, "x + y + z"); }
"""
KERNEL = r"""
#include <stdint.h>
int add(int n, void **p, int *nd, int64_t **s, const char **t, void *stream, void *extra) {
  const float *x = p[0], *y = p[1];
  float *out = p[2];
  for (int64_t i = 0; i < s[0][0]; ++i) out[i] = x[i] + y[i];
  return 0;
}
"""
BUILD = """
import json, sys, time
import numpy as np
import {package} as ms
from {package} import ops
start = time.perf_counter()
made = ops.CustomOpBuilder(
    "bench", [{source!r}], backend="CPU", build_dir={folder!r}, cflags={cflags!r}
).load()
spent = time.perf_counter() - start
print("@@", json.dumps(spent))
"""
CALL = """
import json, sys, time
import numpy as np
import {package} as ms
from {package} import ops
op = ops.CustomOpBuilder("bench", [{source!r}], backend="CPU", build_dir={folder!r}).load().add3
x, y, z = (ms.Tensor(np.ones((2, 2), np.float32)) for _ in range(3))
def sample(count=500):
    start = time.perf_counter()
    for _ in range(count):
        last = op(x, y, z)
    spent = (time.perf_counter() - start) / count
    last.asnumpy()
    return spent
def least():
    return min(sample() for _ in range(40))
returns = least()
ms.runtime.launch_blocking()
print("@@", json.dumps([returns, least()]))
"""


def run(python, program):
    """What a child prints after @@."""
    words = {"GLOG_v": "4", "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(
        [python, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, **words},
        cwd=tempfile.gettempdir(),
    )
    found = [line[3:] for line in done.stdout.splitlines() if line.startswith("@@ ")]
    if not found:
        raise SystemExit(done.stderr[-2000:])
    return json.loads(found[0])


class Program:
    """One package and one source, built in folders of its own."""

    def __init__(self, python, package, text, folder, suffix=".cpp"):
        self.python, self.folder, self.count = python, Path(folder, package + suffix[1:]), 0
        self.folder.mkdir()
        source = self.folder / f"bench{suffix}"
        source.write_text(text)
        self.words = {"package": package, "source": str(source)}

    def build(self, fresh, cflags=None):
        """Seconds to build and load it."""
        self.count += fresh
        place = str(self.folder / f"built_{self.count}")
        return run(self.python, BUILD.format(**self.words, folder=place, cflags=cflags))

    def call(self):
        """(seconds until a call returns, the same with all stages on the caller's thread)."""
        place = str(self.folder / f"built_{self.count}")
        return run(self.python, CALL.format(**self.words, folder=place))


def sampled(folder):
    """{row: [seconds]} of all programs in turns."""
    ours = Program(sys.executable, "ms_ext", OPERATOR, folder)
    plain = Program(sys.executable, "ms_ext", KERNEL, folder, ".c")
    theirs = os.environ.get("MSPY")
    peer = Program(theirs, "mindspore", OPERATOR, folder) if theirs else None
    builds, calls = {}, {}
    for turn in range(BUILDS):
        unknown = f"-D_BENCH_{os.getpid()}_{turn}"  # there is no precompiled header for such flags
        builds.setdefault("C++, no header", []).append(ours.build(True, unknown))
        builds.setdefault("C++, first", []).append(ours.build(True))
        builds.setdefault("C ABI, first", []).append(plain.build(True))
        if peer:
            builds.setdefault("MindSpore, first", []).append(peer.build(True))
    for _ in range(ROUNDS):
        builds.setdefault("C++, again", []).append(ours.build(False))
        builds.setdefault("C ABI, again", []).append(plain.build(False))
        if peer:
            builds.setdefault("MindSpore, again", []).append(peer.build(False))
        for program, name in ((ours, "ms_ext"), (peer, "MindSpore")):
            if program:
                returns, blocking = program.call()
                calls.setdefault(f"{name}, returns", []).append(returns)
                calls.setdefault(f"{name}, blocking", []).append(blocking)
    return builds, calls


def main():
    """Print a table of builds and one of calls."""
    with tempfile.TemporaryDirectory() as folder:
        builds, calls = sampled(folder)
    for title, samples in (("build and load", builds), ("a call, 3 x float32 (2, 2)", calls)):
        timings = {name: measure.timing(values) for name, values in samples.items()}
        reference = next((name for name in timings if "MindSpore" in name), next(iter(timings)))
        measure.table(title, timings, reference)


if __name__ == "__main__":
    main()
