"""Which compiled modules are built, and how: every kernels_pyx/<name>.pyx -> ms_ext.kernels.<name>.

Generated C goes to build/kernels. Every module is optional: without a compiler, or with a broken
source, the installation goes on and the NumPy meaning is used. Three comment lines at the top of a
.pyx are read here: `# cflags: ...` adds compiler flags, `# variants: x86-64-v3` builds the module
a second time as <name>_v3 for newer CPUs (`ms_ext.kernels.get` chooses at import), and
`# language: c++` has it translated to C++.
"""

import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))
kernels = importlib.import_module("ms_ext.kernels")  # it and toolchain load nothing else
toolchain = kernels.toolchain

SOURCES = ROOT / "kernels_pyx"
HEADERS = ROOT / "ms_ext" / "include"
GENERATED = ROOT / "build" / "kernels"


def header(pyx, key):
    """The words after `# key:` in the comment block at the top of a .pyx."""
    for line in pyx.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            break
        if found := re.match(rf"#\s*{key}:\s*(.+)", line):
            return found[1].split()
    return []


def flags(pyx, variant):
    """Compiler flags; -ffast-math is never among them, nor anything for one machine alone."""
    if toolchain.WINDOWS:
        return ["/O2"]
    always = ["-O3", "-g0", "-Wno-unused-function"]
    if sys.platform == "linux":
        always.append("-ftls-model=initial-exec")
    return [*always, *header(pyx, "cflags"), *([f"-march={variant}"] if variant else [])]


def extension(pyx, variant=None):
    """One compiled module, described; BuildKernels translates its .pyx to C when it is its turn."""
    name = pyx.stem + ("_v3" if variant else "")
    plus = header(pyx, "language") == ["c++"]
    folders = [str(folder.relative_to(ROOT)) for folder in (SOURCES, HEADERS)]
    made = Extension(
        f"ms_ext.kernels.{name}",
        sources=[str((GENERATED / f"{name}.{'cpp' if plus else 'c'}").relative_to(ROOT))],
        include_dirs=[*folders, *numpy_headers()],
        language="c++" if plus else None,
        extra_compile_args=flags(pyx, variant),
        libraries=[] if toolchain.WINDOWS else ["m"],
        optional=True,
    )
    made.pyx = pyx
    return made


def numpy_headers():
    """NumPy's C headers, for the kernels that use its arrays directly."""
    if not importlib.util.find_spec("numpy"):
        return []
    return [importlib.import_module("numpy").get_include()]


def extensions():
    """One module per .pyx, and a second one where the source asks for it and the machine can."""
    if os.environ.get("MS_EXT_KERNELS") == "skip":
        return []
    found = []
    newer_cpus = toolchain.is_x86_64() and not toolchain.WINDOWS
    for pyx in sorted(SOURCES.glob("*.pyx"), key=length, reverse=True):  # the longest first
        variants = header(pyx, "variants") if newer_cpus else []
        found += [extension(pyx, variant) for variant in [None, *variants]]
    return found


def parts_of(path):
    """The files of ours that a source includes, cimports or is declared by."""
    text = path.read_text()
    names = set(re.findall(r"""["']([\w./]+\.(?:pxi|h|hpp))["']""", text)) | {f"{path.stem}.pxd"}
    for line in re.findall(r"^\s*(?:cimport|from .* cimport) .*$", text, re.MULTILINE):
        names |= {f"{word}.pxd" for word in re.findall(r"\w+", line)}
    places = [folder / name for folder in (SOURCES, HEADERS) for name in names]
    return {place for place in places if place.is_file()}


def files_of(path):
    """A source and all its parts, and theirs, however deep."""
    found, waiting = set(), {path}
    while waiting:
        found |= waiting
        waiting = set().union(*map(parts_of, waiting)) - found
    return found


def length(pyx):
    """The bytes of text that a module is made from: a fair guess of the time it takes."""
    return sum(path.stat().st_size for path in files_of(pyx))


def checksums(pyx):
    """File name -> checksum of what a module is made from; ms_ext.kernels compares them later."""
    return {path.name: kernels.checksum(path) for path in sorted(files_of(pyx))}


class BuildKernels(build_ext):
    """Build what changed since the last time, say what failed, and record both."""

    def run(self):
        """Build all modules in parallel and write ms_ext/kernels/built.json."""
        self.parallel = self.parallel or os.cpu_count()
        self.record = self._last_record()
        share_declarations()
        super().run()
        if self.inplace or self.editable_mode:
            self._write_record()

    def build_extension(self, ext):
        """Translate and compile one module, unless the one on disk was made from the same text."""
        name = ext.name.rpartition(".")[2]
        entry = {"files": checksums(ext.pyx), "flags": ext.extra_compile_args}
        entry["python"] = sys.version
        built = Path(self.get_ext_fullpath(ext.name))
        if not self.force and built.exists() and self.record.get(name) == entry:
            return
        last = self.record.get(name, {})
        self.record[name] = {**last, "error": "the build was interrupted"}
        try:
            translate(ext)
            super().build_extension(ext)
        except Exception as error:
            self.record[name] = {**last, "error": str(error)}
            raise
        self.record[name] = entry
        print(f"kernel {name}: built", flush=True)

    def _last_record(self):
        names = {ext.name.rpartition(".")[2] for ext in self.extensions}
        last = json.loads(kernels.RECORD.read_text()) if kernels.RECORD.exists() else {}
        return {name: last[name] for name in names if name in last}

    def _write_record(self):
        kernels.RECORD.write_text(json.dumps(self.record, indent=1, sort_keys=True) + "\n")


def share_declarations():
    """Lay the .pxd files out as a package, so that one kernel can cimport another."""
    package = GENERATED / "include" / "ms_ext" / "kernels"
    package.mkdir(parents=True, exist_ok=True)
    for folder in [package.parent, package]:
        (folder / "__init__.pxd").touch()
    for path in SOURCES.glob("*.pxd"):
        (package / path.name).write_bytes(path.read_bytes())


def translate(ext):
    """The .pyx to C or C++, by a Cython of its own: its state is global, our builds parallel."""
    include = ["-I", str(SOURCES), "-I", str(GENERATED / "include")]
    names = ["--module-name", ext.name, "-o", ext.sources[0], str(ext.pyx.relative_to(ROOT))]
    plus = ["--cplus"] if ext.language == "c++" else []
    command = [sys.executable, "-m", "cython", "-3", *plus, *include, *names]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise CompileError(f"Cython refused {ext.pyx.name}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    setup(ext_modules=extensions(), cmdclass={"build_ext": BuildKernels})
