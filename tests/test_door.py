"""The door: what a failing step says, when something is made again, which route is taken."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ms_ext.cli import doctor, door, environment, main, steps
from ms_ext.engine import toolchain

ROOT = Path(__file__).parents[1]
DOT = "dot (Graphviz's program)"


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A folder that the door takes for its clone, with the files it looks at and an empty .venv."""
    for name in ("environment.yml", "pyproject.toml", "setup.py"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    for folder in (".venv", "kernels_pyx", "constraints"):
        (tmp_path / folder).mkdir()
    (tmp_path / "kernels_pyx" / "one.pyx").write_text("def f(): return 1\n")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(environment, "STAMP", tmp_path / ".venv" / "stamp.json")
    monkeypatch.setattr(steps, "ROOT", tmp_path)
    monkeypatch.setattr(steps, "LOGS", tmp_path / "build" / "logs")
    return tmp_path


@pytest.fixture
def made(clone, monkeypatch):
    """The steps that ensure_environment takes in a clone whose Python runs, without taking them."""
    taken = []
    (clone / "Python.h").touch()
    monkeypatch.setattr(environment, "describe_python", lambda: ("3.11", str(clone)))
    monkeypatch.setattr(environment, "run_step", lambda step, *rest, **more: taken.append(step))
    monkeypatch.setattr(toolchain, "c_compiler", lambda prefix: toolchain.Compiler("/cc", "1"))
    return taken


def fail(clone, code):
    with pytest.raises(steps.Stopped) as caught:
        steps.run_step("trial", [sys.executable, "-c", code], "Do this.", dict(os.environ))
    return str(caught.value)


def test_a_failing_step_says_which_why_and_what_to_do(clone):
    assert fail(clone, "import sys; print('first'); sys.exit('no such thing')") == (
        "./lab stopped in the step 'trial'.\n"
        "  why:   first\n"
        "         no such thing\n"
        "  log:   build/logs/trial.log\n"
        "  to do: Do this."
    )


def test_a_step_that_fails_without_a_word_says_so(clone):
    assert "(it printed nothing)" in fail(clone, "raise SystemExit(3)")


def test_a_long_log_is_cut_to_its_last_lines(clone):
    text = fail(clone, "for i in range(5000): print('line', i)\nraise SystemExit(1)")
    assert "line 4999" in text and "line 4988" in text and "line 4987" not in text
    assert len((clone / "build" / "logs" / "trial.log").read_text().splitlines()) == 5000


def test_a_step_shows_its_name_and_its_seconds(clone, capsys):
    steps.run_step("trial", [sys.executable, "-c", "print(1)"], "", dict(os.environ))
    first, second = capsys.readouterr().out.splitlines()
    assert first == "  trial ..." and second.startswith("  trial  ") and second.endswith(" s")


def test_a_long_step_says_beforehand_what_takes_long(clone, capsys):
    words = [sys.executable, "-c", "print(1)"]
    steps.run_step("trial", words, "", dict(os.environ), note="a minute")
    assert capsys.readouterr().out.startswith("  trial ... a minute\n  trial  ")


def test_the_first_run_takes_every_step_and_the_second_none(made):
    environment.ensure_environment()
    assert made == ["installer", "tools", "packages", "kernels"]
    made.clear()
    environment.ensure_environment()
    assert made == []


def test_an_edited_kernel_builds_kernels_and_nothing_else(clone, made):
    environment.ensure_environment()
    made.clear()
    (clone / "kernels_pyx" / "one.pyx").write_text("def f(): return 2\n")
    environment.ensure_environment()
    assert made == ["kernels"]


@pytest.mark.parametrize("name", ["environment.yml", "pyproject.toml"])
def test_an_edited_list_of_packages_installs_them_again(clone, made, name):
    environment.ensure_environment()
    made.clear()
    (clone / name).write_text((clone / name).read_text() + "\n# edited\n")
    environment.ensure_environment()
    assert made == ["installer", "tools", "packages"]


def test_a_compiler_that_appears_later_builds_the_kernels(made, monkeypatch):
    monkeypatch.setattr(toolchain, "c_compiler", lambda prefix: None)
    environment.ensure_environment()
    assert "kernels" not in made
    made.clear()
    monkeypatch.setattr(toolchain, "c_compiler", lambda prefix: toolchain.Compiler("/cc", "1"))
    environment.ensure_environment()
    assert made == ["kernels"]


def test_a_clone_that_moved_gets_a_new_environment(made, monkeypatch):
    environment.ensure_environment()
    made.clear()
    environment.write_stamp(root="/where/it/was")
    monkeypatch.setattr(environment, "make_environment", lambda: made.append("made"))
    environment.ensure_environment()
    assert made[0] == "made" and "packages" in made


def test_uv_that_fails_is_followed_by_pip(clone, made, monkeypatch, capsys):
    def refuse_uv(step, command, *rest, **more):
        made.append((step, "uv" in command[:3]))
        if step == "packages" and "uv" in command[:3]:
            raise steps.Stopped(step, "first\nno answer", "")

    monkeypatch.setattr(environment, "run_step", refuse_uv)
    environment.install_packages("3.11")
    assert made[-3:] == [("packages", True), ("tools-by-pip", False), ("packages-by-pip", False)]
    assert "packages: no answer\n  so pip instead of uv" in capsys.readouterr().out


def test_a_folder_that_is_no_environment_is_left_alone(clone):
    (clone / ".venv" / "mine.txt").write_text("precious")
    with pytest.raises(steps.Stopped, match="environment") as caught:
        environment.make_environment()
    assert "is no environment" in caught.value.why
    assert (clone / ".venv" / "mine.txt").exists()


def test_a_missing_venv_module_is_named_with_its_apt_line(clone, monkeypatch):
    (clone / ".venv").rmdir()
    monkeypatch.setenv("MS_EXT_ENV", "venv")
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(steps.Stopped) as caught:
        environment.make_environment()
    assert "sudo apt install python3-venv" in caught.value.advice


def test_what_kernels_lack_is_named_with_its_apt_line(tmp_path):
    compiler = toolchain.Compiler("/cc", "1")
    assert "apt install g++" in environment.missing_for_kernels(None, tmp_path)
    assert "apt install python3-dev" in environment.missing_for_kernels(compiler, tmp_path)
    (tmp_path / "Python.h").touch()
    assert environment.missing_for_kernels(compiler, tmp_path) is None


@pytest.mark.parametrize(
    ("wish", "there", "route"),
    [
        ("", [], None),
        ("", ["conda"], "conda"),
        ("", ["conda", "mamba", "micromamba"], "micromamba"),
        ("venv", ["conda"], None),
        ("conda", ["mamba"], "mamba"),
    ],
)
def test_the_route(wish, there, route):
    assert environment.choose_route(wish, lambda name: name if name in there else None) == route


@pytest.mark.parametrize("wish", ["conda", "poetry"])
def test_a_route_that_cannot_be_taken_is_refused(wish):
    with pytest.raises(steps.Stopped) as caught:
        environment.choose_route(wish, lambda name: None)
    assert "MS_EXT_ENV" in caught.value.why and wish in caught.value.why


def test_each_conda_program_gets_its_own_spelling(clone):
    tail = ["-p", clone / ".venv", "-f", "environment.yml"]
    assert environment.conda_command("/x/micromamba") == ["/x/micromamba", "create", *tail]
    assert environment.conda_command("/x/mamba") == ["/x/mamba", "env", "create", *tail]


def test_the_environment_comes_first_on_the_path(clone):
    folders = toolchain.activated(clone / ".venv")["PATH"].split(os.pathsep)
    assert folders[0] == str(clone / ".venv" / toolchain.BIN_FOLDER)


def enter(*words):
    command = [sys.executable, str(ROOT / "lab.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT.parent)


def test_help_lists_every_command_and_needs_no_package():
    shown = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "lab.py"), "help"], capture_output=True, text=True
    )
    assert shown.returncode == 0, shown.stderr
    assert all(f"./lab {name}" in shown.stdout for name in door.COMMANDS)


