"""What does ``%%check 05.mul_bprop`` do? It runs its cell, then checks with what the cell made."""

from ms_ext.engine import errors
from ms_ext.grading.notebook import session, sources


def run(shell, line, cell=None):
    """The magic: ``%%check name`` over a cell, or ``%check name`` on a line of its own."""
    name = line.strip().strip("\"'")
    magic = "%check" if cell is None else "%%check"
    if not name:
        raise errors.InvalidValue(
            "Which exercise?",
            given=magic,
            hint=f"Name it in the same line: {magic} 05.mul_bprop",
        )
    if cell is not None and not _ran(shell, cell):
        print(f"{name} was not checked: the cell stopped with the error above.")
        return
    from IPython.display import display  # there is a shell, so it is there

    display(session.verdict_on(name, sources.of_session(shell)))


def _ran(shell, cell):
    """Run a cell as if it were the whole of the cell it stands in; did it come to its end?"""
    number = shell.execution_count
    shell.execution_count = len(shell.history_manager.input_hist_raw) - 1  # as errors name it
    try:
        return shell.run_cell(cell).success
    finally:
        shell.execution_count = number
