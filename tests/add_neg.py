"""x + (-y) -> x - y as two functions, and a graph where it fits twice, one inside the other."""

from ms_ext import ops

TWO_SITES = """
    graph f@1(%1 x: f32[2], %2 y: f32[2]) {
      %3 = Neg(%2) : f32[2]
      %4 = Add(%1, %3) : f32[2]
      %5 = Neg(%1) : f32[2]
      %6 = Add(%4, %5) : f32[2]
      %7 = Mul(%6, %5) : f32[2]
      return %7
    }
"""


def source(x, y):
    return ops.Add(x, ops.Neg(y))


def target(x, y):
    return ops.Sub(x, y)