def test_an_unknown_command_and_too_many_words_are_refused():
    unknown, many = enter("tset"), enter("doctor", "now")
    assert unknown.returncode == many.returncode == 2
    assert "there is no such command" in unknown.stderr and "./lab test" in unknown.stderr
    assert many.stderr == "./lab doctor takes no arguments; given: now\n"


@pytest.mark.skipif(toolchain.WINDOWS, reason="a shell script")
def test_the_shell_door_names_what_to_install(tmp_path):
    (tmp_path / "dirname").symlink_to("/usr/bin/dirname")
    shell = subprocess.run(
        ["/bin/sh", str(ROOT / "lab")], capture_output=True, text=True, env={"PATH": str(tmp_path)}
    )
    assert shell.returncode == 1 and "sudo apt install python3" in shell.stderr


def test_commands_exist():
    assert (ROOT / "benchmarks" / "__main__.py").exists()
    assert (ROOT / "ms_ext" / "cli" / "tour.py").exists()
    assert {"doctor", "config", "notice", "tour"} <= set(main.commands())


def test_readme_names_only_commands_that_exist():
    named = set(re.findall(r"\./lab ([a-z][\w-]*)", (ROOT / "README.md").read_text()))
    assert named == set(door.COMMANDS) - {""} | {"help"}


def test_ms_ext_suggests_the_nearest_command(capsys):
    assert main.main(["docter"]) == 2
    assert "Did you mean 'doctor'?" in capsys.readouterr().err


def test_doctor_says_in_one_line_each_what_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(toolchain, "dot", lambda: None)
    monkeypatch.setattr(toolchain, "chromium", lambda: None)
    assert main.main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    apt = "Get it: sudo apt install"
    assert f"missing  {DOT}: graphs are laid out more plainly. {apt} graphviz" in lines
    assert f"missing  Chromium: browser tests are skipped. {apt} chromium" in lines
    assert lines == sorted(lines, key=lambda line: not line.startswith("missing"))


def test_doctor_names_first_what_others_are_made_with():
    names = [finding.name for finding in doctor.findings()]
    order = ["C compiler", "Python.h", "compiled kernels", DOT]
    assert [name for name in names if name in order] == order
    assert "graphviz" not in names  # nothing here imports the package: it is the program that draws


def test_config_shows_versions_and_settings(monkeypatch, capsys):
    monkeypatch.setenv("MS_EXT_CPU", "baseline")
    assert main.main(["config"]) == 0
    shown = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines())
    assert shown["MS_EXT_CPU"] == "baseline" and "numpy" in shown


def test_ctrl_c_ends_the_running_step(clone):
    start = time.monotonic()
    code = (
        "import os, pathlib, signal, sys; from ms_ext.cli import steps; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "  # nohup would have it ignored
        "steps.ROOT = pathlib.Path(sys.argv[1]); steps.LOGS = steps.ROOT / 'logs'; "
        "steps.run_step('trial', [sys.executable, '-c', 'import time; time.sleep(60)'], '', "
        "dict(os.environ))"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(clone)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with child:
        child.stdout.readline()
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        child.wait(timeout=20)
    assert time.monotonic() - start < 20
