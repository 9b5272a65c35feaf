"""No network: with sockets walled off, ms_ext imports, compiles a function and draws its passes."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

OFFLINE = """
import socket

def no_network(*arguments, **options):
    raise AssertionError(f"network use: {arguments}")

socket.socket.connect = socket.socket.connect_ex = no_network
socket.create_connection = socket.getaddrinfo = no_network
"""

DRAWS = (
    OFFLINE
    + """
import linecache
text = '''
def f(x, y):
    return (x + 0.0) * 1.0 - y
'''
linecache.cache["<offline>"] = (len(text), None, text.splitlines(True), "<offline>")
names = {}
exec(compile(text, "<offline>", "exec"), names)

import ms_ext as ms
from ms_ext import viz

x, y = ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 5.0])
print(ms.jit(names["f"])(x, y))
print(viz.passes(names["f"], x, y)._repr_html_())
"""
)


def run(code):
    """A child Python's output; its errors become the test's."""
    environment = {**os.environ, "MS_EXT_JIT": "fixed"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wall_stands():
    attempt = """
try:
    socket.create_connection(("127.0.0.1", 9))
except AssertionError:
    print("wall")
"""
    assert run(OFFLINE + attempt).strip() == "wall"


def test_import_jit_and_draw_without_a_network():
    shown = run(DRAWS)
    assert "-2" in shown and "-3" in shown and "data:image/svg+xml" in shown


def test_a_drawn_page_asks_for_nothing_from_elsewhere():
    links = re.findall(r"""(?:src|href)\s*=\s*["'](?!#|data:)([^"']+)""", run(DRAWS))
    assert links == []
