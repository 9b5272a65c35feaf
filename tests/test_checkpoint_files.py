"""Checkpoints as files: MindSpore's own are read, ours are the same bytes, hostile ones refused."""

import io
import json
import os
import pickle
import random
import subprocess
import sys

import checkpoint_cases as cases
import numpy as np
import pytest

import ms_ext as ms
from ms_ext.engine import checkpoints, errors
from ms_ext.engine.checkpoints import ckpt, contents

FILES = cases.contents()


def read(path, **options):
    return checkpoints.read(str(path), path.suffix[1:], **options)


def write(path, entries, **options):
    checkpoints.write(str(path), entries, path.suffix[1:], **options)


# MindSpore's files --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_what_mindspore_wrote_is_read(name):
    assert cases.same(read(cases.FOLDER / name), FILES[name])


@pytest.mark.parametrize("name", [name for name in FILES if name != "sliced.ckpt"])
def test_ours_are_the_same_bytes(name, tmp_path):
    kept = cases.FOLDER / name
    write(tmp_path / name, read(kept), crc_check="crc" in name)
    assert parts((tmp_path / name).read_bytes()) == parts(kept.read_bytes())


def parts(whole):
    """A file's bytes, the header of safetensors apart: its __metadata__ comes in any order."""
    if b"__metadata__" not in whole:
        return whole
    end = 8 + int.from_bytes(whole[:8], "little")
    return whole[:8], json.loads(whole[8:end]), whole[end:]


def test_slices_are_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(ckpt, "SLICE", 1024)
    write(tmp_path / "sliced.ckpt", FILES["sliced.ckpt"])
    assert (tmp_path / "sliced.ckpt").read_bytes() == (cases.FOLDER / "sliced.ckpt").read_bytes()


def test_slices_in_the_middle_of_an_element_and_of_several_arrays(tmp_path, monkeypatch):
    monkeypatch.setattr(ckpt, "SLICE", 7)
    entries = {"a": np.arange(9.0), "said": "long enough for many", "b": np.arange(6).reshape(2, 3)}
    write(tmp_path / "x.ckpt", entries)
    assert cases.same(read(tmp_path / "x.ckpt"), entries)


@pytest.mark.parametrize("suffix", ["ckpt", "safetensors"])
def test_arrays_without_elements_and_views_come_back(suffix, tmp_path):
    whole = np.arange(24).reshape(4, 6)
    entries = {
        "none": np.ones((0,)),
        "nor": np.ones((2, 0, 3), np.int8),
        "view": whole[::2, 1::2].T,
    }
    write(tmp_path / f"x.{suffix}", entries)
    assert cases.same(read(tmp_path / f"x.{suffix}"), entries)


def test_arrays_that_were_read_can_be_written_to():
    found = read(cases.FOLDER / "dense.ckpt")
    found["weight"][0, 0] = 7
    assert found["weight"][0, 0] == 7


def test_a_crc_finds_one_changed_bit(tmp_path):
    for name in ("crc.ckpt", "crc.safetensors"):
        whole = bytearray((cases.FOLDER / name).read_bytes())
        assert cases.same(read(cases.FOLDER / name, crc_check=True), FILES[name])
        whole[-2 if name.endswith("safetensors") else 20] ^= 1
        (tmp_path / name).write_bytes(whole)
        with pytest.raises(ValueError, match="crc|no checkpoint"):
            read(tmp_path / name, crc_check=True)


def test_only_what_is_wanted_is_read():
    found = read(cases.FOLDER / "appended.ckpt", wanted=lambda name: name in ("bias", "said"))
    assert list(found) == ["bias", "said"]


def test_bytes_in_memory_are_a_file_of_safetensors():
    source = io.BytesIO((cases.FOLDER / "dense.safetensors").read_bytes())
    assert cases.same(checkpoints.read(source, "safetensors"), cases.DENSE)


# hostile files ------------------------------------------------------------------------------------

HOSTILE = {f"{name}.ckpt": data for name, data in cases.hostile_checkpoints().items()}
HOSTILE |= {f"{name}.safetensors": data for name, data in cases.hostile_safetensors().items()}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_gets_one_clear_error(name, tmp_path):
    path = tmp_path / name.replace(" ", "_")
    path.write_bytes(HOSTILE[name])
    with pytest.raises(ValueError) as caught:
        read(path)
    assert isinstance(caught.value, errors.MsExtError)
    assert str(path) in str(caught.value) and len(str(caught.value)) < 400 + len(str(path))


