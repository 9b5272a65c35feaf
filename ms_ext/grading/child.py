"""The learner's code runs here and nowhere else: a process with limits that sends plain data.

``nursery`` is the clean process that forks children, ``spawned`` a process that is a child itself.
A child protects itself, says which protections are in force, and from then on answers messages.
Nothing that it says afterwards is believed.
"""

import functools
import gc
import importlib
import json
import os
import random
import signal
import socket
import sys
import tempfile

import numpy as np

from ms_ext import kernels, resolve
from ms_ext.engine import making

from . import wire
from .answering import Answering, told
from .sandbox import protections
from .sandbox.asking import MEMORY_EXIT
from .sandbox.limits import Limits
from .sandbox.nursery import hide

PRINTED = 2000
#: What answers use, loaded once and not by each child; the small function loads the compiler.
LOADED = ("ms_ext.grading.routines", "ms_ext.nn", "ms_ext.mint", "ms_ext.graph", "ms_ext.context")
SMALL = "import ms_ext as ms\ndef small(x):\n    return ms.ops.exp(x) + x"


class Printed:
    """Takes what the learner's code prints: the beginning is kept, the rest only counted."""

    def __init__(self):
        self.kept, self.dropped = "", 0

    def write(self, text):
        """Keep what still fits."""
        room = PRINTED - len(self.kept)
        self.kept += text[:room]
        self.dropped += max(0, len(text) - room)
        return len(text)

    def flush(self):
        """Nothing is waiting."""

    def isatty(self):
        """It is not a terminal."""
        return False

    def take(self):
        """What was printed since the last time."""
        more = f"\n... and {self.dropped} more characters" if self.dropped else ""
        taken, self.kept, self.dropped = self.kept + more, "", 0
        return taken


def nursery(descriptor):
    """Load what every child needs, then fork one for each request, until nobody asks any more."""
    _load()
    keeper = importlib.import_module("ms_ext.grading.sandbox.keeper")
    hide()
    _say_nothing()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers that have ended leave no trace
    gc.freeze()
    making.keeps_frozen = True
    requests = socket.socket(fileno=descriptor)
    while True:
        message, descriptors, _, _ = socket.recv_fds(requests, 1 << 20, 2)
        if not message:
            os._exit(0)
        if os.fork() == 0:
            requests.close()
            _kept(keeper, json.loads(message), *descriptors)
        for each in descriptors:
            os.close(each)


def _load():
    """Whatever an answer may need of ms_ext, while everything can still be read.

    Every op runs all its stages on the caller's thread: an error comes at the line that made it.
    """
    importlib.import_module("ms_ext.runtime").launch_blocking()
    for name in LOADED:
        importlib.import_module(name)
    for name in kernels.available():
        kernels.get(name)
    answering = Answering()
    answering.reply({"find": "small", "cells": [["small", SMALL]], "path": []})
    answering.reply({"run": True})
    answering.reply({"ask": "jit grad", "operands": (np.ones(2), np.ones(2))})
    resolve.here()  # after %load_ext ms_ext an answer says `import mindspore`
    np.random.seed(0)


def _kept(keeper, request, conversation, control):
    """The keeper's whole life."""
    setting = _setting(request, (conversation,))

    def live(missing, force):
        talk = socket.socket(fileno=conversation)
        _live(setting, missing, force, _Stream(talk.recv), talk.sendall)

    try:
        keeper.keep(setting, control, live)
    finally:
        os._exit(0)


def spawned():
    """A child of its own kind: the setting comes first, then what is asked, over pipes."""
    come, go = os.dup(0), os.dup(1)
    _say_nothing()
    _load()
    stream = _Stream(functools.partial(os.read, come))
    setting = _setting(wire.read(stream), (come, go))
    rows = protections.of(protections.KEEPER)
    missing = {row.name: "there is no process between" for row in rows}
    _live(setting, missing, [], stream, functools.partial(_write, go))


def _write(descriptor, data):
    while data:
        data = data[os.write(descriptor, data) :]


def _setting(request, conversation):
    folder, reads, limits, without = request
    allowed = Limits(*limits)
    return protections.Setting(folder, tuple(reads), allowed, tuple(without), conversation)


def _say_nothing():
    """What libraries print goes nowhere, and nothing comes in."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for each in range(3):
        os.dup2(nowhere, each)
    os.close(nowhere)


class _Stream:
    """Exactly as many bytes as asked for; the end of the process when there are no more."""

    def __init__(self, receive):
        self.receive = receive

    def read(self, count):
        pieces = []
        while count:
            piece = self.receive(min(count, 1 << 20))
            if not piece:
                os._exit(0)
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)


def _live(setting, missing, force, stream, send):
    """A child's life: move in, lock the doors, answer."""
    os.chdir(setting.folder)
    os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "TMP", "TEMP"), setting.folder))
    tempfile.tempdir = None
    random.seed(0)  # not before: a fork draws a new one
    more, locked = protections.apply(protections.CHILD, setting)
    send(wire.encode({"force": [*force, *locked], "missing": {**missing, **more}}))
    answering, printed = Answering(), Printed()
    sys.stdout = sys.stderr = printed
    while True:
        try:
            send(_answered(answering, wire.read(stream), printed))
        except MemoryError:
            os._exit(MEMORY_EXIT)


def _answered(answering, message, printed):
    """The frame of a reply, whatever the learner's objects do while it is made."""
    try:
        return wire.encode({**answering.reply(message), "printed": printed.take()})
    except MemoryError:
        raise
    except BaseException as error:
        return wire.encode({"error": told(error), "printed": printed.take()})
