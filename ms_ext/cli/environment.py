"""How is .venv made and kept up to date: conda or venv + uv, the packages, the kernels, the stamp?

Standard library only: it runs before anything is installed. The second time nothing is done but a
few checksums; what was left half done goes on where it stopped.
"""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from ms_ext.cli import steps
from ms_ext.cli.steps import ROOT, Stopped
from ms_ext.engine import toolchain

VENV = ROOT / ".venv"
STAMP = VENV / "ms_ext_stamp.json"
CONDAS = ("micromamba", "mamba", "conda")


def ensure_environment(rebuild=False):
    """Make .venv, install the packages, build the kernels: each only if something changed.

    `rebuild` asks for the kernels in any case; setup.py then leaves alone what is up to date.
    """
    stamp, found = read_stamp(), describe_python()
    usable = found and stamp.get("root", str(ROOT)) == str(ROOT)
    if not usable or stamp.get("python", found[0]) != found[0]:
        make_environment()
        stamp, found = {}, describe_python()
    version, include = found
    packages = checksum([ROOT / "environment.yml", ROOT / "pyproject.toml", *pins(version)])
    if stamp.get("packages") != packages:
        install_packages(version)
        write_stamp(root=str(ROOT), python=version, packages=packages)
    ensure_kernels(include, rebuild)
    ensure_headers(include)


def make_environment():
    """Create .venv by conda's program where there is one, otherwise with Python's own venv."""
    if VENV.exists() and not any((VENV / mark).exists() for mark in ("pyvenv.cfg", "conda-meta")):
        raise Stopped("environment", f"{VENV} exists and is no environment.", "Move it away.")
    conda = choose_route(os.environ.get("MS_EXT_ENV", ""))
    if conda:
        always_yes = {"CONDA_ALWAYS_YES": "true", "MAMBA_ALWAYS_YES": "true"}
        advice = "Read the log; MS_EXT_ENV=venv ./lab goes without conda."
        run_step("environment", conda_command(conda), advice, MS_EXT_KERNELS="skip", **always_yes)
        return
    if not importlib.util.find_spec("ensurepip"):
        name = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        why = "This Python cannot make environments: its venv package is not installed."
        raise Stopped("environment", why, f"sudo apt install python3-venv (or {name}), then ./lab.")
    command = [sys.executable, "-m", "venv", "--clear", VENV]
    run_step("environment", command, "Check the free disk space and the rights of this folder.")


def conda_command(conda):
    """The command that makes .venv from environment.yml; micromamba spells it differently."""
    words = ["create"] if Path(conda).stem == "micromamba" else ["env", "create"]
    return [conda, *words, "-p", VENV, "-f", "environment.yml"]


def pins(version):
    """The constraints file for a Python version, as a list of none or one."""
    path = ROOT / "constraints" / f"py{version.replace('.', '')}.txt"
    wanted = os.environ.get("MS_EXT_PINS") != "none" and not made_by_conda()
    return [path] if wanted and path.exists() else []


def made_by_conda():
    """Is .venv a conda environment? Its versions are conda's choice, not the constraints file's."""
    return (VENV / "conda-meta").is_dir()


def editable_line(text):
    """The one pip requirement of environment.yml: `-e .[lab,test]`, as a list of words."""
    return re.search(r"^\s*- (-e \.\S*)\s*$", text, re.MULTILINE)[1].split()


