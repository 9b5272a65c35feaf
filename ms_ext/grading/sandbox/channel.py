"""How does the parent talk to a child that may not listen, not answer, or never stop talking?

Every wait has an end and every reply a size: ``Late``, ``Ended``, ``TooMuch``.
"""

import select
import threading
import time

PIECE = 1 << 16


class Late(Exception):
    """The time was up."""


class Ended(Exception):
    """The other side is gone."""


class TooMuch(Exception):
    """More came than was agreed."""


class SocketChannel:
    """A stream over a socket."""

    def __init__(self, socket):
        socket.setblocking(False)
        self.socket, self.until = socket, None

    def send(self, data):
        """Send all of it by ``until``."""
        data = memoryview(data)
        while data:
            self._wait(select.POLLOUT)
            try:
                data = data[self.socket.send(data[: 1 << 20]) :]
            except BlockingIOError:
                continue
            except OSError:
                raise Ended from None

    def read(self, count):
        """Exactly ``count`` bytes by ``until``."""
        pieces, left = [], count
        while left:
            self._wait(select.POLLIN)
            try:
                piece = self.socket.recv(min(left, 1 << 20))
            except BlockingIOError:
                continue
            except OSError:
                raise Ended from None
            if not piece:
                raise Ended
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)

    def _wait(self, event):
        poll = select.poll()
        poll.register(self.socket, event)
        left = None if self.until is None else max(0.0, self.until - time.monotonic())
        if not poll.poll(None if left is None else left * 1000 + 1):
            raise Late

    def close(self):
        """The other side sees the end."""
        self.socket.close()


class PipeChannel:
    """A stream over a program's pipes, where no socket can be waited for: two threads do."""

    def __init__(self, write_to, read_from, most):
        self.write_to, self.read_from, self.until = write_to, read_from, None
        self.changed, self.most = threading.Condition(), most
        self.come, self.gone, self.unsent = bytearray(), False, []
        for work in (self._reading, self._writing):
            threading.Thread(target=work, daemon=True).start()

    def send(self, data):
        """Send all of it by ``until``."""
        self.post(data)
        with self.changed:
            self._wait_for(lambda: not self.unsent)

    def post(self, data):
        """Send it without waiting."""
        with self.changed:
            self.unsent.append(bytes(data))
            self.changed.notify_all()

    def read(self, count):
        """Exactly ``count`` bytes by ``until``."""
        with self.changed:
            self._wait_for(lambda: len(self.come) >= count)
            data = bytes(self.come[:count])
            del self.come[:count]
            self.changed.notify_all()
            return data

    def _wait_for(self, reached):
        left = None if self.until is None else max(0.0, self.until - time.monotonic())
        if not self.changed.wait_for(lambda: reached() or self.gone, left):
            raise Late
        if not reached():
            raise Ended

    def _reading(self):
        while True:
            try:
                piece = self.read_from.read1(PIECE)
            except (OSError, ValueError):
                piece = b""
            with self.changed:
                self.come += piece
                self.gone = self.gone or not piece
                self.changed.notify_all()
                if not piece:
                    return
                self.changed.wait_for(lambda: len(self.come) <= self.most or self.gone)

    def _writing(self):
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.unsent or self.gone)
                if not self.unsent:
                    return
                data = self.unsent[0]
            try:
                self.write_to.write(data)
                self.write_to.flush()
            except (OSError, ValueError):
                self.close()
            with self.changed:
                del self.unsent[0]
                self.changed.notify_all()

    def close(self):
        """No more is expected."""
        with self.changed:
            self.gone = True
            self.changed.notify_all()
