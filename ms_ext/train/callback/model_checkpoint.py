"""A checkpoint every so many steps or seconds, of which only the last few are kept."""

import os
import time

from ...common.tensor import Tensor
from ...engine import errors
from ...engine.checkpoints import background
from ...nn.arguments import check_from_zero, check_type
from ...nn.cell import Cell
from ..arguments import check_bool, check_key
from ..saving import check_way, save_checkpoint
from . import kept_files
from .calling import Callback


class CheckpointConfig:
    """When a ModelCheckpoint saves, how many files it keeps, and what is in them.

    Steps count before seconds, a number to keep before the minutes.
    ``append_info`` may hold "epoch_num", "step_num" and one dict of numbers and texts.

    >>> CheckpointConfig(save_checkpoint_steps=100, append_info=["epoch_num"]).append_dict
    {'epoch_num': 0}
    """

    def __init__(
        self,
        save_checkpoint_steps=1,
        save_checkpoint_seconds=0,
        keep_checkpoint_max=5,
        keep_checkpoint_per_n_minutes=0,
        integrated_save=True,
        async_save=False,
        saved_network=None,
        append_info=None,
        enc_key=None,
        enc_mode="AES-GCM",
        exception_save=False,
        crc_check=False,
        remove_redundancy=False,
        format="ckpt",
        **kwargs,
    ):
        self._when(save_checkpoint_steps, save_checkpoint_seconds)
        self._how_many(keep_checkpoint_max, keep_checkpoint_per_n_minutes)
        if not any((save_checkpoint_steps, save_checkpoint_seconds, keep_checkpoint_max)):
            self._check_any(keep_checkpoint_per_n_minutes)
        self.exception_save = check_bool(exception_save)
        self.integrated_save, self.async_save = check_bool(integrated_save), async_save
        check_way(async_save)
        self.saved_network = _network(saved_network)
        self.append_dict = _appended(append_info)
        check_key("CheckpointConfig", "enc_key", enc_key, enc_mode)
        self.enc_key, self.enc_mode = enc_key, enc_mode
        self.crc_check, self.format = check_bool(crc_check), format
        self.remove_redundancy = check_bool(remove_redundancy)
        if format == "safetensors" and (crc_check or exception_save or kwargs.get("incremental")):
            raise errors.InvalidValue(
                "For 'save_checkpoint', when format is 'safetensors', other param must be default."
            )

    def _check_any(self, minutes):
        if not minutes:
            raise errors.InvalidValue(
                "For 'CheckpointConfig', the input arguments 'save_checkpoint_steps', "
                "'save_checkpoint_seconds', 'keep_checkpoint_max' and "
                "'keep_checkpoint_per_n_minutes' can't be all None or 0."
            )

    def _when(self, steps, seconds):
        _count("save_checkpoint_steps", steps)
        _count("save_checkpoint_seconds", seconds)
        self.save_checkpoint_steps = steps
        self.save_checkpoint_seconds = None if steps else seconds

    def _how_many(self, most, minutes):
        _count("keep_checkpoint_max", most)
        _count("keep_checkpoint_per_n_minutes", minutes)
        self.keep_checkpoint_max = most if most or minutes else 1
        self.keep_checkpoint_per_n_minutes = None if most else minutes

    def get_checkpoint_policy(self):
        """When and how many, as a dict."""
        names = ("save_checkpoint_steps", "save_checkpoint_seconds", "keep_checkpoint_max",
                 "keep_checkpoint_per_n_minutes", "saved_network")  # fmt: skip
        return {name: getattr(self, name) for name in names}


def _count(name, value):
    if value is not None:
        check_from_zero("CheckpointConfig", name, value)


def _network(saved):
    if saved is not None and not isinstance(saved, Cell):
        raise errors.InvalidType(
            "For 'CheckpointConfig', the type of 'saved_network' must be None or Cell, "
            f"but got {type(saved)}."
        )
    return saved


def _appended(info):
    """The dict of what is saved beside the parameters; None for nothing."""
    if not info:
        return None
    check_type("CheckpointConfig", "append_info", info, list)
    dicts = [each for each in info if isinstance(each, dict)]
    for each in info:
        if not isinstance(each, dict):
            check_type("CheckpointConfig", "append_info element", each, str)
            if each not in ("epoch_num", "step_num"):
                raise errors.InvalidValue(
                    "For 'CheckpointConfig', the value of element in the argument 'append_info' "
                    f"must be in ['epoch_num', 'step_num'], but got {each}."
                )
    if len(dicts) > 1:
        raise errors.InvalidType(
            "For 'CheckpointConfig', the element of 'append_info' must has only one dict, "
            f"but got {len(dicts)}"
        )
    counts = {name: 0 for name in ("epoch_num", "step_num") if name in info}
    return counts | _values(dicts[0] if dicts else {})


