"""What does the parent make of what a child sends? A reply as plain data, or why there is none."""

import re
import time

from ms_ext.grading import wire

from . import channel as channels
from . import places, protections
from .limits import Usage

START = 60.0  # seconds for a Python and NumPy to start on a busy machine
MEMORY_EXIT = 70  # how a child says that it has no memory left for an answer
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")  # half a character: no file takes it


class Child:
    """One learner's process, seen from the parent.

    ``end`` is who ends it: ``ended(kill)`` waits a moment for its end, or brings it about, and
    gives {"code", "cpu", "memory", "killed"}; ``trouble()`` is the error when it never began;
    ``release()`` comes last.
    """

    def __init__(self, channel, setting, end):
        self.channel, self.setting, self.limits = channel, setting, setting.limits
        self.end, self.how, self.usage = end, None, None
        self.stopped = self.ready = None
        self.begin, self.left = time.monotonic(), setting.limits.wall

    def ask(self, message):
        """The child's reply to a message; once it is gone, always {"stopped": why}."""
        if self.stopped is None:
            self._start()
            try:
                return self._exchange(message)
            except channels.Late:
                self.stopped = "time"
            except channels.TooMuch:
                self.stopped = "output"
            except channels.Ended:
                self.stopped = self._why_ended()
            except wire.Garbled:
                self.stopped = "nonsense"
            self.how = self.how or self.end.ended(kill=True)
        return {"stopped": self.stopped}

    def _start(self):
        """Wait for the child's first words, said before any of the learner's code runs."""
        if self.ready is None:
            self.channel.until = time.monotonic() + START
            try:
                self.ready = self._read()
            except (channels.Late, channels.Ended):
                raise self.end.trouble() from None

    def _exchange(self, message):
        begin = time.monotonic()
        timed = "clock" not in self.setting.without
        self.channel.until = begin + self.left if timed else None
        try:
            self.channel.send(wire.encode(message))
            reply = self._read()
        finally:
            self.left -= time.monotonic() - begin
        if not isinstance(reply, dict) or "stopped" in reply:
            raise wire.Garbled("no reply")
        return reply

    def _read(self):
        header, body = wire.HEAD.unpack(self.channel.read(wire.HEAD.size))
        limited = "output" not in self.setting.without
        if limited and (header > self.limits.words or body > self.limits.output):
            raise channels.TooMuch
        text = self.channel.read(header)
        try:
            data = wire.decode(text.decode(), self.channel.read(body))
        except UnicodeDecodeError as error:
            raise wire.Garbled(str(error)) from None
        return _whole(data) if _HALF.search(text) else data

    def _why_ended(self):
        self.how = self.end.ended(kill=False)
        code, limits = self.how["code"], self.limits
        if code in (-9, -24) and self.how["cpu"] > limits.processor / 2:
            return "time"  # the system counts whole seconds, those before the limit was set too
        if self.how["killed"]:
            return "nonsense"  # it lives, but has closed its way to talk
        return "memory" if code == MEMORY_EXIT else f"exit {code}"

    def close(self):
        """End the process and all behind it; what it used."""
        if self.usage is None:
            self.stopped = self.stopped or "closed"
            how = self.how or self.end.ended(kill=True)
            wall = time.monotonic() - self.begin
            self.channel.close()
            self.end.release(self)
            places.remove_folder(self.setting.folder)
            force, missing = self._protections()
            self.usage = Usage(wall, how["cpu"], how["memory"], force, missing)
        return self.usage

    def _protections(self):
        said = self.ready or {"force": (), "missing": {}}
        rows = [row.name for row in protections.of(protections.PARENT)]
        ours = [name for name in rows if name not in self.setting.without]
        return (*ours, *said["force"]), tuple(said["missing"].items())


def _whole(data):
    """The same data with half characters replaced."""
    if isinstance(data, str):
        return data.encode(errors="replace").decode()
    if isinstance(data, tuple | list):
        return type(data)(map(_whole, data))
    if isinstance(data, dict):
        return {_whole(key): _whole(value) for key, value in data.items()}
    return data
