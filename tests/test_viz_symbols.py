"""What a library exports and needs: the tables of objects and libraries, and the view of them."""

import re
import subprocess

import pytest
from custom_libraries import needs_cxx, own_cache

from ms_ext import ops, viz
from ms_ext.engine import errors, toolchain
from ms_ext.engine.custom.loading import contents, demangle, elf, objects
from ms_ext.viz.widgets import symbols_words

pytestmark = [needs_cxx, pytest.mark.usefixtures(own_cache.__name__)]

ABI = "(int n, void **p, int *d, long **s, const char **t, void *stream, void *extra)"
SOURCE = f"""
float gain(float);
static int hidden(int n) {{ return n + 1; }}
inline int twice(int n) {{ return 2 * n; }}
int (*kept)(int) = twice;
namespace ops {{ float scaled(const float *x, long n) {{ return x[n]; }} }}
float scaled(float *x, long n) {{ return gain(x[n]); }}
extern "C" int scale{ABI} {{ return hidden(n) + kept(n); }}
extern "C" int scaleInit() {{ return 0; }}
extern "C" void *PyInit_scales() {{ return nullptr; }}
"""
GAIN = 'extern "C" float gain(float x) { return 3 * x; }'


def made(path, text, *flags):
    """A product of g++, in the folder of its path."""
    source = path.with_suffix(".cpp")
    source.write_text(text)
    command = [toolchain.cxx_compiler().path, "-fPIC", source.name, *flags, "-o", path.name]
    subprocess.run(command, cwd=path.parent, check=True)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """scales.o, scales.so, gain.so, and uses.so, which is linked with gain.so."""
    place = tmp_path_factory.mktemp("symbols")
    made(place / "scales.o", SOURCE, "-c")
    made(place / "scales.so", SOURCE, "-shared")
    made(place / "gain.so", GAIN, "-shared")
    uses = f'extern "C" float gain(float);\nextern "C" int scale{ABI} {{ return gain(n); }}'
    made(place / "uses.so", uses, "-shared", "./gain.so")
    return place


def roles(found):
    return {each.name: each.role for each in found.exported}


@pytest.fixture(params=["scales.o", "scales.so"])
def scales(request, folder):
    return contents.contents(folder / request.param)


# the tables -----------------------------------------------------------------------------------


def test_every_name_has_its_role(scales):
    assert roles(scales) == {
        "PyInit_scales": "module",
        "scale": "kernel",
        "scaleInit": "companion",
        "_Z6scaledPfl": "C++",
        "_ZN3ops6scaledEPKfl": "C++",
        "_Z5twicei": "inline",
        "kept": "data",
    }


def test_what_is_declared_and_never_defined_is_nobodys(scales):
    assert scales.nobodys == ("_Z4gainf",)
    assert "_GLOBAL_OFFSET_TABLE_" not in str(scales.needs)


def test_what_is_needed_has_an_owner(folder):
    found = contents.contents(made(folder / "cosine.so", COSINE, "-shared", "-lm"))
    assert found.nobodys == () and "cosf" in found.needs["libm.so.6"]
    assert found.libraries["libm.so.6"].endswith("libm.so.6")


COSINE = '#include <cmath>\nextern "C" float wave(float x) { return cosf(x); }'


def test_a_name_of_python_is_pythons(folder):
    text = 'extern "C" void *PyList_New(long);\nextern "C" void *none() { return PyList_New(0); }'
    assert contents.contents(made(folder / "lists.so", text, "-shared")).needs == {
        contents.PYTHON: ("PyList_New",)
    }


def test_a_library_that_is_not_there_is_told(folder):
    (folder / "gain.so").rename(folder / "gone.so")
    try:
        found = contents.contents(folder / "uses.so")
    finally:
        (folder / "gone.so").rename(folder / "gain.so")
    assert found.absent == ["./gain.so"] and found.nobodys == ("gain",)
    shown = symbols_words.title(found)
    assert shown.endswith("./gain.so is not found, 1 needed name is nobody's")
    assert "perhaps ./gain.so has it" in symbols_words.hint(found, "gain")


def test_a_damaged_object_is_refused_and_no_more(folder):
    data = bytearray((folder / "scales.o").read_bytes())
    for at in range(40, 64):
        data[at] = 0xFF
    (folder / "bad.o").write_bytes(data)
    with pytest.raises(elf.Malformed):
        objects.read(folder / "bad.o")


@pytest.mark.parametrize("length", [0, 20, 64, 200, 900])
def test_an_object_that_is_cut_off_too(folder, length):
    (folder / "cut.o").write_bytes((folder / "scales.o").read_bytes()[:length])
    with pytest.raises(elf.Malformed):
        objects.read(folder / "cut.o")


