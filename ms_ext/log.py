"""``mindspore.log``: one line to the standard error for each message that is serious enough.

>>> get_level() in "01234"
True

The environment variable GLOG_v says from where on: 0 debug, 1 info, 2 warning (as it is), 3 error,
4 critical.
"""

import datetime
import os
import sys
import threading

from .engine import errors

__all__ = ["critical", "debug", "error", "get_level", "get_log_config", "info", "warning"]

_NAMES = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def get_level():
    """The number of the least serious messages that are shown, as text.

    >>> get_level() == os.environ.get("GLOG_v", "2")
    True
    """
    asked = os.environ.get("GLOG_v") or "2"
    if asked not in ("0", "1", "2", "3", "4"):
        raise errors.InvalidValue(f"The log level GLOG_v is {asked!r}.", hint="It is 0 to 4.")
    return asked


def get_log_config():
    """What is set: the level, and that messages go to the standard error.

    >>> get_log_config()["GLOG_logtostderr"]
    '1'
    """
    return {"GLOG_v": get_level(), "GLOG_logtostderr": "1"}


def debug(msg, *args, **kwargs):
    """A message that helps to find a mistake: ``debug("x is %s", 3)``.

    >>> debug("nothing is shown of this")
    """
    _say(0, msg, args)


def info(msg, *args, **kwargs):
    """A message that says what goes on.

    >>> info("epoch %d", 1)
    """
    _say(1, msg, args)


def warning(msg, *args, **kwargs):
    """A message about something that may be wrong.

    >>> warning("the loss is %s", "nan")
    """
    _say(2, msg, args)


def error(msg, *args, **kwargs):
    """A message about something that went wrong.

    >>> error("no such file: %s", "net.ckpt")
    """
    _say(3, msg, args)


def critical(msg, *args, **kwargs):
    """A message about something after which nothing goes on.

    >>> critical("stopped")
    """
    _say(4, msg, args)


def _say(level, msg, args):
    """Write ``[WARNING] ME(process:thread,MainProcess):time [file:line] message``."""
    if level < int(get_level()):
        return
    caller = sys._getframe(2)
    now = datetime.datetime.now()
    when = f"{now:%Y-%m-%d-%H:%M:%S}.{now.microsecond // 1000:03d}.000"
    place = f"{caller.f_code.co_filename}:{caller.f_lineno}"
    who = f"ME({os.getpid()}:{threading.get_ident()},MainProcess)"
    text = str(msg) % args if args else str(msg)
    print(f"[{_NAMES[level]}] {who}:{when} [{place}] {text}", file=sys.stderr)
