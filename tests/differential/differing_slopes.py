"""A program's gradient against differences: the slope along a direction, from points near."""

import numpy as np
from differing import leaves
from differing_gradients import Program, direction, eager_or_graph, place

import ms_ext as ms

STEP = 1e-6


class Unclear(Exception):
    """Here differences say nothing about a slope: a kink, a jump, or too much rounding."""


class Stopped:
    """``ops.stop_gradient`` for differences: near a point it gives what it gave at the point."""

    def __init__(self):
        self.kept, self.left = [], None

    def __call__(self, x):
        if self.left is None:
            self.kept.append(ms.Tensor(x.asnumpy().copy()))
            return self.kept[-1]
        found = next(self.left, None)
        if found is None:
            raise Unclear("the program goes another way")
        return found


def numeric(program, order=1):
    """How the gradient differs from the slope between two points near, in words, or None."""
    module = program.module()
    values, weights = program.point()
    extra = direction(program.seed) if order == 2 else []
    place(module, weights)
    made = [ms.Tensor(v) if isinstance(v, np.ndarray | np.generic) else v for v in values + extra]
    taken = eager_or_graph(module, "second" if order == 2 else "first", values + extra)
    value, (by_input, by_weight) = taken(*made)
    total(value)
    found = [*by_input[:3], *by_weight]
    module = Program(program.seed, program.text.replace("ops.stop_gradient", "stopped")).module()
    place(module, weights)
    module["stopped"] = Stopped()
    function = eager_or_graph(module, "along", values + extra) if extra else module["program"]
    if extra and function is not module["along"] and "stop_gradient" in program.text:
        raise Unclear("what is stopped is remembered in eager mode only")
    for seed in range(2):
        way = direction([program.seed, seed])
        slope = sum(float((g.asnumpy() * d).sum()) for g, d in zip(found, way, strict=True))
        expected, room = slope_along(function, module, values, weights, way, extra, program)
        if abs(slope - expected) > room:
            return f"order {order}: the slope is {expected:.12g}, the gradient says {slope:.12g}"
    return None


def total(value):
    """The sum of the floats of a result; unclear where it is not a small number."""
    found = sum(float(part.sum()) for part in leaves(value) if part.dtype.kind == "f")
    if not abs(found) < 1e6:
        raise Unclear(f"the value is {found}")
    return found


def slope_along(function, module, values, weights, way, extra, program):
    """(the central difference along a direction, how wrong it may be)."""

    def at(step):
        stopped = module["stopped"]
        if step:
            stopped.left = iter(stopped.kept)
        else:
            stopped.kept, stopped.left = [], None
        near = [v + step * d for v, d in zip(values[:3] + weights, way, strict=True)]
        place(module, near[3:])
        given = [*near[:3], *values[3:], *extra]
        made = [ms.Tensor(v) if isinstance(v, np.ndarray | np.generic) else v for v in given]
        result = function(*made)
        return total(result[0] if program.has_aux and not extra else result)

    here, (up, down), (far, farther) = at(0), (at(STEP), at(-STEP)), (at(2 * STEP), at(-2 * STEP))
    place(module, weights)
    slope, coarse = (up - down) / (2 * STEP), (far - farther) / (4 * STEP)
    room = 1e-5 * abs(slope) + 1e-7 * (1 + abs(here))
    bend, wide = abs(up - 2 * here + down) / STEP, abs(far - 2 * here + farther) / STEP
    if abs(slope - coarse) > room / 4 or (bend > 10 * room and wide < 3 * bend):
        raise Unclear(f"slopes {slope} and {coarse}, bend {bend}")
    return slope, room
