"""The loops of Model: over epochs and batches, with callbacks told of every step."""

import copy

from ..common.tensor import Tensor
from ..engine import errors
from .callback.calling import HOOKS, CallbackManager, RunContext
from .callback.model_checkpoint import ModelCheckpoint
from .callback.time_monitor import TimeMonitor

_OWN = f"{__package__}.callback."


class Training:
    """A training of a Model: ``asked`` is what its callbacks may ask."""

    def __init__(self, model, asked, valid_dataset=None, valid_frequency=1):
        self.model, self.asked, self.context = model, asked, RunContext(asked)
        self.valid_dataset, self.valid_frequency = valid_dataset, valid_frequency

    def run(self, epochs, dataset):
        """Train for these epochs, by their numbers."""
        _take(dataset, self.model)
        with CallbackManager(self.asked.list_callback) as callbacks:
            try:
                self._run(epochs, dataset, callbacks)
            except BaseException as error:
                self._save_at_failure(error, callbacks)
                raise

    def _save_at_failure(self, error, callbacks):
        """Let ModelCheckpoints save; what goes wrong with that is noted on the error itself."""
        for each in callbacks.callbacks:
            try:
                if isinstance(each, ModelCheckpoint):
                    each.save_at_failure(self.asked)
            except errors.MsExtError as why:
                error.add_note(f"The checkpoint at this failure was not saved: {why}")

    def _run(self, epochs, dataset, callbacks):
        self.model.train_network.set_train(True)
        callbacks.on_train_begin(self.context)
        batches = dataset.create_tuple_iterator(num_epochs=len(epochs))
        try:
            for number in epochs:
                self.asked.cur_epoch_num = number
                self._epoch(batches, callbacks)
                if self.context.get_stop_requested():
                    break
        finally:
            _stop(batches)
        callbacks.on_train_end(self.context)

    def _epoch(self, batches, callbacks):
        callbacks.on_train_epoch_begin(self.context)
        for batch in batches:
            self._step(batch, callbacks)
            if self.context.get_stop_requested():
                break
        if self.valid_dataset is not None and self._is_due():
            self._evaluate(callbacks)
        callbacks.on_train_epoch_end(self.context)
        self.asked.pop("metrics", None)
        self.asked.pop("eval_results", None)

    def _step(self, batch, callbacks):
        model, asked = self.model, self.asked
        batch = _items(batch)
        if model._loss_fn and len(batch) != 2:
            raise errors.InvalidValue(
                "When 'loss_fn' is not None, 'train_dataset' should return two elements, but got "
                f"{len(batch)}, please check the number of elements returned by 'train_dataset'"
            )
        asked.cur_step_num += 1
        asked.train_dataset_element = batch
        callbacks.on_train_step_begin(self.context)
        asked.net_outputs = model.train_network(*batch)
        manager = model._loss_scale_manager
        if manager is not None and manager.get_drop_overflow_update():
            manager.update_loss_scale(bool(asked.net_outputs[1].asnumpy().all()))
        callbacks.on_train_step_end(self.context)

    def _is_due(self):
        epoch, when = self.asked.cur_epoch_num, self.valid_frequency
        return epoch % when == 0 if isinstance(when, int) else epoch in when

    def _evaluate(self, callbacks):
        """Evaluate between two epochs; of the ready-made callbacks only TimeMonitor is told."""
        names = ("cur_step_num", "batch_num", "dataset_sink_mode", "net_outputs")
        before = {name: self.asked.get(name) for name in names}
        told = [each for each in callbacks.callbacks if _is_told(each)]
        Evaluation(self.model, self.asked, told, with_loss=True).run(self.valid_dataset)
        self.asked.update(before, mode="train")
        self.model.train_network.set_train(True)


def _is_told(callback):
    return isinstance(callback, TimeMonitor) or not type(callback).__module__.startswith(_OWN)


