"""Does a kernel written in C compute the right values? It is read and run here, watched.

A check asks "value": the text comes back. No compiler is needed, and nothing of it runs on the
machine: `kernel_text` reads it, and knows every element that it reads or writes.
"""

import functools

import numpy as np

from .. import kernel_text
from ..failure import Failure
from . import values

TEXT = "What came back is no text of a kernel."


def computes(symbol, reference):
    """The kernel ``symbol`` of the text computes ``reference(*operands)``, and nothing else."""
    like = values.like(reference)

    def judge(question, text):
        failure, code, outputs = _called(symbol, text, question.operands, reference)
        if failure:
            return failure
        if code:
            return Failure("returned", f"It returns {code}; any value but 0 is an error.")
        out = outputs[0]
        left = [at for at, each in enumerate(out.data) if each is None]
        if left:
            words = f"It leaves {len(left)} of {len(out.data)} elements unwritten, element "
            return Failure("left-out", f"{words}{left[0]} first.")
        wanted = reference(*question.operands)
        made = np.array(out.data, wanted.dtype).reshape(wanted.shape)
        return like(question, made)

    return judge


def refuses(symbol, reference):
    """The kernel returns an error for these operands, before it touches them."""

    def judge(question, text):
        failure, code, _ = _called(symbol, text, question.operands, reference)
        if failure and failure.code != "other-type":
            return failure
        said = failure.words if failure else "It returns 0: that all went well."
        return None if code else Failure("any-dtype", said)

    return judge


@functools.lru_cache(maxsize=64)
def _read(text):
    """(the Program, "") of a text, or (None, why not)."""
    try:
        return kernel_text.read(text), ""
    except kernel_text.NotRead as told:
        return None, f"Line {told.line}: {told.words}."


def _called(symbol, text, operands, reference):
    """(a Failure or None, what it returned, the outputs) of one call."""
    if not isinstance(text, str):
        return Failure("kind", TEXT, got=text), None, ()
    program, why_not = _read(text)
    if program is None:
        return Failure("not-read", why_not), None, ()
    if failure := _not_found(program, symbol):
        return failure, None, ()
    outputs = [_memory("the output", reference(*operands), fresh=True)]
    names = ("the first input", "the second input", "the third input")
    inputs = [_memory(name, each) for name, each in zip(names, operands, strict=False)]
    try:
        return None, program.call(symbol, *_arguments(inputs, outputs, operands)), outputs
    except kernel_text.Fault as fault:
        return Failure(fault.code, f"Line {fault.line}: {fault.words}."), None, ()


def _not_found(program, symbol):
    """A Failure if a loader could not find the symbol."""
    function = program.functions.get(symbol)
    if function is None:
        there = ", ".join(program.functions) or "none"
        return Failure("no-symbol", f"There is no function {symbol}; there is: {there}.")
    if not function.exported:
        return Failure("no-symbol", f"{symbol} is static: it is not exported.")
    if not function.plain:
        words = f'{symbol} is not declared extern "C".'
        return Failure("mangled", words)
    if len(function.parameters) != 7:
        words = f"{symbol} takes {len(function.parameters)} arguments, not 7."
        return Failure("other-arguments", words)
    return None


def _memory(name, array, fresh=False):
    array = np.asarray(array)
    data = [None] * array.size if fresh else array.ravel().tolist()
    memory = kernel_text.Memory(name, array.dtype.name, data, writable=fresh)
    memory.shape = array.shape
    return memory


def _arguments(inputs, outputs, operands):
    """What a kernel is called with: the seven arguments of the ABI."""
    each = [*inputs, *outputs]
    shapes = [_words("a shape", "int64", m.shape) for m in each]
    return (
        len(each),
        kernel_text.pointers("params", [m.start("void") for m in each]),
        _words("ndims", "int32", [len(m.shape) for m in each]),
        kernel_text.pointers("shapes", shapes),
        kernel_text.pointers("dtypes", [kernel_text.word(m.kind) for m in each]),
        0,
        0,
    )


def _words(name, kind, numbers):
    return kernel_text.Memory(name, kind, list(map(int, numbers)), writable=False).start(kind)
