"""Ask MindSpore what its own operators in C++ answer: python tests/record_extension.py

To be run with a Python that has MindSpore 2.10, and a C++ compiler: both sources are built, in
some three minutes. The answers are written to golden/extension_mindspore.json.
"""

import json
import tempfile
from pathlib import Path

from extension_asked import answer, asked

HERE = Path(__file__).parent
FILE = HERE / "golden" / "extension_mindspore.json"


def main():
    """Build both modules for MindSpore and write down what it says."""
    import mindspore as ms
    from mindspore.ops import CustomOpBuilder

    ms.runtime.launch_blocking()
    with tempfile.TemporaryDirectory() as folder:
        modules = [
            CustomOpBuilder(
                name,
                [str(HERE / "extension_sources" / f"{name}.cpp")],
                backend="CPU",
                build_dir=f"{folder}/{name}",
            ).load()
            for name in ("surface", "gradients")
        ]
        answers = {each: answer(each, ms, *modules) for each in asked()}
    FILE.write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
