"""Programs with Model and its callbacks, for MindSpore and for ms_ext: what they print and answer.

Each takes a Bench: the package ``ms`` and the dataset; the network is Dense(2, 1) on six rows.
"""

import contextlib
import io
import os
import re
import tempfile

import numpy as np

X = (np.arange(12, dtype=np.float32) / 6).reshape(6, 2)
Y = (X @ np.array([[1.0], [2.0]], np.float32) + 0.5).astype(np.float32)
PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


class Bench:
    """What the programs are made of."""

    def __init__(self, ms, batches):
        self.ms, self.batches = ms, batches
        self.train = __import__(f"{ms.__name__}.train", fromlist=["train"])

    def data(self, size=2):
        return self.batches(X, Y, size)

    def net(self):
        net = self.ms.nn.Dense(2, 1)
        net.weight.set_data(self.ms.Tensor([[0.1, 0.2]], self.ms.float32))
        net.bias.set_data(self.ms.Tensor([0.0], self.ms.float32))
        return net

    def model(self, metrics=None, rate=0.05, **options):
        net = self.net()
        momentum = self.ms.nn.Momentum(net.trainable_params(), rate, 0.9)
        return self.train.Model(net, self.ms.nn.MSELoss(), momentum, metrics, **options)


def run(name, ms, batches):
    """What a program printed, line by line, and what it answered."""
    said, here = io.StringIO(), os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said):
        os.chdir(folder)
        try:
            answer = PROGRAMS[name](Bench(ms, batches))
        finally:
            os.chdir(here)
    lines = [re.sub(r"\d+\.\d+ ms", "T ms", line) for line in said.getvalue().splitlines()]
    return {"said": lines, "answer": answer}


def weights(model):
    return [parameter.asnumpy().tolist() for parameter in model.train_network.get_parameters()]


# training -----------------------------------------------------------------------------------------


@program
def train(bench):
    model = bench.model()
    monitors = [bench.train.LossMonitor(), bench.train.TimeMonitor()]
    model.train(2, bench.data(), callbacks=monitors)
    return weights(model)


@program
def train_with_sink(bench):
    model = bench.model()
    model.train(2, bench.data(), bench.train.LossMonitor(), dataset_sink_mode=True)
    return weights(model)


@program
def train_with_sink_size(bench):
    bench.model().train(2, bench.data(), bench.train.LossMonitor(), True, sink_size=2)


@program
def train_from_epoch(bench):
    bench.model().train(4, bench.data(), [bench.train.LossMonitor(2)], initial_epoch=2)


@program
def train_twice(bench):
    model, monitor, data = bench.model(), bench.train.LossMonitor(2), bench.data()
    model.train(1, data, monitor)
    model.train(2, data, monitor)


@program
def a_partial_batch(bench):
    model = bench.model({"mae", "mse", "loss"})
    model.train(1, bench.data(4), bench.train.LossMonitor())
    return {name: float(value) for name, value in model.eval(bench.data(4)).items()}


@program
def a_network_with_its_loss(bench):
    whole = bench.ms.nn.WithLossCell(bench.net(), bench.ms.nn.MSELoss())
    bench.train.Model(whole).train(1, bench.data(), bench.train.LossMonitor())


@program
def predict(bench):
    model = bench.model()
    model.train(1, bench.data())
    return model.predict(bench.ms.Tensor(X[:2])).asnumpy().tolist()


@program
def fit(bench):
    model, history = bench.model({"mae"}), bench.train.History()
    monitors = [bench.train.LossMonitor(2), bench.train.TimeMonitor(), history]
    model.fit(2, bench.data(), bench.data(3), callbacks=monitors)
    brought = {name: [float(v) for v in values] for name, values in history.history.items()}
    return [history.epoch, brought]