class Evaluation:
    """An evaluation of a Model; ``with_loss`` also keeps "eval_loss", that of the last batch."""

    def __init__(self, model, asked, callbacks, with_loss=False):
        self.model, self.asked, self.callbacks = model, asked, callbacks
        self.context, self.with_loss = RunContext(asked), with_loss

    def run(self, dataset):
        """The metrics, by name."""
        self.asked.update(
            eval_network=self.model.eval_network,
            valid_dataset=dataset,
            batch_num=dataset.get_dataset_size(),
            mode="eval",
            cur_step_num=0,
            dataset_sink_mode=False,
        )
        for metric in self.model._metrics.values():
            metric.clear()
        with CallbackManager(self.callbacks) as callbacks:
            callbacks.on_eval_begin(self.context)
            self.model.eval_network.set_train(False)
            callbacks.on_eval_epoch_begin(self.context)
            self._steps(dataset, callbacks)
            callbacks.on_eval_epoch_end(self.context)
            self._brought()
            callbacks.on_eval_end(self.context)
        return self.asked.metrics

    def _steps(self, dataset, callbacks):
        batches = dataset.create_tuple_iterator(num_epochs=1)
        try:
            for batch in batches:
                self._step(_items(batch), callbacks)
                if self.context.get_stop_requested():
                    break
        finally:
            _stop(batches)

    def _step(self, batch, callbacks):
        asked = self.asked
        asked.cur_step_num += 1
        asked.eval_dataset_element = batch
        callbacks.on_eval_step_begin(self.context)
        asked.net_outputs = self.model.eval_network(*batch)
        callbacks.on_eval_step_end(self.context)
        self._update(asked.net_outputs)

    def _update(self, outputs):
        from .metrics import Loss

        outputs, indexes = _outputs(outputs), self.model._eval_indexes
        if indexes is not None and len(outputs) < 3:
            raise errors.InvalidValue(
                f"The length of 'outputs' must be >= 3, but got {len(outputs)}"
            )
        for metric in self.model._metrics.values():
            if indexes is None:
                metric.update(*outputs)
            elif isinstance(metric, Loss):
                metric.update(outputs[indexes[0]])
            else:
                metric.update(outputs[indexes[1]], outputs[indexes[2]])

    def _brought(self):
        """Keep what came out where callbacks look for it."""
        metrics = {name: metric.eval() for name, metric in self.model._metrics.items()}
        self.asked.metrics = metrics
        if self.with_loss:
            loss = _outputs(self.asked.net_outputs)[(self.model._eval_indexes or [0])[0]]
            results = {**copy.deepcopy(metrics), "eval_loss": float(loss.asnumpy().mean())}
            self.asked.eval_results = results


def _outputs(outputs):
    if isinstance(outputs, Tensor):
        return (outputs,)
    if not isinstance(outputs, tuple):
        raise errors.InvalidValue(
            f"The argument 'outputs' should be tuple, but got {type(outputs)}."
        )
    return outputs


def _items(batch):
    return (batch,) if isinstance(batch, Tensor) else tuple(batch)


def _stop(batches):
    """End what an iterator has running in the background, whether it came to its end or not."""
    stop = getattr(batches, "stop", None)
    if stop is not None:
        stop()


def _take(dataset, model):
    """A dataset belongs to the first Model that trained on it, as in MindSpore."""
    if not hasattr(dataset, "__model_hash__"):
        dataset.__model_hash__ = hash(model)
    if dataset.__model_hash__ != hash(model):
        raise errors.NotRunnable(
            "The dataset object had been used in other model by model.train(...), please create a "
            "new dataset."
        )


def check_callbacks(callbacks, function):
    """Callbacks, and in ``fit`` only such whose hooks say whether they are for training."""
    CallbackManager(callbacks)
    for each in callbacks if isinstance(callbacks, list | tuple) else [callbacks]:
        found = set(HOOKS.values()) & set(vars(type(each)))
        if function == "fit" and found and not type(each).__module__.startswith(_OWN):
            raise errors.InvalidValue(
                f"For {type(each).__name__} callback, {found} methods may not be supported in "
                "later version, Use methods prefixed with 'on_train' or 'on_eval' instead when "
                "using customized callbacks."
            )