def _values(given):
    for key, value in given.items():
        if not isinstance(key, str) or not isinstance(value, int | float | str | Tensor):
            raise errors.InvalidType(
                "For 'CheckpointConfig', the key type of the dict 'append_info' must be string, "
                "the value type must be int or float or bool, "
                f"but got key type {type(key)}, value type {type(value)}"
            )
    return given


class ModelCheckpoint(Callback):
    """Saves the network and its optimizer while a Model trains: ``<prefix>-<epoch>_<step>.ckpt``.

    ``prefix`` and ``directory`` may be functions of the run's values. When the directory has files
    of that prefix already, it becomes ``<prefix>_1``, and so on.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> saving = ModelCheckpoint("lenet", folder, CheckpointConfig(save_checkpoint_steps=100))
    >>> saving.latest_ckpt_file_name
    ''
    """

    def __init__(self, prefix="CKP", directory=None, config=None):
        if not callable(prefix) and (not isinstance(prefix, str) or "/" in prefix):
            raise errors.InvalidValue(
                "For 'ModelCheckpoint', the argument 'prefix' for checkpoint file name is invalid, "
                f"it must be callable or string that does not contain '/', but got {prefix}."
            )
        if config is not None and not isinstance(config, CheckpointConfig):
            raise errors.InvalidType(
                "For 'ModelCheckpoint', the type of argument 'config' should be "
                f"'CheckpointConfig', but got {type(config)}."
            )
        self._config = config or CheckpointConfig()
        self._prefix_of, self._directory_of = prefix, directory
        if not callable(directory):
            self._directory = kept_files.made(os.getcwd() if directory is None else directory)
        if not callable(prefix):
            self._prefix = prefix
            if not callable(directory):
                self._prefix = kept_files.unused(self._directory, prefix)
        self._appended = self._config.append_dict or {}
        self._before = dict(self._appended)  # a config used again counts on
        self._last_step, self._last_time = 0, time.time()
        self.latest_ckpt_file_name = ""

    def step_end(self, run_context):
        """Save, if it is time."""
        asked = run_context.original_args()
        if callable(self._directory_of):
            self._directory = kept_files.made(self._directory_of(asked))
        if callable(self._prefix_of):
            self._prefix = self._prefix_of(asked)
            if not isinstance(self._prefix, str) or "/" in self._prefix:
                raise errors.InvalidValue(
                    "For 'ModelCheckpoint', the argument 'prefix' for checkpoint file name is "
                    "callable, it must return a string that does not contain '/', "
                    f"but got {self._prefix}."
                )
        if self._is_due(asked):
            self._save(asked)

    def end(self, run_context):
        """Save the last state, and wait until every file is whole."""
        asked = run_context.original_args()
        if asked.cur_step_num != self._last_step:
            self._save(asked)
        background.wait()

    def _is_due(self, asked):
        steps, seconds = self._config.save_checkpoint_steps, self._config.save_checkpoint_seconds
        if asked.cur_step_num == self._last_step:
            return False
        if steps:
            return asked.cur_step_num >= self._last_step + steps
        if not seconds or time.time() - self._last_time <= seconds:
            return False
        self._last_time = time.time()
        return True

    def _save(self, asked):
        step = (asked.cur_step_num - 1) % asked.batch_num + 1
        name = self._prefix if callable(self._prefix_of) else (
            f"{self._prefix}-{asked.cur_epoch_num}_{step}"
        )  # fmt: skip
        background.wait()
        kept_files.make_room(self._directory, self._prefix, self._config)
        self._last_step = asked.cur_step_num
        self._write(asked, os.path.join(self._directory, f"{name}.{self._config.format}"))

    def _write(self, asked, file):
        config = self._config
        for name in ("epoch_num", "step_num"):
            if name in self._appended:
                self._appended[name] = self._before[name] + asked[f"cur_{name}"]
        network = asked.train_network if config.saved_network is None else config.saved_network
        save_checkpoint(network, file, config.integrated_save, config.async_save, self._appended,
                        crc_check=config.crc_check, format=config.format)  # fmt: skip
        self.latest_ckpt_file_name = file

    def save_at_failure(self, asked):
        """With ``exception_save``: what there was when training failed."""
        if self._config.exception_save and asked.get("cur_epoch_num"):
            prefix = kept_files.unused(self._directory, self._prefix, at_failure=True)
            step = (asked.cur_step_num - 1) % asked.batch_num + 1
            name = f"{prefix}-{asked.cur_epoch_num}_{step}{kept_files.AT_FAILURE}"
            self._write(asked, os.path.join(self._directory, name))
            background.wait()