@program
def fit_now_and_then(bench):
    bench.model({"mae"}).fit(4, bench.data(), bench.data(), valid_frequency=2,
                             callbacks=bench.train.LossMonitor(0))  # fmt: skip
    bench.model({"mae"}).fit(3, bench.data(), bench.data(), valid_frequency=[3],
                             callbacks=bench.train.LossMonitor(0))  # fmt: skip


@program
def with_a_loss_scale(bench):
    amp = __import__(f"{bench.ms.__name__}.amp", fromlist=["amp"])
    manager = amp.FixedLossScaleManager(4, drop_overflow_update=False)
    bench.model(loss_scale_manager=manager).train(1, bench.data(), bench.train.LossMonitor())


# callbacks ----------------------------------------------------------------------------------------

SAID = ("cur_epoch_num", "cur_step_num", "batch_num", "mode", "epoch_num", "dataset_sink_mode")


def spy(bench):
    """A callback that keeps which hook was called when; and what it keeps."""
    seen = []

    def hook(name):
        def called(self, context):
            asked = context.original_args()
            seen.append([name, *map(asked.get, SAID), type(asked.get("net_outputs")).__name__])

        return called

    hooks = {
        f"on_{phase}_{when}": hook(f"on_{phase}_{when}")
        for phase in ("train", "eval")
        for when in ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end")
    }
    return type("Spy", (bench.train.Callback,), hooks)(), seen


@program
def the_order_of_hooks(bench):
    callback, seen = spy(bench)
    bench.model({"mae"}).fit(2, bench.data(), bench.data(3), callbacks=callback)
    return seen


@program
def the_order_of_hooks_when_stopped(bench):
    callback, seen = spy(bench)
    stop = bench.train.LambdaCallback(on_train_step_end=lambda context: context.request_stop())
    bench.model().train(3, bench.data(), [stop, callback])
    return seen


@program
def the_hooks_of_eval(bench):
    callback, seen = spy(bench)
    bench.model({"mae"}).eval(bench.data(), callback)
    return seen


@program
def plain_hooks(bench):
    class Plain(bench.train.Callback):
        def step_end(self, context):
            print("step", context.original_args().cur_step_num)

        def begin(self, context):
            print("begin", context.original_args().mode)

    model = bench.model({"mae"})
    model.train(1, bench.data(), Plain())
    model.eval(bench.data(), Plain())


@program
def a_lambda(bench):
    bench.model().train(1, bench.data(), bench.train.LambdaCallback(
        on_train_epoch_begin=lambda context: print("epoch"),
        on_train_end=lambda context: print("end", context.original_args().cur_step_num),
    ))  # fmt: skip


@program
def a_learning_rate_schedule(bench):
    asked = []

    def rate(now, step):
        asked.append([now, step])
        return now * 0.5 if step % 3 == 0 else now

    model = bench.model(rate=0.1)
    model.train(3, bench.data(), bench.train.LearningRateScheduler(rate))
    return asked, weights(model)


@program
def early_stopping(bench):
    stopping = bench.train.EarlyStopping(
        "mae", min_delta=10, patience=2, verbose=True, restore_best_weights=True
    )
    model = bench.model({"mae"}, rate=0.1)
    model.fit(10, bench.data(), bench.data(), callbacks=[stopping, bench.train.LossMonitor(3)])
    return weights(model)


@program
def early_stopping_by_loss(bench):
    stopping = bench.train.EarlyStopping("loss", patience=1, verbose=True)
    bench.model(rate=0.1).train(10, bench.data(), [stopping, bench.train.LossMonitor(3)])


@program
def a_plateau(bench):
    plateau = bench.train.ReduceLROnPlateau(
        "eval_loss", factor=0.5, min_delta=10, patience=1, cooldown=1, verbose=True, min_lr=0.03
    )
    model = bench.model({"mae"}, rate=0.1)
    model.fit(6, bench.data(), bench.data(), callbacks=[plateau, bench.train.LossMonitor(3)])
    return weights(model)
