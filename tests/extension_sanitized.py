"""What test_extension_sanitized runs in a Python of its own, where sanitizers watch.

python extension_sanitized.py FOLDER: the folder has the modules surface and gradients.
"""

import sys

import numpy as np
from extension_asked import answer, asked

import ms_ext as ms

X = np.array([[1, 2], [3, 4]], np.float32)


def every_answer(surface, gradients):
    """All that is asked of MindSpore too, in every policy."""
    for policy in ("stages", "auto", "blocking"):
        with ms.runtime.dispatch(policy):
            for expression in asked():
                answer(expression, ms, surface, gradients)


def a_long_queue(surface):
    """Operators of both kinds behind one another, some views, some results that nobody reads."""
    total, some = ms.Tensor(X), ms.Tensor(X)
    for i in range(300):
        total = surface.add3(total * 1, some * 0, some)
        surface.two(total.T)
        if i % 50 == 0:
            assert total.shape == (2, 2)
    assert total.asnumpy().tolist() == (301 * X).tolist()


def errors_that_nobody_reads(surface):
    """Failures whose results are dropped, read later, or operands of others."""
    for place in ("frontend", "launch"):
        for kind in range(8):
            bad = surface.raise_in(ms.Tensor(X), kind, place)
            good = surface.add3(ms.Tensor(X), bad, bad)
            for each in (good, bad):
                try:
                    each.asnumpy()
                except Exception:
                    pass
            surface.raise_in(ms.Tensor(X), kind, place)
    try:
        ms.runtime.synchronize()
    except Exception:
        pass


def main():
    """Everything, then the word that the test waits for."""
    sys.path.insert(0, sys.argv[1])
    import gradients
    import surface

    every_answer(surface, gradients)
    a_long_queue(surface)
    errors_that_nobody_reads(surface)
    print("all was done")


if __name__ == "__main__":
    main()
