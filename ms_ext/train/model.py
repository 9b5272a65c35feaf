"""``ms.train.Model``: a network with its loss, optimizer and metrics; one call trains it.

    for every epoch, for every batch of the dataset:
        loss = train_network(*batch)          forward, loss, gradients, update: one Cell
        callbacks look on, print, save, stop

In GRAPH_MODE that Cell is compiled, with the update in it. ``dataset_sink_mode`` feeds a device's
queue; on this one, as on MindSpore's CPU, the steps are the same with and without it.
"""

from .. import nn
from ..common.tensor import Tensor
from ..engine import errors
from ..nn.arguments import check_from_zero, check_positive
from ..nn.cell import Cell
from .arguments import check_bool
from .callback.calling import InternalCallbackParam
from .running import Evaluation, Training, check_callbacks

_OPTIONS = ("loss_scale_manager", "keep_batchnorm_fp32", "boost_config_dict", "acc_level")


class Model:
    """Trains, evaluates and asks a network.

    >>> import ms_ext as ms
    >>> net = ms.nn.Dense(2, 1)
    >>> model = Model(net, loss_fn=ms.nn.MSELoss())
    >>> model.predict(ms.Tensor([[1.0, 2.0]])).shape
    (1, 1)
    """

    def __init__(
        self,
        network,
        loss_fn=None,
        optimizer=None,
        metrics=None,
        eval_network=None,
        eval_indexes=None,
        amp_level="O0",
        boost_level="O0",
        **kwargs,
    ):
        _check(network, optimizer, amp_level, kwargs)
        _check_boost(kwargs.get("acc_level", boost_level))
        self._network, self._loss_fn, self._optimizer = network, loss_fn, optimizer
        self._loss_scale_manager = kwargs.get("loss_scale_manager")
        self._train_network = self._with_update(amp_level, kwargs)
        self._metrics = _metrics(metrics)
        self._eval_network, self._eval_indexes = eval_network, eval_indexes
        if self._metrics:
            self._check_evaluation(eval_network, eval_indexes)
            if eval_network is None:
                mixed = amp_level in ("O2", "O3", "auto")
                self._eval_network = nn.WithEvalCell(network, loss_fn, mixed)
                self._eval_indexes = [0, 1, 2]

    @property
    def train_network(self):
        """What a training step calls: network, loss and update in one Cell."""
        return self._train_network

    @property
    def predict_network(self):
        """The network itself."""
        return self._network

    @property
    def eval_network(self):
        """What evaluation calls: it answers loss, logits and labels."""
        return self._eval_network

    def _with_update(self, amp_level, options):
        if self._optimizer is None:
            return nn.WithLossCell(self._network, self._loss_fn) if self._loss_fn else self._network
        from .amp import build_train_network

        names = ("loss_scale_manager", "keep_batchnorm_fp32")
        chosen = {name: options[name] for name in names if options.get(name) is not None}
        return build_train_network(
            self._network, self._optimizer, self._loss_fn, level=amp_level, **chosen
        )

    def _check_evaluation(self, eval_network, indexes):
        if eval_network is None and self._loss_fn is None:
            raise errors.InvalidValue(
                "If `metrics` is set, `eval_network` must not be None.",
                hint="Give loss_fn, of which and the network one is made, or leave metrics out.",
            )
        if indexes is not None and not (isinstance(indexes, list) and len(indexes) == 3):
            raise errors.InvalidValue(
                "The argument 'eval_indexes' must be a list or None. If 'eval_indexes' is a list, "
                f"length of it must be three. But got 'eval_indexes' {indexes}"
            )

    # training -----------------------------------------------------------------------------------

    def train(
        self,
        epoch,
        train_dataset,
        callbacks=None,
        dataset_sink_mode=False,
        sink_size=-1,
        initial_epoch=0,
    ):
        """Train for ``epoch - initial_epoch`` epochs; ``callbacks`` are told of every step."""
        sink_size = self._check_run("train", epoch, initial_epoch, dataset_sink_mode, sink_size,
                                    train_dataset, callbacks)  # fmt: skip
        asked = self._asked(epoch - initial_epoch, train_dataset, callbacks, sink_size)
        Training(self, asked).run(range(initial_epoch + 1, epoch + 1), train_dataset)

    def fit(
        self,
        epoch,
        train_dataset,
        valid_dataset=None,
        valid_frequency=1,
        callbacks=None,
        dataset_sink_mode=False,
        valid_dataset_sink_mode=False,
        sink_size=-1,
        initial_epoch=0,
    ):
        """The same, and evaluate behind every ``valid_frequency``-th epoch or those listed."""
        check_bool(valid_dataset_sink_mode)
        sink_size = self._check_run("fit", epoch, initial_epoch, dataset_sink_mode, sink_size,
                                    train_dataset, callbacks)  # fmt: skip
        if not isinstance(valid_frequency, int | list):
            raise errors.InvalidType(
                "For 'Model.fit', the type of 'valid_frequency' must be a list or an integer, "
                f"but got type {type(valid_frequency)}."
            )
        if valid_dataset is not None:
            self._check_metrics("Model.fit', if valid_dataset is not None")
        asked = self._asked(epoch - initial_epoch, train_dataset, callbacks, sink_size)
        training = Training(self, asked, valid_dataset, valid_frequency)
        training.run(range(initial_epoch + 1, epoch + 1), train_dataset)

    def _check_run(self, function, epoch, first, sink, sink_size, dataset, callbacks):
        """The size of a sink, when all arguments are right; None without one."""
        check_bool(sink)
        if isinstance(sink_size, bool) or not isinstance(sink_size, int):
            raise errors.InvalidType(
                f"The type of input value must be 'int', but got '{type(sink_size).__name__}'."
            )
        check_positive(f"Model.{function}", "epoch", epoch)
        check_from_zero(f"Model.{function}", "initial_epoch", first)
        if first >= epoch:
            raise errors.InvalidValue(
                f"For 'Model.{function}', the parameter 'epoch' must bigger than parameter "
                f"'initial_epoch', but got the parameter 'epoch' is {epoch}, 'initial_epoch' is "
                f"{first}."
            )
        if dataset.get_dataset_size() == 0:
            raise errors.InvalidValue(
                "There is no valid data in dataset, please check dataset file firstly."
            )
        if sink_size < -1 or sink_size == 0:
            raise errors.InvalidValue(
                f"For 'Model.{function}', The argument 'sink_size' must be -1 or positive, "
                f"but got {sink_size}."
            )
        check_callbacks(callbacks, function)
        return sink_size if sink and sink_size > 0 else None

    def _asked(self, epochs, dataset, callbacks, sink_size):
        """What callbacks may ask while this runs."""
        return InternalCallbackParam(
            cur_step_num=0,
            train_network=self._train_network,
            epoch_num=epochs,
            batch_num=sink_size or dataset.get_dataset_size(),
            mode="train",
            loss_fn=self._loss_fn,
            optimizer=self._optimizer,
            parallel_mode="stand_alone",
            device_number=1,
            train_dataset=dataset,
            list_callback=_listed(callbacks),
            train_dataset_element=None,
            network=self._network,
            loss_scale_mananger=self._loss_scale_manager,  # spelled so in MindSpore
            dataset_sink_mode=False,
        )

    # evaluation and answers ---------------------------------------------------------------------

    def eval(self, valid_dataset, callbacks=None, dataset_sink_mode=False):
        """The metrics over a dataset, by name."""
        check_bool(dataset_sink_mode)
        self._check_metrics("Model.eval'")
        check_callbacks(callbacks, "eval")
        asked = InternalCallbackParam(
            list_callback=_listed(callbacks), network=self._network, dataset_sink_mode=False
        )
        return Evaluation(self, asked, callbacks).run(valid_dataset)

    def _check_metrics(self, where):
        if not self._metrics:
            raise errors.InvalidValue(
                f"For '{where}, the model argument 'metrics' can not be None or empty, you should "
                "set the argument 'metrics' for model."
            )

    def predict(self, *predict_data, backend=None, config=None):
        """What the network answers, not being trained."""
        if backend not in ("lite", None):
            raise errors.InvalidValue(
                f"For Model.predict, `backend` should be 'lite' or None, but got {backend}"
            )
        for item in predict_data:
            _check_input(item)
        self._network.set_train(False)
        return self._network(*predict_data)