def test_names_are_read_with_and_without_the_systems_library(monkeypatch):
    assert demangle.demangled("_ZN3ops6scaledEPKfl") == "ops::scaled(float const*, long)"
    assert demangle.demangled("scale") == "scale" and demangle.demangled("_Z") == "_Z(...)"
    monkeypatch.setattr(demangle, "_library", lambda: (None, None))
    assert demangle.demangled("_ZN3ops6scaledEPKfl") == "scaled(...)"


def test_a_second_library_may_have_what_is_missing(folder):
    uses = 'extern "C" float gain(float);\nfloat use(float x) { return gain(x); }'
    shown = viz.symbols(made(folder / "open.so", uses, "-shared"), other=folder / "gain.so")
    assert "gain.so offers gain, and the loader does not know of it." in shown.text()


# the view -------------------------------------------------------------------------------------


def test_the_title_says_what_matters(folder):
    shown = viz.symbols(folder / "scales.so")
    assert shown.title == (
        "scales.so, a shared library: exports 5 functions of its own, 1 kernel among them, "
        "Python imports it as scales; 1 needed name is nobody's"
    )
    assert "the linker has to find 1 name elsewhere" in viz.symbols(folder / "scales.o").title
    assert shown.html().count(f'aria-label="{shown.title}"') == 1


def test_the_text_has_every_table(folder):
    text = viz.symbols(folder / "scales.so").text()
    for line in (
        'T scale                func="./scales.so:scale"; nobody can see its arguments',
        "T PyInit_scales        import scales",
        "= ops::scaled(float const*, long)",
        "W 1 inline function of C++, mostly of headers",
        "✗ nobody offers it",
        '_Z4gainf = gain(float); defined in C? Then it is declared without extern "C": it would be',
    ):
        assert line in text, text


def test_page_and_text_say_the_same_and_need_no_script(folder):
    shown = viz.symbols(folder / "scales.so", find="scale", other=folder / "uses.so")
    page = shown.html()
    assert not re.search(r'<[a-z]+[^>]* id="|<script', page)
    for each in shown.contents.exported:
        if each.role in symbols_words.FOUND_BY:
            use = symbols_words.use(shown.contents, each)
            assert each.name in page and use in shown.text()
    assert shown.twice == ["scale"] and "uses.so exports scale too" in page
    assert 'class="kernel on twice"' in page


@pytest.mark.parametrize(
    "name, words",
    [
        ("scale", "'scale' is exported: func="),
        ("scaled", "C++ made _Z6scaledPfl of it"),
        ("_Z6scaledPdl", "_Z6scaledPfl is, for other types of arguments"),
        ("gain", "is needed, not exported: nobody offers it"),
        ("scael", "did you mean scale"),
        ("PyInit_scale", "did you mean PyInit_scales"),
        ("quite_another", "no name is near. (What m.def binds is no symbol"),
    ],
)
def test_a_name_is_looked_for(folder, name, words):
    shown = viz.symbols(folder / "scales.so", find=name)
    assert words in shown.answer and shown.answer in shown.text()


def test_a_c_function_that_is_called_as_c_plus_plus_is_told(folder):
    path = made(folder / "half.so", SOURCE + GAIN.replace("gain", "other"), "-shared")
    assert "it would be gain" in viz.symbols(path).text()
    uses = f"float gain(float);\nint use(int n) {{ return gain(n); }}\nnamespace c {{ {GAIN} }}"
    text = viz.symbols(made(folder / "mixed.so", uses, "-shared")).text()
    assert 'the C function gain is here: declare it extern "C" where it is called too' in text


def test_a_source_an_op_and_a_module_will_do(folder, monkeypatch):
    monkeypatch.chdir(folder)
    source = folder / "kernel.cpp"
    source.write_text(f'extern "C" int same{ABI} {{ return 0; }}')
    assert viz.symbols(source).title.startswith("the library of kernel.cpp: exports 1 function")
    op = ops.Custom(f"{source}:same", lambda x: x, lambda x: x, "aot")
    with pytest.raises(errors.NotRunnable, match="No library of same is loaded"):
        viz.symbols(op)
    import _ctypes

    if hasattr(_ctypes, "__file__"):
        assert "Python imports it as _ctypes" in viz.symbols(_ctypes).title


@pytest.mark.parametrize("asked, kind", [(3, TypeError), ("sclaes.so", ValueError)])
def test_what_is_no_library(folder, monkeypatch, asked, kind):
    monkeypatch.chdir(folder)
    with pytest.raises(kind) as told:
        viz.symbols(asked)
    assert asked == 3 or "Did you mean 'scales.so'" in str(told.value)


def test_what_is_no_elf_file_is_told_by_the_clinic(folder):
    (folder / "text.so").write_text("no library")
    with pytest.raises(RuntimeError, match="is not a shared library") as told:
        viz.symbols(folder / "text.so")
    assert told.value.reason == "not-elf"


def test_it_is_saved(folder, tmp_path):
    for ending in (".html", ".txt"):
        path = viz.symbols(folder / "scales.so").save(tmp_path / f"a{ending}")
        assert path.stat().st_size > 300
