"""Under which licences are the packages that the lab installs? (This makes the file NOTICE.)

.venv/bin/ms-ext notice > NOTICE
"""

import importlib.metadata
import re
import sys
from pathlib import Path

from ms_ext.cli.steps import ROOT

HEAD = """ms_ext
Copyright the ms_ext authors. Licensed under the Apache License 2.0 (file LICENSE).

Nothing of the packages below is copied into this repository: ./lab installs them from their own
publishers, under their own licences. The list holds every package of the set pinned in
constraints/, as its own metadata states it. Quotations from articles in book/ name their source.

"""
UNSTATED = "not stated in its metadata"


def licence(metadata) -> str:
    """One package's licence in a few words: the expression, the classifiers or the short field."""
    if expression := metadata.get("License-Expression"):
        return expression
    classifiers = metadata.get_all("Classifier") or []
    named = [text.rpartition(" :: ")[2] for text in classifiers if text.startswith("License ::")]
    named = [text for text in named if text != "OSI Approved"]
    field = (metadata.get("License") or "").strip()
    return ", ".join(named) or (field if field and "\n" not in field else UNSTATED)


def pinned(root: Path = ROOT) -> list[str]:
    """The names in the constraints files, sorted."""
    files = (root / "constraints").glob("py*.txt")
    lines = [line for path in files for line in path.read_text().splitlines()]
    return sorted({line.partition("==")[0] for line in lines if re.match(r"\w", line)})


def main(arguments: list[str]) -> int:
    """Print NOTICE for the packages of this environment."""
    if arguments:
        print(f"ms-ext notice takes no arguments; given: {' '.join(arguments)}", file=sys.stderr)
        return 2
    print(text(), end="")
    return 0


def text() -> str:
    """What NOTICE says, from the metadata of the packages of this environment."""
    rows = [f"{name}: {licence(importlib.metadata.metadata(name))}" for name in pinned()]
    return HEAD + "\n".join(rows) + "\n"
