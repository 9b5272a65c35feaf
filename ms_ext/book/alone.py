"""In which surroundings must a chapter run? No network, a new home, and no dot or widgets if asked.

Nothing of this is a protection: it finds chapters that lean on what a reader may not have.
"""

import os
from pathlib import Path

from . import source

#: What a cell meets that asks for anything but this machine.
NETWORK = """
import socket
_connect = socket.socket.connect

def connect(self, address):
    local = isinstance(address, (str, bytes)) or address[0] in ("127.0.0.1", "localhost")
    if not local:
        raise AssertionError(f"network use: {address}")
    return _connect(self, address)

socket.socket.connect = connect
"""
#: What a bare machine lacks: Graphviz, and what JupyterLab needs for live widgets.
BARE = """
import shutil, sys
_which = shutil.which

def which(name, *arguments, **options):
    bare = "graphviz" in str(name) or str(name) in ("dot", "dot.exe")
    return None if bare else _which(name, *arguments, **options)

shutil.which = which
sys.modules.update(dict.fromkeys(("anywidget", "graphviz", "ipywidgets", "pygraphviz")))
"""


def surroundings(folder, bare=False):
    """The variables of a kernel that reaches nothing but this machine; ``folder`` is its home.

    ``bare``: it finds no dot and no widgets either.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     surroundings(folder)["HOME"] == folder
    True
    """
    text = NETWORK + BARE if bare else NETWORK
    (Path(folder) / "sitecustomize.py").write_text(text, encoding="utf-8")
    return {
        "PYTHONPATH": os.pathsep.join(map(str, (folder, source.ROOT))),
        "MS_EXT_JIT": "fixed",
        "HOME": str(folder),
        "IPYTHONDIR": str(folder),
    }