def _listed(callbacks):
    if callbacks is None:
        return []
    return list(callbacks) if isinstance(callbacks, list | tuple) else [callbacks]


def _metrics(given):
    """The metrics by name; their module is imported where there are some."""
    if not given:
        return {}
    from .metrics import get_metrics

    return get_metrics(given)


def _check(network, optimizer, amp_level, options):
    for name in options:
        if name not in _OPTIONS:
            raise errors.InvalidValue(
                "The argument in 'kwargs' should be 'loss_scale_manager' or 'keep_batchnorm_fp32' "
                f"or 'boost_config_dict' or 'acc_level', but got '{name}'."
            )
    if optimizer is None and amp_level != "O0":
        raise errors.InvalidValue(
            "Auto mixed precision will not work because 'optimizer' is None. Please set "
            "amp_level='O0' to disable auto mixed precision or set 'optimizer' not be None to use "
            "auto mixed precision."
        )
    if not isinstance(network, Cell):
        raise errors.InvalidType(
            f"The type of 'network' should be 'Cell', but got type '{type(network).__name__}'."
        )
    if options.get("loss_scale_manager") is not None and optimizer is None:
        raise errors.InvalidValue(
            "The argument 'optimizer' can not be None when set 'loss_scale_manager'."
        )


def _check_boost(level):
    if level != "O0":
        raise errors.NotRunnable(
            f"For 'Model', boost_level={level!r} is MindSpore's boost, which ms_ext lacks.",
            hint="Leave it out: the results are those of training without it.",
        )


def _check_input(item):
    if isinstance(item, Tensor):
        if item.size == 0:
            raise errors.InvalidValue("The input data can not be empty.")
    elif not isinstance(item, int | float | str | type(None)):
        raise errors.InvalidType(
            "The types of input data must be in Tensor, None, int, float, str, "
            f"but got type {type(item).__name__}."
        )
