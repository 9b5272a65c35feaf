"""A program that has no compiler: every way into ``ops.Custom`` says here what it does then.

It is run in a process of its own: ``python no_compiler_program.py <library> <source> <folder>``;
the source was compiled before, the folder has another one that was not. It prints JSON.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from custom_ways import UNCOMPILED, WAYS, hybrid_product

import ms_ext as ms
from ms_ext import Tensor, dtype, jit, ops


def told(make, x, y):
    """What an op gives in both modes, or its error."""
    try:
        op = make()
        values = [op(x, y).tolist(), jit(lambda x, y: op(x, y))(x, y).tolist()]
        ms.runtime.synchronize()
        return values
    except Exception as error:
        try:
            ms.runtime.synchronize()
        except Exception:  # the same error once more
            pass
        kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]
        return [kinds[0], str(error)]


def outcomes(library, source, folder):
    """{what: elements of a result, or the error's class and text}."""

    def first(x, y):
        return x

    x, y = Tensor(np.float32([1, 2])), Tensor(np.float32([3, 4]))

    new = Path(folder, "new.c")
    text = "int new_kernel(int n, void **p, int *d, void *s, void *t, void *u, void *e) {return 0;}"
    new.write_text(text)
    cython = "def double_it(double[:] x, double[:] y):\n    return x"
    found = {way: told(lambda: WAYS[way](library, x, y, None), x, y) for way in UNCOMPILED}  # noqa: B023
    found["a library"] = told(lambda: ops.Custom(f"{library}:my_mul", first, first, "aot"), x, y)
    found["compiled before"] = told(
        lambda: ops.Custom(f"{source}:my_mul", first, first, "aot"), x, y
    )
    found["a source"] = told(lambda: ops.Custom(f"{new}:new_kernel", first, first, "aot"), x, y)
    found["a text"] = told(lambda: ops.Custom(text, first, first, "jit"), x, y)
    found["cython"] = told(lambda: ops.Custom(cython, (2,), dtype.float64, "jit"), x, y)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        found["hybrid"] = told(lambda: ops.Custom(hybrid_product, func_type="hybrid"), x, y)
    found["hybrid's notice"] = [str(each.message) for each in heard]
    found["alone"] = hybrid_product(x.asnumpy(), y.asnumpy()).tolist()
    return found


if __name__ == "__main__":
    print(json.dumps(outcomes(*sys.argv[1:])))
