"""What Model and its callbacks refuse, with MindSpore's kind of error."""

import model_programs as programs
import numpy as np
import pytest
from model_batches import BENCH, Batches

import ms_ext as ms
from ms_ext import nn, train
from ms_ext.engine import errors


class Plain(train.Callback):
    def step_end(self, context):
        pass


class ThreeColumns(Batches):
    def create_tuple_iterator(self, num_epochs=-1):
        return [(*row, row[0]) for row in self.rows]


def used():
    data = BENCH.data()
    BENCH.model().train(1, data)
    return data


REFUSED = {
    "epoch 0": (ValueError, lambda: BENCH.model().train(0, BENCH.data())),
    "epoch 1.0": (TypeError, lambda: BENCH.model().train(1.0, BENCH.data())),
    "initial epoch": (ValueError, lambda: BENCH.model().train(1, BENCH.data(), initial_epoch=1)),
    "epoch -1": (ValueError, lambda: BENCH.model().train(1, BENCH.data(), initial_epoch=-1)),
    "sink mode": (TypeError, lambda: BENCH.model().train(1, BENCH.data(), dataset_sink_mode=1)),
    "sink size": (ValueError, lambda: BENCH.model().train(1, BENCH.data(), sink_size=0)),
    "half a sink": (TypeError, lambda: BENCH.model().train(1, BENCH.data(), sink_size=1.5)),
    "no callback": (TypeError, lambda: BENCH.model().train(1, BENCH.data(), 3)),
    "no callbacks": (TypeError, lambda: BENCH.model().train(1, BENCH.data(), [3])),
    "no dataset": (AttributeError, lambda: BENCH.model().train(1, 3)),
    "no rows": (ValueError, lambda: BENCH.model().train(1, Batches(programs.X[:0], [], 2))),
    "columns": (
        ValueError,
        lambda: BENCH.model().train(1, ThreeColumns(programs.X, programs.Y, 2)),
    ),
    "another's data": (RuntimeError, lambda: BENCH.model().train(1, used())),
    "no network": (TypeError, lambda: train.Model(3)),
    "no evaluation": (ValueError, lambda: train.Model(BENCH.net(), metrics={"mae"})),
    "no such metric": (KeyError, lambda: BENCH.model({"zz"})),
    "eval_indexes": (
        ValueError,
        lambda: train.Model(
            BENCH.net(), metrics={"mae"}, eval_network=BENCH.net(), eval_indexes=[0]
        ),
    ),
    "no such option": (ValueError, lambda: train.Model(BENCH.net(), foo=3)),
    "amp alone": (ValueError, lambda: train.Model(BENCH.net(), nn.MSELoss(), amp_level="O2")),
    "no such amp": (ValueError, lambda: BENCH.model(amp_level="O9")),
    "a scale alone": (
        ValueError,
        lambda: train.Model(BENCH.net(), nn.MSELoss(), loss_scale_manager=3),
    ),
    "boost": (RuntimeError, lambda: BENCH.model(boost_level="O1")),
    "eval without metrics": (ValueError, lambda: BENCH.model().eval(BENCH.data())),
    "fit without metrics": (
        ValueError,
        lambda: BENCH.model().fit(1, BENCH.data(), BENCH.data()),
    ),
    "frequency": (
        TypeError,
        lambda: BENCH.model({"mae"}).fit(1, BENCH.data(), BENCH.data(), valid_frequency="a"),
    ),
    "a plain hook": (
        ValueError,
        lambda: BENCH.model({"mae"}).fit(1, BENCH.data(), BENCH.data(), callbacks=Plain()),
    ),
    "nothing to predict": (ValueError, lambda: BENCH.model().predict(ms.Tensor(np.ones((0, 2))))),
    "an array": (TypeError, lambda: BENCH.model().predict(programs.X)),
    "another backend": (
        ValueError,
        lambda: BENCH.model().predict(ms.Tensor(programs.X), backend="q"),
    ),
    "every -1 steps": (ValueError, lambda: train.LossMonitor(-1)),
    "every 1.5 steps": (TypeError, lambda: train.LossMonitor(1.5)),
    "data_time": (TypeError, lambda: train.TimeMonitor(data_time=3)),
    "monitor": (TypeError, lambda: train.EarlyStopping(3)),
    "mode": (ValueError, lambda: train.EarlyStopping(mode="x")),
    "patience": (ValueError, lambda: train.EarlyStopping(patience=-1)),
    "min_delta": (TypeError, lambda: train.EarlyStopping(min_delta="a")),
    "factor": (TypeError, lambda: train.ReduceLROnPlateau(factor=2)),
    "factor 2.0": (ValueError, lambda: train.ReduceLROnPlateau(factor=2.0)),
    "min_lr": (TypeError, lambda: train.ReduceLROnPlateau(min_lr="a")),
    "run context": (TypeError, lambda: train.RunContext(3)),
    "steps": (ValueError, lambda: train.CheckpointConfig(-1)),
    "steps a": (TypeError, lambda: train.CheckpointConfig("a")),
    "nothing": (ValueError, lambda: train.CheckpointConfig(0, 0, 0, 0)),
    "saved_network": (TypeError, lambda: train.CheckpointConfig(saved_network=3)),
    "append_info x": (ValueError, lambda: train.CheckpointConfig(append_info=["x"])),
    "append_info 3": (TypeError, lambda: train.CheckpointConfig(append_info=3)),
    "append_info list": (TypeError, lambda: train.CheckpointConfig(append_info=[{"a": [1]}])),
    "two dicts": (TypeError, lambda: train.CheckpointConfig(append_info=[{}, {}])),
    "exception_save": (TypeError, lambda: train.CheckpointConfig(exception_save=3)),
    "async_save": (TypeError, lambda: train.CheckpointConfig(async_save=3)),
    "a key": (RuntimeError, lambda: train.CheckpointConfig(enc_key=b"0" * 16)),
    "crc": (ValueError, lambda: train.CheckpointConfig(format="safetensors", crc_check=True)),
    "prefix a/b": (ValueError, lambda: train.ModelCheckpoint("a/b")),
    "prefix 3": (ValueError, lambda: train.ModelCheckpoint(3)),
    "config": (TypeError, lambda: train.ModelCheckpoint(config=3)),
    "directory": (TypeError, lambda: train.ModelCheckpoint(directory=3)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name):
    kind, call = REFUSED[name]
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, errors.MsExtError) or name == "no dataset"


def test_a_baseline_is_what_was_given():
    """MindSpore takes min_delta for it."""
    said = []
    for baseline in (1e9, 1e-9):
        stopping = train.EarlyStopping("loss", patience=2, baseline=baseline)
        epochs = train.LambdaCallback(
            on_train_epoch_end=lambda run: said.append(run.original_args().cur_epoch_num)
        )
        BENCH.model(rate=1e-4).train(4, BENCH.data(), [stopping, epochs])
    assert said == [1, 2, 3, 4, 1, 2]


def test_a_monitor_of_what_is_not_there_is_told():
    with pytest.warns(errors.MsExtWarning, match="watches 'zz', which is not available"):
        BENCH.model().train(1, BENCH.data(), train.EarlyStopping("zz"))


def test_the_names_of_a_run_are_asked_as_attributes():
    asked = train.callback.InternalCallbackParam(batch_num=3)
    assert asked.batch_num == 3 and not hasattr(asked, "metrics")
    with pytest.raises(KeyError, match="batch_num"):
        _ = asked.batch_nun
