"""What can be asked of a learner's answer? Runs in the learner's process, gives plain data.

A routine is ``routine(target, operands, options)``; its name is the ``ask`` of a check.
"""

import numpy as np

import ms_ext as ms
from ms_ext import ops
from ms_ext.engine import backends, frontend, ir, jit, passes, pipeline
from ms_ext.engine.custom.declared import Declared
from ms_ext.engine.infer import abstract_of
from ms_ext.engine.ir.plain import read_abstract
from ms_ext.engine.symbol import Builder
from ms_ext.engine.tensor import Tensor

from .routines_libraries import through_libraries
from .routines_stages import staged as through_stages


def call(target, operands, options):
    """The target called with tensors."""
    return plain(target(*tensors(operands)))


def call_arrays(target, operands, options):
    """The target called with NumPy arrays."""
    return plain(target(*arrays(operands)))


def call_plain(target, operands, options):
    """The target called with Python data."""
    return plain(target(*operands))


def jitted(target, operands, options):
    """The target compiled, then called with tensors."""
    return plain(ms.jit(target)(*tensors(operands)))


def as_graph(target, operands, options):
    """The target called with symbols, as a bprop inside a graph is, and the graph run.

    Nothing of its source is read: whatever it does in Python happens while the graph is made.
    """
    graph, given = ir.FuncGraph(getattr(target, "__name__", "target")), []

    def symbol(array):
        given.append(array)
        return builder.wrap(graph.add_parameter(abstract_of(array), f"x{len(given)}"))

    with Builder(graph) as builder:
        made = target(*_mapped(operands, symbol))
        several = made if isinstance(made, tuple | list) else (made,)
        graph.returns(*[builder.node(each) for each in several if each is not None])
    results = iter(backends.build("reference", ir.verify(graph))(*given))
    answer = tuple(None if each is None else next(results) for each in several)
    return answer if isinstance(made, tuple | list) else answer[0]


def gradient(target, operands, options):
    """The gradients of ``sum(target(*inputs) * dout)``; the last operand is ``dout``."""
    return plain(_pulled(target, operands)(*tensors(operands[:-1])))


def jitted_gradient(target, operands, options):
    """The same, as one compiled graph."""
    return plain(ms.jit(_pulled(target, operands))(*tensors(operands[:-1])))


def _pulled(target, operands):
    *inputs, dout = tensors(operands)
    douts = dout if isinstance(dout, tuple) else (dout,)

    def loss(*inputs):
        out = target(*inputs)
        outs = out if isinstance(out, tuple) else (out,)
        total = ops.sum(outs[0] * douts[0])
        for each in range(1, len(douts)):
            total = total + ops.sum(outs[each] * douts[each])
        return total

    floats = [at for at, each in enumerate(inputs) if each.dtype.kind == "float"]
    return ms.grad(loss, grad_position=tuple(floats))


def trace(target, operands, options):
    """The graph that the target is read as, before any pass, as text."""
    abstracts = [read_abstract(kind, 0)[0] for kind in options["types"]]
    return ir.dump(frontend.parse(target, abstracts, {}).graph)


def value(target, operands, options):
    """The target itself: a text, or other plain data."""
    return plain(target)


def declaration(target, operands, options):
    """What one of the target's declarations promises: its other words as they are.

    ``options``: its name as "which", the inputs' "types".
    """
    said = dict(target[options["which"]])
    abstracts = [read_abstract(kind, 0)[0] for kind in options["types"]]
    shape, dtype = said.pop("out_shape", None), said.pop("out_dtype", None)
    promised = Declared("it", "aot", shape, dtype).infer(*abstracts)
    several = promised if isinstance(promised, tuple) else (promised,)
    return {"said": plain(said), "promised": [f"{each}" for each in several]}


def refused(target, operands, options):
    """The words with which the target refuses the types before anything runs; None: it does not."""
    try:
        trace(target, operands, options)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def build(target, operands, options):
    """The graph that the target returns, as text; whatever else it returns as it is."""
    graph = target(*operands)
    return ir.dump(ir.verify(graph)) if isinstance(graph, ir.FuncGraph) else plain(graph)


def rewrite(target, operands, options):
    """The target, a pass, applied to a graph: the new graph as text, and why places were left."""
    graph = ir.load(options["graph"])
    record = pipeline.run_only(graph, [target], watch=True)
    said = [refusal.sentence() for refusal in record.passes[0].refusals]
    return {"graph": ir.dump(graph), "refusals": said[:3]}


def compiled(target, operands, options):
    """Each item of ``operands`` is one call of the target, which uses ``jit`` as it likes.

    What they gave, and every graph that was compiled for them. The judge runs the graphs itself:
    one that is not sent cannot answer for its calls.
    """
    return _watched(lambda: [plain(target(*tensors(each))) for each in operands])


def compiled_object(target, operands, options):
    """The target makes an object of the first item; each other one is one call of that object."""

    def answers():
        made = target(*tensors(operands[0]))
        return [plain(made(*tensors(each))) for each in operands[1:]]

    return _watched(answers)


def _watched(ask):
    """The answers of ``ask()``, and every graph that is compiled for them, as text."""
    made, compile_one = [], jit.JitFunction._compile
    _forget_graphs()

    def compile_and_keep(self, *arguments):
        launcher = compile_one(self, *arguments)
        made.append(launcher.compiled.graph)
        return launcher

    jit.JitFunction._compile = compile_and_keep
    try:
        answers = ask()
    finally:
        jit.JitFunction._compile = compile_one
    return {"answers": answers, "graphs": list(map(ir.dump, made))}


def _forget_graphs():
    """Have every function compiled again: an earlier question may have asked for the same types."""
    passes.REGISTRY.add("asked before", None)
    passes.REGISTRY.discard("asked before")


def staged(target, operands, options):
    """The target called with tensors while every op goes through the stages, and its steps."""
    found = through_stages(lambda: target(*tensors(operands)))
    return {"answer": plain(found["answer"]), "steps": found["steps"]}


def libraries(target, operands, options):
    """The target called with tensors, and the functions of libraries that were called for it."""
    found = through_libraries(lambda: target(*tensors(operands)))
    return {"answer": plain(found["answer"]), "calls": found["calls"]}


ROUTINES = {
    "call": call,
    "call arrays": call_arrays,
    "call plain": call_plain,
    "jit": jitted,
    "graph": as_graph,
    "grad": gradient,
    "jit grad": jitted_gradient,
    "trace": trace,
    "refused": refused,
    "value": value,
    "declaration": declaration,
    "build": build,
    "rewrite": rewrite,
    "compiled": compiled,
    "compiled object": compiled_object,
    "staged": staged,
    "libraries": libraries,
}


def tensors(operands):
    """Arrays as tensors, inside tuples and lists too; numbers stay numbers."""
    return _mapped(operands, Tensor)


def arrays(operands):
    """Arrays that may be written to."""
    return _mapped(operands, np.array)


def _mapped(value, make):
    if isinstance(value, tuple | list):
        return type(value)(_mapped(each, make) for each in value)
    return make(value) if isinstance(value, np.ndarray) else value


def plain(value):
    """Tensors as arrays, inside tuples, lists and dictionaries too."""
    if isinstance(value, Tensor):
        return value.asnumpy()
    if isinstance(value, tuple | list):
        return (tuple if isinstance(value, tuple) else list)(map(plain, value))
    return {k: plain(v) for k, v in value.items()} if isinstance(value, dict) else value