def install_packages(version):
    """Install what environment.yml names, with uv where it can be had and otherwise with pip."""
    limits = [word for path in pins(version) for word in ("-c", path)]
    pip = [python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    editable = editable_line((ROOT / "environment.yml").read_text())
    advice = "Check the network and the log, then run ./lab again: it goes on where it stopped."
    if made_by_conda():
        install_with(pip, editable, limits, advice, "-by-pip")
        return
    try:
        run_step("installer", [*pip, "uv", *limits], advice)
        fast = [python(), "-m", "uv", "pip", "install", "--python", python()]
        install_with(fast, editable, limits, advice)
    except Stopped as stopped:
        print(f"  {stopped.step}: {stopped.last_word()}\n  so pip instead of uv", flush=True)
        install_with(pip, editable, limits, advice, "-by-pip")


def install_with(installer, editable, limits, advice, label=""):
    """The build tools first, then ms_ext itself built with exactly those; kernels come later."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    tools = project["build-system"]["requires"]
    run_step(f"tools{label}", [*installer, *tools, *limits], advice)
    command = [*installer, "--no-build-isolation", *editable, *limits]
    run_step(f"packages{label}", command, advice, MS_EXT_KERNELS="skip")


def ensure_kernels(include, rebuild):
    """Build the kernels whose text changed; without a compiler say so and go on."""
    compiler = toolchain.c_compiler(VENV)
    sources = [ROOT / "setup.py", *(ROOT / "kernels_pyx").glob("*")]
    wanted = checksum(sources, compiler and compiler.path, toolchain.python_headers(include))
    if read_stamp().get("kernels") == wanted and not rebuild:
        return
    if missing := missing_for_kernels(compiler, include):
        print(f"  kernels: skipped, {missing}. Everything works without them, slower.", flush=True)
    else:
        command = [python(), "setup.py", "--quiet", "build_ext", "--inplace"]
        advice = "Read the log; MS_EXT_KERNELS=skip ./lab goes without them."
        note = "" if rebuild else "compiled for this machine, this once: a minute or two"
        run_step("kernels", command, advice, note, CC=os.environ.get("CC", compiler.path))
        for name in broken_kernels():
            print(f"  kernel {name}: not built (why: build/logs/kernels.log); NumPy does its work")
    write_stamp(kernels=wanted)


def ensure_headers(include):
    """Precompile the headers of C++ operators when they changed; the first op does it otherwise."""
    compiler = toolchain.cxx_compiler(VENV)
    texts = sorted((ROOT / "ms_ext" / "include").rglob("*.h"))
    wanted = checksum(texts, compiler and [compiler.path, compiler.version])
    if not texts or read_stamp().get("headers") == wanted:
        return
    if not missing_for_kernels(compiler, include):
        call = "from ms_ext.engine.custom.builder import headers; headers.make_ahead()"
        note = "of C++ operators, precompiled for this machine, this once: ten to thirty seconds"
        try:
            run_step("headers", [python(), "-c", call], "Read the log.", note)
        except Stopped as stopped:
            print(f"  headers: {stopped.last_word()}; the first C++ op takes longer", flush=True)
            return
    write_stamp(headers=wanted)


def broken_kernels():
    """The names of the kernels that the last build could not make."""
    record = ROOT / "ms_ext" / "kernels" / "built.json"
    entries = json.loads(record.read_text()) if record.exists() else {}
    return sorted(name for name, entry in entries.items() if "error" in entry)


def missing_for_kernels(compiler, include):
    """What a kernel build lacks, with the line that gets it, or None."""
    if os.environ.get("MS_EXT_KERNELS") == "skip":
        return "as MS_EXT_KERNELS=skip asks"
    if compiler is None:
        return "no C/C++ compiler (sudo apt install g++, then ./lab build)"
    if toolchain.python_headers(include) is None:
        return "no Python.h (sudo apt install python3-dev, then ./lab build)"
    return None


def run_step(step, command, advice, note="", **more):
    """One step, shown, with the environment's programs first on the PATH."""
    steps.run_step(step, command, advice, {**toolchain.activated(VENV), **more}, note)


def hand_over(*arguments):
    """Become (on Windows: run) the environment's Python with these arguments."""
    command = [str(python()), *map(str, arguments)]
    os.chdir(ROOT)
    sys.stdout.flush()
    if not toolchain.WINDOWS:
        os.execve(command[0], command, toolchain.activated(VENV))
    return subprocess.run(command, env=toolchain.activated(VENV)).returncode


def python():
    """The environment's Python program."""
    return toolchain.python_in(VENV)


def checksum(paths, *more):
    """One checksum for the contents of files, and for a few words."""
    whole = hashlib.sha256(repr(more).encode())
    for path in sorted(paths):
        whole.update(path.name.encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def read_stamp():
    """What the last run recorded about .venv; empty if there is no record that can be read."""
    try:
        return json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}


def write_stamp(**changes):
    """Record what is now true of .venv."""
    STAMP.write_text(json.dumps({**read_stamp(), **changes}, indent=1) + "\n")


def describe_python():
    """(version, folder for Python.h) of the environment's Python, or None if it does not run."""
    code = "from sysconfig import *; print(get_python_version(), get_path('include'))"
    try:
        done = subprocess.run([python(), "-c", code], capture_output=True, text=True)
    except OSError:
        return None
    return tuple(done.stdout.strip().split(" ", 1)) if done.returncode == 0 else None


def choose_route(wish, which=shutil.which):
    """How .venv is made: a conda program's path, or None for venv + uv."""
    if wish not in ("", "conda", "venv"):
        advice = "Set it to venv or conda, or unset it."
        raise Stopped("environment", f"MS_EXT_ENV is {wish!r}.", advice)
    found = next(filter(None, map(which, CONDAS)), None)
    if wish == "conda" and not found:
        raise Stopped(
            "environment",
            "MS_EXT_ENV=conda, but none of micromamba, mamba, conda is on the PATH.",
            "Activate conda, or unset MS_EXT_ENV.",
        )
    return None if wish == "venv" else found
