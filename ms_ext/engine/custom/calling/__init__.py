"""How is a kernel called that is in memory already? With pointers to its operands and results.

| file | question |
|---|---|
| ``target`` | what is made ready once, for calls of one kind? |
| ``refusals`` | what does it mean when a kernel returns another number than 0, or throws? |
| ``through_ctypes`` | how is it called where ``kernels/border`` is not compiled? |

``kernels_pyx/border.pyx`` is the way to call a kernel; ctypes is its readable twin. It cannot catch
what a kernel throws, and has no AotExtra to give: where a kernel needs those, it says so.
"""

from .target import BORDER, Target, new_shortcut, resting

__all__ = ["BORDER", "Target", "new_shortcut", "resting"]
