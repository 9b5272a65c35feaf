"""Ask MindSpore which ``mint`` names have no kernel for its CPU: python tests/record_no_cpu.py

To be run with a Python that has MindSpore 2.10. Each name is called with many kinds of arguments
until one call works; where none does and one said that a kernel is not registered, the name is
written to "no_cpu" of ms_ext/cli/portability/api.json.
"""

import importlib
import json
import re

from record_api import FILE

MODULES = (
    "mint", "mint.linalg", "mint.nn", "mint.nn.functional", "mint.optim", "mint.special",
)  # fmt: skip
_MISSING = re.compile(r"[Kk]ernel \w+ unregistered")
#: What layers are made with.
MADE_WITH = (
    (), (1,), (2,), (3,), (3, 3), (2, 2, 3), ((3,),), (2, 2), (0.5,), (1, 2), ((1, 1),),
    (0.1, 20.0), (2.0,), ((2, 2),), ((4, 4), (2, 2)), (1, 1, 2), (None, 2),
)  # fmt: skip


def arguments():
    """Many kinds of arguments: vectors, matrices, images, numbers, shapes, indices."""
    import numpy as np
    from mindspore import Tensor

    def drawn(*shape):
        return Tensor(np.random.rand(*shape).astype(np.float32) * 0.5 + 0.25)

    v, m, i = drawn(3), drawn(3, 3), Tensor(np.arange(3))
    im, b, k = Tensor(np.zeros((3, 3), np.int64)), Tensor(np.eye(3) > 0), drawn(2, 2, 3, 3)
    img, line, box, batch = drawn(1, 2, 4, 4), drawn(1, 2, 8), drawn(1, 2, 4, 4, 4), drawn(2, 3, 3)
    yield from ((m,), (v,), (i,), (b,), (m, m), (v, v), (i, i), (b, b), (m, v), (m, i), (i, m))
    yield from ((m, 0), (m, 1), (m, 2), (i, 4), (m, 0.5), (m, True), (m, (0, 1)), (m, (3, 3)))
    yield from ((m, 0, 1), (m, 1, 2), (m, -1, 1.0, 0), (m, 0, 3, 1), (m, 1, True), (m, 0.1, 20.0))
    yield from ((m, m, m), (v, v, v), ([m, m],), ((m, m), 0), (m, v, v), (b, v, v), (m, "fro"))
    yield from ((m, 0, i), (m, 0, im), (m, 0, im, m), (m, im), (im, m), (m, b, m), (m, b, 0.5))
    yield from ((m, b), (3,), (3, 3), (0, 3, 1), (0.0, 1.0, 3), ((3, 3),), ((3, 3), 1.0))
    yield from ((batch, batch), (m, batch, batch), (batch, batch, batch), (m, 0, 0, 2), (m, (3,)))
    yield from ((img, k), (img, k, v[:2]), (img, 2), (img, (2, 2)), (img, 1), (img, (8, 8)))
    yield from ((img, v[:2], v[:2]), (img, v[:2], v[:2], v[:2], v[:2]), (img, 2, v[:2], v[:2]))
    yield from ((line, 2), (line, drawn(2, 2, 3)), (box, 2), (box, (2, 2, 2)), (m, (1, 1)))
    yield from ((img, (1, 1, 1, 1)), (drawn(1, 8, 9), (4, 4), (2, 2)), (img, drawn(2, 1, 3, 3)))


def has_a_kernel(thing, path, kinds):
    """Whether a call works; None if none does, and none said why."""
    import mindspore as ms

    if path == "mint.optim":
        weight = ms.Parameter(kinds[1][0])
        return _works([lambda: thing([weight], 0.1)((kinds[1][0],))])
    if not isinstance(thing, type):
        return _works([lambda given=given: thing(*given) for given in kinds])
    layers = []
    for made_with in MADE_WITH:
        try:
            layers.append(thing(*made_with))
        except Exception:  # another number of arguments, say
            continue
    return _works([lambda f=f, given=given: f(*given) for f in layers for given in kinds])


def _works(calls):
    missing = None
    for call in calls:
        try:
            call()
        except Exception as error:  # whatever it says
            missing = False if _MISSING.search(str(error)) else missing
        else:
            return True
    return missing


def main():
    """Ask about every name, write those without a kernel."""
    import mindspore

    mindspore.runtime.launch_blocking()
    kinds, found = [*arguments()], []
    for path in MODULES:
        module = importlib.import_module(f"mindspore.{path}")
        for name in sorted({*module.__all__}):
            thing = getattr(module, name, None)
            if callable(thing) and has_a_kernel(thing, path, kinds) is False:
                found.append(f"{path}.{name}")
                print(found[-1], flush=True)
    kept = json.loads(FILE.read_text()) | {"no_cpu": found}
    FILE.write_text(json.dumps(kept, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
