"""``save_graphs``: every compilation leaves its graph as files, one for each stage it goes through.

The names are MindSpore's: ``<step>_<stage>_<number>.ir``; the step counts in one compilation, the
number in the process. What is written is MindSpore's text of the graph (``lowering``).

| level | files | the graph |
|---|---|---|
| 1 | ``00_type_inference`` | as it was read |
| 1 | ``00_get_jit_fprop_graph``, ``..bprop..`` | a gradient, forwards and backwards |
| 1 | ``jit_opt_a``, ``jit_opt_b`` | after the passes of the pipeline before and behind one's own |
| 1 | ``custom_frontend_pass_<name>`` | after each pass of one's own that is a function |
| 1 | ``hwopt_cpu_custom_optimization_before_graph_<n>``, ``after`` | around patterns of one's own |
| 1 | ``validate`` | after the last check: what runs |
| 1 | ``graph_build_<n>`` | no graph, but what the backend runs, line by line |
| 2 | ``verbose_ir_files/hwopt_custom_ordered_passes_<i>_<name>`` | after each pattern |
| 3 | ``opt_substep_jit_opt_a_r1_j0_<i>_<pass>`` | after each pass of the pipeline |
| 3 | ``.dot`` beside each text of a step or substep | the same as a drawing for Graphviz |

MS_DEV_SAVE_GRAPHS and MS_DEV_SAVE_GRAPHS_PATH come before the context.
"""

import functools
import itertools
import os
import re
import warnings
from pathlib import Path

from .. import context
from . import errors, passes, pipeline

VERBOSE, ALL = 2, 3  # levels that write more
_numbers, _built = itertools.count(), itertools.count()  # of files, of graphs, in this process


def files(graph, backend, custom, first):
    """The Files of a compilation that begins with ``graph``; None where nothing is to be written.

    >>> files(None, "", None, "type_inference")
    """
    level = os.environ.get("MS_DEV_SAVE_GRAPHS") or context.get_context("save_graphs")
    if str(level) not in ("1", "2", "3"):
        return None
    folder = os.environ.get("MS_DEV_SAVE_GRAPHS_PATH") or context.get_context("save_graphs_path")
    syntax = "STRICT" if context.get_context("jit_syntax_level") == context.STRICT else "LAX"
    settings = {"backend": backend, "jit_level": "O0", "jit_syntax_level": syntax}
    found = Files(int(level), Path(folder), settings, custom)
    found.step(first, graph)
    return found


class Files:
    """The files of one compilation, written while its graph goes through the pipeline."""

    def __init__(self, level, folder, settings, custom):
        self.level, self.folder, self.settings = level, folder, settings
        self.steps, self.number = itertools.count(), next(_built)
        self.plan = []  # for each pass what is written behind it
        self._stage("jit_opt_a", pipeline.DEFAULT[: -len(pipeline.CLEANING)])
        self._own([passes.find(each) for each in custom or ()])
        self._stage("jit_opt_b", pipeline.CLEANING)
        self.plan[-1].append(functools.partial(self.step, "validate"))
        self._coming = iter(self.plan)

    def passed(self, _pass, graph):
        """The graph after a pass."""
        for save in next(self._coming):
            save(graph)

    def built(self, executable):
        """What the backend made of the graph."""
        head = f"# backend: {executable.backend}\n\n"
        text = head + "".join([f"{each.text}\n" for each in executable.listing()])
        self.write(f"graph_build_{self.number}", ".ir", text)

    # what is written when -----------------------------------------------------------------------

    def _stage(self, stage, names):
        """Passes of the pipeline: each a substep, all together a step."""
        for at, name in enumerate(names):
            substep = f"opt_substep_{stage}_r1_j0_{at}_{name}"
            self.plan.append([functools.partial(self.drawn, substep)] if self.level >= ALL else [])
        self.plan[-1].append(functools.partial(self.step, stage))

    def _own(self, own):
        """Passes of one's own: functions are steps, patterns are in MindSpore the backend's."""
        patterns = [each for each in own if each.rules]
        around = f"hwopt_cpu_custom_optimization_{{}}_graph_{self.number}"
        for each in own:
            if not each.rules:
                step = functools.partial(self.step, f"custom_frontend_pass_{_plain(each.name)}")
                self.plan.append([step])
                continue
            at, save = patterns.index(each), []
            if at == 0:
                self.plan[-1].append(functools.partial(self.graph, around.format("before")))
            if self.level >= VERBOSE:
                name = f"verbose_ir_files/hwopt_custom_ordered_passes_{at}_{_plain(each.name)}"
                save.append(functools.partial(self.graph, name))
            if at == len(patterns) - 1:
                save.append(functools.partial(self.graph, around.format("after")))
            self.plan.append(save)

    # kinds of files -----------------------------------------------------------------------------

    def step(self, name, graph):
        """A stage of a compilation."""
        self.drawn(f"{next(self.steps):02d}_{name}", graph)

    def drawn(self, name, graph):
        """A graph under this name, at the highest level with its drawing."""
        from . import lowering  # only when there is something to write

        self.graph(name, graph)
        if self.level >= ALL:
            self.write(name, ".dot", lowering.dot(graph))

    def graph(self, name, graph):
        """A graph under this name."""
        from . import lowering

        self.write(name, ".ir", lowering.mindspore_text(graph, self.settings))

    def write(self, name, ending, text):
        """A file; a folder that cannot be written to ends no compilation."""
        path = self.folder / f"{name}_{next(_numbers):04d}{ending}"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            told = f"save_graphs cannot write {path.name}: {error}"
            warnings.warn(told, errors.MsExtWarning, stacklevel=2)


def _plain(name):
    """A pass's name as part of a file's."""
    return re.sub(r"[^\w.-]", "_", name)
