"""What does a loaded module of ops answer? Names of two modules: one for graphs, one of the .so.

As in MindSpore: a function for graphs comes first; what a library binds is found in PyNative mode,
and stays callable once it was found.
"""

from .... import context
from ... import errors


class OpModule:
    """The ops of a builder. ``func_module`` may be None, as in MindSpore."""

    def __init__(self, func_module, so_module):
        self.func_module, self.so_module = func_module, so_module

    def __getattr__(self, name):
        """An op that was not asked for yet; it is an attribute from then on."""
        parts = self.__dict__
        functions, library = parts.get("func_module"), parts.get("so_module")
        eager = context.get_context("mode") == context.PYNATIVE_MODE
        if functions is not None and hasattr(functions, name):
            found = getattr(functions, name)
        elif eager and hasattr(library, name):
            found = getattr(library, name)
        elif eager:
            raise errors.UnknownAttribute(
                f"Custom op '{name}' is neither in func_module nor in so_module.",
                hint=errors.did_you_mean(name, dir(self)),
            )
        else:
            raise errors.UnknownAttribute(
                f"Custom op '{name}' does not support GRAPH mode. Please register it for GRAPH "
                "mode or switch to PYNATIVE mode."
            )
        parts[name] = found
        return found

    def __dir__(self):
        """The names of the ops."""
        both = [each for each in (self.func_module, self.so_module) if each is not None]
        return sorted({name for each in both for name in dir(each) if not name.startswith("__")})

    def __repr__(self):
        return f"<ops of CustomOpBuilder: {', '.join(dir(self)) or 'none'}>"
