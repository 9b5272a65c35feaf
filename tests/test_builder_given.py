"""CustomOpBuilder: what it may be given, in MindSpore's words (rows 20 and 21 among them)."""

import warnings

import pytest
from builder_sources import own_folder, source  # noqa: F401  (a fixture)

import ms_ext as ms
from ms_ext import ops
from ms_ext.engine import errors, strict
from ms_ext.engine.custom.builder import building, given

REFUSED = {
    "name": (dict(name=3), TypeError, "The type of 'name' should be 'str', but got type 'int'."),
    "sources": (
        dict(sources=3),
        TypeError,
        "The type of 'sources' should be one of '['list', 'tuple']', but got type 'int'.",
    ),
    "a source": (
        dict(sources=[3]),
        TypeError,
        "The type of 'sources' should be str, but got '3' with type 'int'.",
    ),
    "row 20: backend": (
        dict(backend="GPU"),
        ValueError,
        "For 'backend', only 'CPU' or 'Ascend' are allowed, but got 'GPU'.",
    ),
    "backend's case": (dict(backend="cpu"), ValueError, "but got 'cpu'."),
    "backend's type": (
        dict(backend=1),
        TypeError,
        "The type of 'backend' should be one of '['str', 'NoneType']', but got type 'int'.",
    ),
    "cflags": (
        dict(cflags=["-O3"]),
        TypeError,
        "The type of 'cflags' should be one of '['str', 'NoneType']', but got type 'list'.",
    ),
    "ldflags": (dict(ldflags=["-lm"]), TypeError, "The type of 'ldflags' should be one of"),
    "include_paths": (dict(include_paths=1), TypeError, "The type of 'include_paths' should be"),
    "build_dir": (dict(build_dir=1), TypeError, "The type of 'build_dir' should be one of"),
    "debug_mode": (dict(debug_mode=1), TypeError, "The 'debug_mode' must be a bool, but got int."),
    "enable_atb": (dict(enable_atb=1), TypeError, "The input value must be a bool, but got int."),
    "atb on the CPU": (
        dict(enable_atb=True, backend="CPU"),
        ValueError,
        "For 'CustomOpBuilder', when 'enable_atb' is set to True, the 'backend' must be 'Ascend' "
        "(or left implicit), but got 'CPU'",
    ),
    "asdsip on the CPU": (
        dict(enable_asdsip=True, backend="CPU"),
        ValueError,
        "For 'CustomOpBuilder', when 'enable_asdsip' is set to True, the 'backend' must be",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_refused_in_mindspores_words(case):
    words, kind, text = REFUSED[case]
    with pytest.raises(kind) as caught:
        ops.CustomOpBuilder(**{"name": "my_ops", "sources": "add3.cpp", **words})
    assert text in caught.value.message


def test_it_is_what_mindspore_shows():
    from ms_ext import resolve

    resolve.here()
    try:
        from mindspore import ops as theirs
        from mindspore.ops import CustomOpBuilder
    finally:
        resolve.withdraw()
    assert CustomOpBuilder is ops.CustomOpBuilder is theirs.CustomOpBuilder
    assert "CustomOpBuilder" in dir(ops) and "load" in dir(CustomOpBuilder)


def test_flags_are_mindspores_and_the_learners_follow():
    builder = ops.CustomOpBuilder("my_ops", "a.cpp", cflags="-DFAST", ldflags="-lm")
    assert builder.get_cflags() == [
        "-DMS_EXTENSION_NAME=my_ops",
        "-D_GLIBCXX_USE_CXX11_ABI=0",
        "-DENABLE_FAST_HASH_TABLE=1",
        "-std=c++17",
        "-fstack-protector-all",
        "-fPIC",
        "-pie",
        "-O2",
        "-DFAST",
    ]
    assert builder.get_ldflags()[0] == "-shared" and builder.get_ldflags()[-2:] == ["-s", "-lm"]
    assert ops.CustomOpBuilder("o", "a.cpp", debug_mode=True).get_cflags()[-1] == "-g"
    assert "-s" not in ops.CustomOpBuilder("o", "a.cpp", debug_mode=True).get_ldflags()


def test_flags_are_read_as_a_shell_reads_them():
    assert building.words(["-O2", "-DA='x y' -DB=1"]) == ("-O2", "-DA=x y", "-DB=1")
    with pytest.raises(ValueError, match="No closing quotation"):
        building.words(["-DA='x"])


def test_include_paths_stay_the_callers():
    own = ["mine"]
    builder = ops.CustomOpBuilder("my_ops", "a.cpp", include_paths=own)
    builder.get_include_paths()
    assert builder.get_include_paths()[0] == "mine" and own == ["mine"]


def test_ascend_is_accepted_here_and_says_once_what_stands_for_it(monkeypatch, capsys):
    monkeypatch.delenv("ASCEND_OPP_PATH", raising=False)
    monkeypatch.setattr("ms_ext.engine.custom.builder.builder._told", set())
    both = ops.CustomOpBuilder("my_ops", "a.cpp", enable_atb=True, enable_asdsip=True)
    assert both.backend == "Ascend"
    macros = ["-DCUSTOM_ASCEND_OP", "-DCUSTOM_ENABLE_ATB", "-DCUSTOM_ENABLE_ASDSIP"]
    assert both.get_cflags()[-3:] == macros
    plain = ops.CustomOpBuilder("my_ops", "a.cpp", "Ascend")
    assert plain.get_cflags()[-1] == macros[0]
    assert capsys.readouterr().err.count("this machine's CPU stands for the device") == 1


def test_strict_wants_the_surroundings_of_ascend(monkeypatch):
    monkeypatch.delenv("ASCEND_OPP_PATH", raising=False)
    monkeypatch.delenv("ATB_HOME_PATH", raising=False)
    text = "Environment variable 'ASCEND_OPP_PATH' must be set for Ascend backend."
    with strict.as_mindspore(), pytest.raises(ValueError, match=text):
        ops.CustomOpBuilder("my_ops", "a.cpp", backend="Ascend")
    monkeypatch.setenv("ASCEND_OPP_PATH", "/opt/opp")
    text = "Environment variable 'ATB_HOME_PATH' must be set when 'enable_atb' is True."
    with strict.as_mindspore(), pytest.raises(ValueError, match=text):
        ops.CustomOpBuilder("my_ops", "a.cpp", enable_atb=True)


def test_unknown_words_are_named_once(monkeypatch):
    monkeypatch.setattr(given, "_told", set())
    with pytest.warns(errors.MsExtWarning, match="Did you mean 'build_dir'"):
        ops.CustomOpBuilder("my_ops", "a.cpp", buildir="x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ops.CustomOpBuilder("my_ops", "a.cpp", buildir="x")


def test_row_21_a_missing_source_is_said_when_it_is_needed():
    source("there.cpp", "")
    builder = ops.CustomOpBuilder("my_ops", "nothere.cpp")
    for ask in (builder.load, builder.build):
        with pytest.raises(FileNotFoundError) as caught:
            ask()
        assert caught.value.message == "[Errno 2] No such file or directory: 'nothere.cpp'"
        assert "there.cpp" in caught.value.hint


def test_no_sources_are_said_when_they_are_needed():
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+"):
        ops.CustomOpBuilder("my_ops", None).load()


def test_definitions_are_checked_when_they_are_needed():
    source("a.cpp", "")
    with pytest.raises(FileNotFoundError, match=r"File not found: no\.yaml"):
        ops.CustomOpBuilder("my_ops", "a.cpp", op_def="no.yaml").load()
    with pytest.raises(ValueError, match=r"Invalid file extension: \.cpp for a\.cpp"):
        ops.CustomOpBuilder("my_ops", "a.cpp", op_doc=["a.cpp"]).load()


@pytest.mark.parametrize("name", ["tiny-d", "2d", "", "a/b", "näme"])
def test_a_name_that_is_none_in_c(name):
    source("a.cpp", "")
    with pytest.raises(RuntimeError, match=f"Error building extension '{name}'") as caught:
        ops.CustomOpBuilder(name, "a.cpp").load()
    assert "name='" in caught.value.hint


def test_paths_may_be_path_objects(tmp_path):
    builder = ops.CustomOpBuilder("my_ops", tmp_path / "a.cpp", build_dir=tmp_path / "b")
    assert builder.get_sources() == [str(tmp_path / "a.cpp")]
    assert builder.build_dir == str(tmp_path / "b")


def test_the_line_for_mindspore_builds_the_same_elsewhere():
    builder = ops.CustomOpBuilder(
        "my_ops", ["a.cpp"], "CPU", include_paths=["inc"], cflags="-DA='x y'", debug_mode=True
    )
    line = builder.mindspore_command("/opt/ms/bin/python")
    import shlex
    from pathlib import Path

    program, option, text = shlex.split(line)
    here = Path.cwd()
    assert (program, option) == ("/opt/ms/bin/python", "-c")
    asked = {}

    class Fake:
        def __init__(self, **words):
            asked.update(words)

        def load(self):
            return type("Module", (), {"so_module": ms})

    space = {"ops": type("Ops", (), {"CustomOpBuilder": Fake}), "print": lambda *_: None}
    exec(text.replace("from mindspore import ops; ", ""), space)
    assert asked == {
        "name": "my_ops",
        "sources": [str(here / "a.cpp")],
        "backend": "CPU",
        "include_paths": [str(here / "inc")],
        "cflags": "-DA='x y'",
        "build_dir": str(here / "kernel_meta" / "my_ops" / "mindspore"),
        "debug_mode": True,
    }
