"""How does MindSpore itself build the same? A line for a shell, with the same words for a builder.

The library goes to a folder of its own: the two are of one name and do not understand each other.
"""

import os
import shlex

_SWITCHES = ("debug_mode", "enable_atb", "enable_asdsip")


def command(builder, python):
    """``python -c '...'``, which builds and loads a builder's sources with MindSpore."""
    given = {
        "name": builder.name,
        "sources": _absolute(builder.source),
        "backend": builder.backend,
        "include_paths": _absolute(builder.include_paths),
        "cflags": builder.cflags,
        "ldflags": builder.ldflags,
        "build_dir": os.path.join(os.path.realpath(_folder(builder)), "mindspore"),
        **{name: True for name in _SWITCHES if getattr(builder, name)},
        "op_def": builder.yaml,
        "op_doc": builder.doc,
    }
    words = ", ".join(f"{key}={value!r}" for key, value in given.items() if value is not None)
    program = (
        "from mindspore import ops; "
        f"module = ops.CustomOpBuilder({words}).load(); "
        "print(sorted(name for name in dir(module.so_module) if name[0] != '_'))"
    )
    return f"{shlex.quote(python)} -c {shlex.quote(program)}"


def _folder(builder):
    if builder.build_dir is not None:
        return builder.build_dir
    return os.path.join(os.getenv("MS_COMPILER_CACHE_PATH", "./kernel_meta"), builder.name)


def _absolute(paths):
    return None if paths is None else [os.path.abspath(each) for each in paths]