@pytest.mark.parametrize("suffix", ["ckpt", "safetensors"])
def test_what_is_no_file_is_refused(suffix, tmp_path):
    (tmp_path / f"folder.{suffix}").mkdir()
    os.mkfifo(tmp_path / f"pipe.{suffix}")
    for name in ("folder", "pipe", "missing"):
        with pytest.raises(errors.InvalidValue):
            read(tmp_path / f"{name}.{suffix}")


def mutated(data, draw):
    """The data with a few bytes changed, added, left out, or cut off."""
    data = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        place, byte = draw.randrange(len(data) + 1), draw.choice([0, 1, 127, 128, 255, 10, 18, 26])
        what = draw.randrange(4)
        if what == 0:
            data[place : place + 1] = bytes([byte])
        elif what == 1:
            data[place:place] = bytes([byte]) * draw.randint(1, 9)
        elif what == 2:
            del data[place : place + draw.randint(1, 9)]
        else:
            del data[draw.randrange(len(data) + 1) :]
    return bytes(data)


MUTATED = ["appended.ckpt", "dtypes.ckpt", "crc.safetensors"]


@pytest.mark.parametrize("name", MUTATED)
def test_random_mutations_are_read_or_refused(name, tmp_path):
    read_mutations(name, tmp_path / name, random.Random(name), 300)


@pytest.mark.long
@pytest.mark.parametrize("name", MUTATED)
def test_many_random_mutations_are_read_or_refused(name, tmp_path):
    read_mutations(name, tmp_path / name, random.Random(f"{name} again"), 4_000)


def read_mutations(name, path, draw, count):
    whole, refused = (cases.FOLDER / name).read_bytes(), 0
    for _ in range(count):
        path.write_bytes(mutated(whole, draw))
        try:
            found = read(path)
        except errors.InvalidValue:
            refused += 1
        else:
            assert sum(v.nbytes for v in found.values() if not isinstance(v, str)) <= 4 * len(whole)
    assert refused > count // 4


CLAIMS = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from ms_ext.engine import checkpoints, errors
for path in sys.argv[1:]:
    try:
        checkpoints.read(path)
    except errors.InvalidValue as error:
        print(type(error).__name__)
"""


def test_a_file_that_claims_much_takes_little_memory(tmp_path):
    """Sparse files: the bytes are there, as zeros, and are more than memory or a message holds."""
    head = b"\x0a\xff\xff\xff\xff\x0f"  # a value of 4 GB
    for name, size in (("huge", 1 << 40), ("over", 1 << 33)):
        with open(tmp_path / f"{name}.ckpt", "wb") as file:
            file.write(head)
            file.truncate(size)
    files = [str(tmp_path / f"{name}.ckpt") for name in ("huge", "over")]
    done = subprocess.run([sys.executable, "-c", CLAIMS, *files], capture_output=True, text=True)
    assert done.stdout.split() == ["Damaged", "Damaged"], done.stderr


class Payload:
    """An object whose pickle makes a folder when it is read."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (self.path,)


@pytest.mark.parametrize("suffix", ["ckpt", "safetensors"])
def test_a_pickle_does_not_run(suffix, tmp_path):
    path, mark = tmp_path / f"x.{suffix}", str(tmp_path / "mark")
    path.write_bytes(pickle.dumps(Payload(mark)))
    with pytest.raises(ValueError):
        read(path)
    assert not os.path.exists(mark)


def test_without_protobuf_there_is_one_clear_error(tmp_path):
    code = (
        "import sys; sys.modules['google.protobuf'] = None\n"
        "import ms_ext as ms\n"
        "net = ms.nn.Dense(2, 1)\n"
        "ms.save_checkpoint(net, sys.argv[1] + '.safetensors', format='safetensors')\n"
        "try:\n    ms.save_checkpoint(net, sys.argv[1])\n"
        "except RuntimeError as error:\n    print(error)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "x")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "pip install protobuf" in done.stdout
    assert os.listdir(tmp_path) == ["x.safetensors"]


def test_the_most_axes_are_those_of_a_tensor():
    assert ms.Tensor(np.ones((1,) * contents.MOST_AXES)).ndim == contents.MOST_AXES
    with pytest.raises(ValueError):
        ms.Tensor(np.ones((1,) * (contents.MOST_AXES + 1)))
