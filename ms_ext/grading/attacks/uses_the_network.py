"""Asks somebody else: over the network, over local sockets, and the machine's own services."""

import ctypes
import socket
import urllib.request

HARMLESS = True


def attack(answer):
    """Also past Python's own modules."""
    attempts = (
        lambda: urllib.request.urlopen("http://127.0.0.1:8888/solution", timeout=0.2),
        lambda: socket.create_connection(("127.0.0.1", 22), 0.2),
        lambda: socket.socket(socket.AF_UNIX).connect("/run/docker.sock"),
        lambda: socket.getaddrinfo("example.com", 80),
    )
    for attempt in attempts:
        try:
            attempt()
        except OSError:
            continue
        raise SystemExit("connected")
    if ctypes.CDLL(None).socket(2, 1, 0) >= 0:
        raise SystemExit("a socket")
    return answer
