"""What does each diagnosis code mean, and what should the learner do next?

A code is a word that a learner, a teacher's table and a test share. These are the codes that any
exercise can give; an exercise adds its own for its typical mistakes.
"""

from typing import NamedTuple


class Code(NamedTuple):
    """The plain words of a code."""

    headline: str
    next: str


CODES = {
    # nothing to judge
    "missing": Code(
        "Nothing here defines `{target}`.",
        "Run (or save) the cell that makes `{target}`, then check again.",
    ),
    "untouched": Code(
        "This is still what the chapter gave you.",
        "Write your answer into the cell that makes `{target}`, run it, then check again.",
    ),
    "syntax": Code("This is not Python yet.", "Mend that line, run the cell, check again."),
    # files that hold no answer
    "no-file": Code(
        "There is no notebook and no Python file.", "Hand in the notebook of the chapter."
    ),
    "file-empty": Code("The file is empty.", "Save your notebook, then hand it in again."),
    "file-not-json": Code(
        "The notebook is damaged: it is not JSON.",
        "Open it in JupyterLab; if it does not open, go back to an earlier copy.",
    ),
    "file-not-notebook": Code(
        "The file is JSON, but not a notebook.", "Hand in the .ipynb file itself."
    ),
    "file-too-large": Code(
        "The file is too large to be read.", "Clear the outputs of all cells and save it again."
    ),
    "file-link": Code(
        "This is a link or a device, not a file.", "Hand in the file that it leads to."
    ),
    "file-unreadable": Code(
        "The file cannot be opened.", "Open it in JupyterLab, save it, and hand it in again."
    ),
    # the code did not come to an end of its own
    "raises": Code("Your code raises {kind}.", "Mend that line, run the cell, check again."),
    "too-long": Code("Your code did not finish in time.", "Look for a loop that never ends."),
    "endless": Code("Your pass never ends.", "What it writes must not be what it looks for."),
    "memory": Code(
        "Your code wants too much memory.", "Build nothing that is larger than the inputs."
    ),
    "ended": Code(
        "Your code ended its own process.", "Take out what ends Python: sys.exit, os._exit, quit."
    ),
    "output": Code("Your code sent far too much.", "Return only what is asked for."),
    "garbled": Code(
        "The answer of your code could not be read.",
        "Return plain tensors or arrays, and write nothing to file descriptors.",
    ),
    # not allowed while checking
    "forbidden": Code(
        "Your code does what a check does not allow.",
        "An answer needs no network, no other program and no file outside its folder.",
    ),
    # values
    "kind": Code(
        "What came back is not what was asked for.", "Compare it with the contract, word by word."
    ),
    "unjudged": Code(
        "What came back cannot be compared with anything.",
        "Compare its parts and their types with the contract, word by word.",
    ),
    "count": Code(
        "The number of results is wrong.", "Return exactly as many as the contract says, in order."
    ),
    "shape": Code(
        "A result has the wrong shape.", "Follow the shapes through your code, line by line."
    ),
    "dtype": Code(
        "A result has the wrong dtype.",
        "Find the line where the dtype changes: a cast, a constant?",
    ),
    "values": Code(
        "The values are wrong.", "Work the small case above out by hand: where does it part?"
    ),
    # gradients
    "gradient-count": Code(
        "The number of gradients is wrong.", "Return one gradient for each input, in their order."
    ),
    "gradient-none": Code(
        "A gradient is None.",
        "If the output depends on this input, derive its gradient; if not, return zeros like it.",
    ),
    "gradient-kind": Code(
        "A gradient is no tensor.", "Return tensors: numbers and lists have no dtype and shape."
    ),
    "gradient-shape": Code(
        "A gradient has another shape than its input.",
        "Each gradient has the shape of its input: undo what broadcasting or reshaping did.",
    ),
    "gradient-dtype": Code(
        "A gradient has another dtype than its input.",
        "Each gradient has the dtype of its input.",
    ),
    "gradient-values": Code(
        "A gradient has the wrong values.",
        "Derive the formula on paper for the small case above, then compare.",
    ),
    # graphs
    "invalid": Code(
        "What came back is not a sound graph.",
        "Every node must use nodes of the same graph, made before it.",
    ),
    "interface": Code(
        "The graph takes or gives something else than it should.",
        "Count, shape and dtype of parameters and results must stay.",
    ),
    "other-values": Code(
        "The graph computes other values.",
        "Run both graphs on the inputs above by hand: which step differs?",
    ),
    "other-graph": Code(
        "The graph is another one than was asked for.",
        "Look at the picture: which node is missing, which is too many?",
    ),
    "endless-graph": Code(
        "The graph does not come to an end.", "Which value makes its loop or its calls stop?"
    ),
    "nothing-rewritten": Code(
        "Your pass never rewrites this graph.",
        "Compare the graph, line by line, with what your pass looks for.",
    ),
    "leaves-some": Code(
        "Your pass rewrites some places and leaves others.",
        "Look at the places that stayed: what do they have that the others have not?",
    ),
    "no-gain": Code(
        "Your pass rewrites a graph and saves no node.",
        "Find out what is still alive after your rewrite, and refuse such places.",
    ),
    "must-not-match": Code(
        "Your pass rewrites a graph that it must leave alone.",
        "What does this graph have that makes the rewrite wrong or useless?",
    ),
    "too-many": Code(
        "The graph needs more than it has to.", "Which nodes could be one, or not there at all?"
    ),
    "too-costly": Code("The graph costs more than it has to.", "What is computed or moved twice?"),
    "compiled-again": Code(
        "The function is compiled more often than it has to be.",
        "What differs between the calls that the compiler takes for part of the program?",
    ),
    # order in time and memory
    "race": Code(
        "Two tasks that must come one after the other may run at the same time.",
        "Let the second wait for the first, directly or through others.",
    ),
    "deadlock": Code("Tasks wait for one another in a circle.", "Which wait can go?"),
    "too-late": Code("The schedule ends later than it could.", "Which wait is not needed?"),
    "task-missing": Code("A task is missing.", "Each task of the program must be there once."),
    "task-unknown": Code(
        "A task is there that the program does not have.", "Name the tasks as the program does."
    ),
    "task-twice": Code("A task is there twice.", "Each task of the program must be there once."),
    "overlap": Code(
        "Two buffers that are alive together share memory.",
        "Draw their lifetimes: which ones overlap?",
    ),
    "over-the-limit": Code(
        "A buffer does not fit.", "What could take the place of a buffer that is dead by then?"
    ),
    "not-earned": Code(
        "A check that comes before this one does not pass yet.", "Make that one pass first."
    ),
    "passed": Code("Every check passes.", ""),
    "grader-error": Code(
        "The checker itself failed: this is no verdict on your work.",
        "Tell your teacher; `ms-ext doctor` says what is missing here.",
    ),
}


def of(code):
    """The words of a code; those of a teacher's own are its name.

    >>> of("race").next
    'Let the second wait for the first, directly or through others.'
    >>> of("too-loud").headline
    'A check says: too-loud.'
    """
    return CODES.get(code) or Code(f"A check says: {code}.", "Read the contract once more.")
