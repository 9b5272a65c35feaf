"""How is a kernel of the learner's found, compiled, opened, and closed; and what if that fails?

| file | question |
|---|---|
| ``kernel`` | how does a text become a function in memory? |
| ``search`` | which file does it mean? |
| ``compiling``, ``cache`` | how does a source become a library, once? |
| ``library`` | when is a library opened and closed? |
| ``elf`` | what does a library offer and need? |
| ``clinic``, ``surroundings`` | what is wrong, and what helps? |
| ``trace`` | what did the loader do? |
| ``guarded``, ``arena``, ``child`` | what if a kernel writes where it must not? |
"""

from .clinic import Finding, diagnose
from .kernel import Kernel, open_kernel
from .trace import Step, Trace

__all__ = ["Finding", "Kernel", "Step", "Trace", "diagnose", "open_kernel"]
