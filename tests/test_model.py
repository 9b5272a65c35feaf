"""Model and its callbacks train, print and call as MindSpore's do, in both modes."""

import json
import math
import os
import re
from pathlib import Path

import model_checkpoint_programs  # noqa: F401  (it adds programs)
import model_programs as programs
import numpy as np
import pytest
from model_batches import BENCH, Batches

import ms_ext as ms
from ms_ext import dataset, nn, train
from ms_ext.train.callback import model_checkpoint

KEPT = json.loads((Path(__file__).parent / "golden" / "model.json").read_text("utf-8"))
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?")
#: Nothing of these depends on how a step is computed.
ONE_MODE = [name for name in programs.PROGRAMS if "checkpoint" in name] + ["policies"]


def compare(found, kept):
    assert [NUMBER.sub("#", line) for line in found["said"]] == [
        NUMBER.sub("#", line) for line in kept["said"]
    ]
    for one, other in zip(found["said"], kept["said"], strict=True):
        numbers = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
        assert all(math.isclose(float(a), float(b), rel_tol=1e-4) for a, b in numbers), (one, other)
    alike(json.loads(json.dumps(found["answer"])), kept["answer"])


def alike(found, kept):
    """The same structure, with the same numbers up to what summing in another order changes."""
    if isinstance(kept, float) and not isinstance(found, str):
        assert math.isclose(found, kept, rel_tol=1e-4, abs_tol=1e-6), (found, kept)
    elif isinstance(kept, list):
        assert len(found) == len(kept), (found, kept)
        for one, other in zip(found, kept, strict=True):
            alike(one, other)
    elif isinstance(kept, dict):
        assert list(found) == list(kept)
        alike(list(found.values()), list(kept.values()))
    elif isinstance(kept, str) and NUMBER.fullmatch(kept):
        alike(float(found), float(kept))
    else:
        assert found == kept


@pytest.mark.parametrize("name", [name for name in programs.PROGRAMS if name not in ONE_MODE])
def test_it_is_as_in_mindspore(name, mode):
    compare(programs.run(name, ms, Batches), KEPT[name])


@pytest.mark.parametrize("name", ONE_MODE)
def test_checkpoints_are_as_in_mindspore(name):
    compare(programs.run(name, ms, Batches), KEPT[name])


# what Model asks of a dataset ---------------------------------------------------------------------


def test_the_iterator_is_stopped_also_when_a_step_fails():
    data = BENCH.data()
    BENCH.model().train(2, data)
    assert data.stopped == 1

    def fail(context):
        raise KeyError("stop")

    with pytest.raises(KeyError):
        BENCH.model().train(2, other := BENCH.data(), train.LambdaCallback(on_train_step_end=fail))
    assert other.stopped == 1


def rows(x, y, size):
    """The same batches from ms.dataset."""
    return dataset.NumpySlicesDataset((x, y), ["x", "y"], shuffle=False).batch(size)


@pytest.mark.parametrize("name", ["train", "fit", "a_partial_batch", "train_with_sink_size"])
def test_the_batches_of_ms_dataset_do_the_same(name, mode):
    compare(programs.run(name, ms, rows), KEPT[name])


def test_in_graph_mode_a_step_is_compiled_once_with_its_update(mode):
    model = BENCH.model()
    model.train(3, BENCH.data())
    compiled = model.train_network._compiled
    assert (compiled is not None) == (mode == "graph")
    if compiled is not None:
        assert len(compiled.compilations) == 1
        graph = model.train_network.graph(*BENCH.data().rows[0])
        names = [node.primitive.name for node in graph.order()]
        assert names.count("MatMul") == 2 and names[-1] == "Sub"  # forward, gradient; the update


def test_a_dataset_is_shuffled_anew_in_every_epoch():
    seen, numbers = [], np.arange(12, dtype=np.float32)
    data = dataset.NumpySlicesDataset((numbers[:, None].repeat(2, 1), numbers[:, None]), ["x", "y"])
    look = train.LambdaCallback(
        on_train_step_end=lambda run: seen.append(run.original_args().train_dataset_element[1])
    )
    BENCH.model(rate=1e-6).train(2, data, look)
    first, second = [float(y) for y in seen[:12]], [float(y) for y in seen[12:]]
    assert sorted(first) == sorted(second) == numbers.tolist() and first != second


def test_training_goes_on_where_a_checkpoint_ended(tmp_path, mode):
    """Optimizer and all: the second half after loading is the second half of the whole."""
    whole, first, second = BENCH.model(), BENCH.model(), BENCH.model()
    whole.train(4, BENCH.data())
    first.train(2, BENCH.data())
    file = str(tmp_path / "half.ckpt")
    ms.save_checkpoint(first.train_network, file)
    assert ms.load_param_into_net(second.train_network, ms.load_checkpoint(file)) == ([], [])
    second.train(4, BENCH.data(), initial_epoch=2)
    for one, other in zip(programs.weights(second), programs.weights(whole), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_checkpoint_of_mindspores_optimizer_goes_on_here():
    file = str(Path(__file__).parent / "golden" / "checkpoints" / "momentum.ckpt")
    net = BENCH.net()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    whole = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    loaded = ms.load_checkpoint(file)
    assert [p.name for p in whole.get_parameters()] == list(loaded)
    assert ms.load_param_into_net(whole, loaded, strict_load=True) == ([], [])


def test_checkpoints_lie_where_one_works_and_five_are_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    BENCH.model().train(3, BENCH.data(), train.ModelCheckpoint())
    kept = ["2_2", "2_3", "3_1", "3_2", "3_3"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"CKP-{each}.ckpt" for each in kept]


def test_checkpoints_every_so_many_seconds(tmp_path, monkeypatch):
    clock = iter(range(0, 1000, 7))
    monkeypatch.setattr(model_checkpoint.time, "time", lambda: next(clock))
    config = train.CheckpointConfig(0, 10)
    BENCH.model().train(2, BENCH.data(), train.ModelCheckpoint("net", str(tmp_path), config))
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["net-1_2", "net-2_1", "net-2_3"]


def test_of_the_last_minutes_one_checkpoint_is_kept(tmp_path):
    config = train.CheckpointConfig(1, 0, 0, keep_checkpoint_per_n_minutes=60)
    BENCH.model().train(2, BENCH.data(), train.ModelCheckpoint("net", str(tmp_path), config))
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["net-1_1", "net-2_3"]


def test_what_goes_wrong_in_the_background_ends_training(tmp_path):
    config = train.CheckpointConfig(async_save=True)
    saving = train.ModelCheckpoint("net", str(tmp_path / "gone"), config)
    os.rmdir(tmp_path / "gone")
    with pytest.raises(FileNotFoundError, match="could not be written"):
        BENCH.model().train(1, BENCH.data(), saving)


def test_a_loss_that_is_no_number_ends_training():
    with pytest.raises(ValueError, match="loss is NAN or INF, training process cannot continue"):
        BENCH.model(rate=1e30).train(9, BENCH.data(), train.LossMonitor(0))
