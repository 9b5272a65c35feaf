"""Leaves files in the repository, the packages, the home folder and the temporary folder."""

import os
import site
import sys
import tempfile

HARMLESS = True
NEEDS = ("files", "file rights")
NAME = "ms_ext_attack_was_here"


def attack(answer):
    """A new file in each; and the rights of a module that everybody imports."""
    package = os.path.dirname(sys.modules["ms_ext"].__file__)
    home = os.path.expanduser("~root"), os.path.expanduser("~"), os.path.dirname(package)
    folders = [package, *home, *site.getsitepackages(), "/tmp", tempfile.gettempdir() + "/.."]
    for folder in folders:
        for how in ("w", "a"):
            try:
                open(os.path.join(folder, NAME), how).close()
            except OSError:
                continue
    try:
        os.chmod(package, os.stat(package).st_mode)
    except OSError:
        return answer
    raise SystemExit("changed rights")
