"""A kernel written in C, judged without a compiler: read, then run with every access watched.

A small part of the language is read: functions, numbers, pointers, `if`, `for`, `while`. What is
run is data to this process: nothing of it is compiled, loaded or executed by the machine.

>>> text = 'extern "C" int f(int n, void **params) { ((float*)params[0])[0] = n / 2; return 0; }'
>>> memory = Memory("out", "float32", [None])
>>> read(text).call("f", 5, pointers("params", [memory.start("void")])), memory.data
(0, [2.0])
"""

from .functions import read
from .memory import Fault, Memory, Pointer, pointers, word
from .program import Program
from .tokens import NotRead

__all__ = ["Fault", "Memory", "NotRead", "Pointer", "Program", "pointers", "read", "word"]
