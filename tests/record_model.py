"""Record what MindSpore's Model prints: python tests/record_model.py, with MindSpore 2.10.

Runs tests/model_programs.py there and writes golden/model.json: for each program what it printed,
with times as ``T``, and what it answered.
"""

import json
import sys
from pathlib import Path

import mindspore
import model_checkpoint_programs  # noqa: F401  (it adds programs)
import model_programs
import numpy as np


class Batches:
    """The batches of ``model_programs`` as MindSpore's dataset."""

    def __new__(cls, x, y, size):
        from mindspore.dataset import NumpySlicesDataset

        return NumpySlicesDataset((x, y), ["x", "y"], shuffle=False).batch(size)


def main(names):
    """All programs, or those named."""
    mindspore.runtime.launch_blocking()
    file = Path(__file__).parent / "golden" / "model.json"
    kept = json.loads(file.read_text()) if names and file.exists() else {}
    for name in names or model_programs.PROGRAMS:
        kept[name] = model_programs.run(name, mindspore, Batches)
    text = json.dumps(kept, indent=1, ensure_ascii=False, default=_plain)
    file.write_text(text + "\n", encoding="utf-8")


def _plain(value):
    return np.asarray(value).tolist()


if __name__ == "__main__":
    main(sys.argv[1:])
