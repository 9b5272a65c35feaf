"""``ops.CustomOpBuilder``: from C++ sources to a module of ops, as in MindSpore.

>>> builder = CustomOpBuilder("my_ops", "add3.cpp", cflags="-DFAST")
>>> builder.get_sources(), builder.get_cflags()[-2:]
(['add3.cpp'], ['-O2', '-DFAST'])
"""

import os
import warnings

from ... import errors, strict
from . import building, flags, given, opening
from .showing import notice

_told = set()  # what was said once in this process


class CustomOpBuilder:
    """Build and load a module of ops from sources: C++ with ``ms_extension/api.h`` and pybind11.

    Beside them: plain C functions (each becomes an `ops.Custom`), and one .pyx. All methods without
    an underscore may be overridden.

    >>> CustomOpBuilder("my_ops", "add3.cpp", backend="GPU")
    Traceback (most recent call last):
        ...
    ms_ext.engine.errors.InvalidValue: For 'backend', only 'CPU' or 'Ascend' are allowed, \
but got 'GPU'.
    """

    _loaded_ops = {}  # name -> the module, as in MindSpore
    _states = {}  # name -> what it was loaded from

    def __init__(
        self, name, sources, backend=None, include_paths=None, cflags=None, ldflags=None, **kwargs
    ):
        self.name = given.typed("name", name, str)
        self.source = given.names("sources", sources)
        switches = {key: kwargs.get(key, False) for key in ("debug_mode", "enable_asdsip")}
        self.debug_mode, self.enable_asdsip = (given.switch(v, k) for k, v in switches.items())
        self.enable_atb = given.switch(kwargs.get("enable_atb", False))
        self.backend = given.backend(backend, self._enabled())
        self.include_paths = given.names("include_paths", include_paths)
        self.cflags = given.typed("cflags", cflags, str, type(None))
        self.ldflags = given.typed("ldflags", ldflags, str, type(None))
        self.build_dir = given.typed("build_dir", _path(kwargs.get("build_dir")), str, type(None))
        self._kind = "stages"  # an overridden build() hands over what it wants
        self.yaml = given.names("op_def", kwargs.get("op_def"))
        self.doc = given.names("op_doc", kwargs.get("op_doc"))
        given.name_unknown(kwargs)
        if self.backend == "Ascend":
            _stand_for_ascend(self.enable_atb)

    # what may be overridden -----------------------------------------------------------------------

    def get_sources(self):
        """The sources, as they are given to the compiler."""
        if self.source is None:
            raise errors.InvalidType(
                "unsupported operand type(s) for +: 'NoneType' and 'list'",
                given="sources=None",
                hint="Name the files: sources=['add3.cpp'].",
            )
        given.definitions([*(self.yaml or ()), *(self.doc or ())])
        if self.yaml:
            _once(
                f"op_def of {self.name!r} was read and is not used: it registers ops for "
                "MindSpore's graph mode; here they are called in PyNative mode, also by @jit "
                "functions that were given them."
            )
        return list(self.source)

    def get_include_paths(self):
        """The folders of headers: the learner's own, then ours; pybind11 and Python follow."""
        return [*(self.include_paths or ()), flags.INCLUDE]

    def get_cflags(self):
        """The flags of the C++ compiler: MindSpore's, then the learner's."""
        own = [] if self.cflags is None else [self.cflags]
        defaults = flags.mindspores(self.name, self.backend, self.debug_mode, self._enabled())
        return [*defaults, *own]

    def get_ldflags(self):
        """The flags of the linker, the learner's last."""
        return [*flags.linkers(self.debug_mode), *([] if self.ldflags is None else [self.ldflags])]

    def build(self):
        """Compile and link what changed; returns the path of the library."""
        path, self._kind = building.built(self._order())
        return path

    def load(self):
        """The module of ops, built if need be. A name is loaded once in a process."""
        if self.name in CustomOpBuilder._loaded_ops:
            self._name_difference()
            return CustomOpBuilder._loaded_ops[self.name]
        state = self._state()
        path = os.path.abspath(self.build())
        found = opening.opened(path, self.name, self._kind, self.source or ())
        CustomOpBuilder._loaded_ops[self.name] = found
        CustomOpBuilder._states[self.name] = state
        return found

    # beside MindSpore's ---------------------------------------------------------------------------

    def mindspore_command(self, python="python"):
        """A line for a shell that builds the same sources with real MindSpore.

        >>> CustomOpBuilder("my_ops", "/tmp/add3.cpp").mindspore_command().split(" -c ")[0]
        'python'
        """
        from . import there

        return there.command(self, python)

    # inside ---------------------------------------------------------------------------------------

    def _enabled(self):
        words = ("enable_atb", "enable_asdsip")
        return tuple(word for word in words if getattr(self, word))

    def _order(self):
        building.check_name(self.name)
        sources = given.sources(self.get_sources())
        self.build_dir = building.folder_of(self.name, self.build_dir)
        return building.Order(
            name=self.name,
            sources=tuple(os.path.abspath(each) for each in sources),
            includes=tuple(os.path.abspath(each) for each in self.get_include_paths()),
            cflags=building.words(self.get_cflags()),
            ldflags=building.words(self.get_ldflags()),
            folder=self.build_dir,
        )

    def _state(self):
        """What the sources look like now."""
        from . import record

        paths = [os.path.abspath(each) for each in self.source or ()]
        own = (self.cflags, self.ldflags, self.backend, self.debug_mode)
        return [(path, record.look(path)) for path in paths], own

    def _name_difference(self):
        """One warning if this builder would have loaded something else."""
        before = CustomOpBuilder._states.get(self.name)
        now = self._state()
        if before is None or before == now:
            return
        CustomOpBuilder._states[self.name] = now
        same = [path for path, _ in before[0]] == [path for path, _ in now[0]]
        what = "its sources or flags have changed since" if same else "of other sources"
        warnings.warn(
            f"{self.name!r} is loaded already, {what}: the module from before is returned, as "
            f"in MindSpore. Give the builder another name ({self.name + '_2'!r}), or start Python "
            "anew.",
            errors.MsExtWarning,
            stacklevel=3,
        )

    def __repr__(self):
        return f"CustomOpBuilder({self.name!r}, {self.source!r})"


def _path(value):
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _stand_for_ascend(enable_atb):
    """Our library on the CPU stands for Ascend's, unless MindSpore's own answer is wanted."""
    if strict.on():
        _ask_for("ASCEND_OPP_PATH", "must be set for Ascend backend.")
        if enable_atb:
            _ask_for("ATB_HOME_PATH", "must be set when 'enable_atb' is True.")
    _once(
        "backend='Ascend': this machine's CPU stands for the device; aclnn, ATB and AsdSip ops run "
        "on ms_ext's own library of them."
    )


def _ask_for(variable, what):
    if not os.getenv(variable):
        raise errors.InvalidValue(
            f"Environment variable '{variable}' {what}",
            hint="Without strict='2.10' this machine's CPU stands for the device.",
        )


def _once(text):
    if text not in _told:
        _told.add(text)
        notice(text)
