"""Datasets answer here what they answered on MindSpore 2.10 (golden/dataset.json).

PYTHONPATH=. python tests/dataset_programs.py    records, with a Python that has MindSpore
"""

import importlib
import json
import math
import sys

import dataset_programs
import pytest
from dataset_programs import PROGRAMS, RECORDED

import ms_ext
from ms_ext import resolve
from ms_ext.engine.data import settings

for part in ("files", "pipeline", "refused", "sources", "transforms"):
    importlib.import_module(f"dataset_programs_{part}")
ANSWERS = json.loads(RECORDED.read_text())
#: (program, place of the answer) -> why ours is another one.
DIFFERENCES = {
    ("map_refused", 5): "there two columns get one name",
    ("map_refused", 8): "there None is no function only when rows are asked for",
    ("generators_with_an_order_refused", 0): "there a shard below 0 fails with the first row",
    ("a_dataset_used_twice", 1): "there a dataset that two others were made of cannot be used",
}


@pytest.fixture(autouse=True)
def settings_as_they_were(monkeypatch):
    """No program's seed or size stays behind, and none of another test is there."""
    before = dict(vars(settings.settings))
    monkeypatch.setattr(settings, "_of_ops", lambda: (None, 0))
    settings.set_seed(None)
    yield
    vars(settings.settings).update(before)


def differs(recorded, found):
    """The first place where two answers differ, or None; of refusals only the kind counts."""
    if isinstance(recorded, dict) and "refused" in recorded:
        kind = found.get("refused") if isinstance(found, dict) else found
        return None if recorded["refused"] == kind else (recorded, found)
    if isinstance(recorded, list) and isinstance(found, list) and len(recorded) == len(found):
        pairs = zip(recorded, found, strict=True)
        return next((d for a, b in pairs if (d := differs(a, b)) is not None), None)
    if isinstance(recorded, dict) and isinstance(found, dict) and recorded.keys() == found.keys():
        return next((d for k in recorded if (d := differs(recorded[k], found[k]))), None)
    if isinstance(recorded, float) and type(found) is float:
        close = math.isclose(recorded, found, rel_tol=2e-6, abs_tol=1e-6)
        return None if close else (recorded, found)
    same = type(recorded) is type(found) and recorded == found
    return None if same else (recorded, found)


def test_every_program_is_recorded():
    assert list(ANSWERS) == list(PROGRAMS)


@pytest.mark.parametrize(
    ("recorded", "found", "same"),
    [
        (1.0, 1.0000001, True),
        (1.0, 1.01, False),
        (1, True, False),
        (["list", 1], ["list", 1, 2], False),
        ({"refused": "ValueError", "text": "a"}, {"refused": "ValueError", "text": "b"}, True),
        ({"refused": "ValueError", "text": "a"}, {"refused": "TypeError", "text": "a"}, False),
        ({"refused": "ValueError", "text": "a"}, "not refused", False),
        ("not refused", {"refused": "ValueError", "text": "a"}, False),
    ],
)
def test_when_two_answers_agree(recorded, found, same):
    assert (differs(recorded, found) is None) is same


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_on_mindspore(name, tmp_path):
    found = dataset_programs.answers(name, ms_ext, ms_ext.dataset, tmp_path)
    found = json.loads(json.dumps(found))
    assert len(found) == len(ANSWERS[name]), found
    for place, (recorded, ours) in enumerate(zip(ANSWERS[name], found, strict=True)):
        listed = (name, place) in DIFFERENCES
        assert (differs(recorded, ours) is not None) is listed, (place, differs(recorded, ours))


def test_under_the_name_of_mindspore():
    resolve.here()
    try:
        import mindspore.dataset as ds
        from mindspore.dataset import transforms, vision
        from mindspore.dataset.vision import Rescale

        assert ds is ms_ext.dataset and vision.Rescale is Rescale
        assert transforms.TypeCast(ms_ext.int32).data_type == "int32"
    finally:
        resolve.withdraw()
    assert "mindspore.dataset" not in sys.modules
