"""The `ms-ext` command: each file of this folder that defines `main(arguments)` is a word of it.

ms-ext doctor      what is missing here
ms-ext help        all of them
"""

import ast
import difflib
import importlib
import sys
from pathlib import Path

HERE = Path(__file__).parent


def commands(folder: Path = HERE) -> dict[str, str]:
    """Command name -> what it answers, read from a folder's files without importing them."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text())
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        if "main" in defined and path.stem != "main":
            found[path.stem] = ast.get_docstring(tree).splitlines()[0]
    return found


def usage() -> str:
    """One line per command."""
    lines = [f"  ms-ext {name:<8} {text}" for name, text in commands().items()]
    return "\n".join(["The commands:", *lines])


def main(arguments: list[str] | None = None) -> int:
    """Run one command; without one, list them."""
    words = sys.argv[1:] if arguments is None else arguments
    if not words or words[0] in ("help", "-h", "--help"):
        print(usage())
        return 0
    name, *rest = words
    known = commands()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        meant = f" Did you mean '{near[0]}'?" if near else ""
        print(f"ms-ext {name}: there is no such command.{meant}\n{usage()}", file=sys.stderr)
        return 2
    return importlib.import_module(f"ms_ext.cli.{name}").main(rest) or 0


if __name__ == "__main__":
    sys.exit(main())
