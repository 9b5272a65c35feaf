"""Whose files lie in a folder, and where may a teacher's bundle lie?"""

import os
from pathlib import Path

import pytest
import small_course as course
from small_course import small_course  # noqa: F401 - a fixture

from ms_ext.engine import errors
from ms_ext.grading import exercise
from ms_ext.grading.classroom import bundle, learners


def found_in(folder):
    return {each.name: [each.shown(path) for path in each.paths] for each in learners.find(folder)}


def lay(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1")


def test_folders_as_people_collect_them(tmp_path):
    lay(tmp_path / "plain", "ada/a.ipynb", "ada/deep/er/b.py", "bob/.hidden/c.py", "eve.ipynb")
    assert found_in(tmp_path / "plain") == {
        "ada": ["a.ipynb", "deep/er/b.py"], "bob": [], "eve": ["eve.ipynb"]
    }  # fmt: skip
    lay(tmp_path / "course", "submitted/ada/week1/a.ipynb", "source/week1/a.ipynb")
    assert found_in(tmp_path / "course") == {"ada": ["week1/a.ipynb"]}
    moodle = "Ada Byron_123_assignsubmission_"
    lay(tmp_path / "moodle", f"{moodle}file_/a.ipynb", f"{moodle}onlinetext_/text.html")
    assert found_in(tmp_path / "moodle") == {"Ada Byron_123": ["a.ipynb"]}
    assert learners.find(tmp_path / "moodle")[0].folder.name == f"{moodle}file_"
    lay(
        tmp_path / "canvas", "byronada_12_34_a.ipynb", "byronada_12_35_b.py", "x_LATE_7_8_a-1.ipynb"
    )
    assert found_in(tmp_path / "canvas") == {
        "byronada_12": ["byronada_12_34_a.ipynb", "byronada_12_35_b.py"],
        "x_7": ["x_LATE_7_8_a-1.ipynb"],
    }
    assert learners.find(tmp_path / "canvas")[0].folder is None  # others' files lie beside it


def test_links_lead_nowhere_and_are_told(tmp_path):
    lay(tmp_path, "outside/secret.py", "all/eve/own.py")
    (tmp_path / "all/eve/stolen.py").symlink_to(tmp_path / "outside/secret.py")
    (tmp_path / "all/eve/folder").symlink_to(tmp_path / "outside")
    (tmp_path / "all/mallory").symlink_to(tmp_path / "outside")
    eve, mallory = learners.find(tmp_path / "all")
    assert [path.name for path in eve.paths] == ["own.py"]
    assert eve.warnings == ("stolen.py is a link and was not read.",)
    assert (mallory.paths, mallory.warnings) == ((), ("It is a link and was not read.",))


def test_a_name_that_begins_with_two_dots_is_a_learners_too(tmp_path):
    lay(tmp_path, "all/..ada/a.py", "all/.git/b.py", "all/.hidden.py")
    assert [each.name for each in learners.find(tmp_path / "all")] == ["..ada"]


def test_a_bottomless_folder_ends_and_hidden_copies_do_not_count(tmp_path):
    deep = tmp_path / "all" / "eve" / Path(*["d"] * 60)
    os.makedirs(deep)
    lay(tmp_path, "all/eve/a.py", "all/eve/.ipynb_checkpoints/a.py", "all/eve/earlier/b.py")
    lay(tmp_path, "all/eve/work.zip")
    (eve,) = learners.find(tmp_path / "all")
    assert [path.name for path in eve.paths] == ["a.py"]
    assert [warning.split()[0] for warning in eve.warnings] == ["work.zip", "Folders"]


def test_no_submissions_are_no_empty_success(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(errors.InvalidValue, match="holds no submissions"):
        learners.find(tmp_path / "empty")
    with pytest.raises(errors.InvalidValue, match="no such folder"):
        learners.find(tmp_path / "nowhere")


# bundles -------------------------------------------------------------------------------------


@pytest.fixture
def tests(tmp_path, small_course):  # noqa: F811
    """A bundle for the small course."""
    return bundle.new(tmp_path / "bundle", exercise.names("98"), "Small")


def test_a_bundle_is_hashed_kept_outside_and_never_overwritten(tmp_path, tests):
    (tests.path / "note.txt").write_text("mine")
    assert bundle.read(tests.path).sha != tests.sha
    with pytest.raises(errors.InvalidValue, match="something at this place"):
        bundle.new(tests.path, tests.names)
    with pytest.raises(errors.InvalidValue, match="inside the repository"):
        bundle.new(bundle.ROOT / "build" / "bundle", tests.names)
    with pytest.raises(errors.InvalidValue, match="inside the submissions"):
        bundle.read(tests.path, tmp_path)
    assert not (bundle.ROOT / "build" / "bundle").exists()


@pytest.mark.parametrize(
    "text, told",
    [
        ("checks = 3", "TypeError"),
        ("raise SystemError('no')", "SystemError: no"),
        ("from ms_ext.grading import exercise\nchecks = exercise.load('98.both').checks", "called"),
    ],
)
def test_a_broken_file_of_extra_checks_is_named(tests, text, told):
    (tests.path / "extra" / course.NAME / "both.py").write_text(text)
    with pytest.raises(errors.InvalidValue, match=told) as caught:
        tests.exercise("98.both")
    assert "both.py" in str(caught.value)


@pytest.mark.parametrize(
    "about", ["{", "[]", '{"format": 9, "key": "", "title": "", "exercises": []}']
)
def test_what_is_no_bundle_is_refused(tmp_path, about):
    (tmp_path / "bundle.json").write_text(about)
    with pytest.raises(errors.InvalidValue, match="bundle"):
        bundle.read(tmp_path)
