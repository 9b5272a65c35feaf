"""Which flags is an op compiled and linked with? MindSpore's, as far as they mean something here.

>>> mindspores("add3", "CPU", False, ())[:2]
['-DMS_EXTENSION_NAME=add3', '-D_GLIBCXX_USE_CXX11_ABI=0']
"""

import os

from ... import errors

#: The folder of the headers that come with this package, and what they include one another by.
INCLUDE = os.path.join(errors.PACKAGE, "include")
LINKED = ("-shared", "-Wl,-z,relro,-z,now,-z,noexecstack", "-Wl,--disable-new-dtags")


def mindspores(name, backend, debug_mode, enabled):
    """The flags of the C++ compiler, in MindSpore's order."""
    found = [f"-DMS_EXTENSION_NAME={name}", "-D_GLIBCXX_USE_CXX11_ABI=0"]
    found += ["-DENABLE_FAST_HASH_TABLE=1", "-std=c++17", "-fstack-protector-all", "-fPIC", "-pie"]
    found.append("-g" if debug_mode else "-O2")
    if backend == "Ascend":
        macros = {"enable_atb": "-DCUSTOM_ENABLE_ATB", "enable_asdsip": "-DCUSTOM_ENABLE_ASDSIP"}
        found += ["-DCUSTOM_ASCEND_OP", *(macros[each] for each in sorted(enabled, reverse=True))]
    return found


def linkers(debug_mode):
    """The flags of the linker; MindSpore's own libraries are not needed: a table is handed over."""
    return [*LINKED, *([] if debug_mode else ["-s"])]


def split(flags):
    """The words of flags; one text may hold several, quoted as in a shell."""
    words = []
    for each in flags:
        if any(mark in each for mark in " \t\n'\"\\"):
            words += _quoted(each)
        else:
            words.append(each)
    return words


def _quoted(text):
    import shlex  # for flags with blanks alone: the way to a built op is to be short

    try:
        return shlex.split(text)
    except ValueError as why:
        raise errors.InvalidValue(
            f"The flags {text!r} cannot be read: {why}.",
            hint="They are read as a shell would read them: close each quotation mark.",
        ) from None
