"""``save_graphs`` writes each stage of a compilation to a file, under MindSpore's names."""

import re
import warnings

import numpy as np
import pytest
from programs import PROGRAMS, name_of

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops
from ms_ext.engine import errors, pipeline
from ms_ext.engine.autodiff import vjp
from ms_ext.engine.jit import parse

#: What MindSpore 2.10 calls the stages that exist here too.
STAGES = {"type_inference", "get_jit_bprop_graph", "jit_opt_a", "jit_opt_b", "validate"}
X, Y = Tensor([1.0, 2.0]), Tensor([3.0, 5.0])


@pytest.fixture
def saving(tmp_path, monkeypatch):
    """A function saving(level): from then on compilations write to a folder, which it gives."""
    monkeypatch.delenv("MS_DEV_SAVE_GRAPHS", raising=False)
    monkeypatch.delenv("MS_DEV_SAVE_GRAPHS_PATH", raising=False)
    before = ms.get_context("save_graphs"), ms.get_context("save_graphs_path")
    folder = tmp_path / "made" / "when needed"

    def start(level):
        ms.set_context(save_graphs=level, save_graphs_path=str(folder))
        return folder

    yield start
    ms.set_context(save_graphs=before[0], save_graphs_path=before[1])


def add_neg(x, y):
    return ops.add(x, ops.neg(y))


def names(folder):
    """The files in the order in which they were written, without their numbers."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    found.sort(key=lambda path: int(re.search(r"_(\d+)\.\w+$", path.name)[1]))
    return [re.sub(r"_\d+(\.\w+)$", r"\1", str(path.relative_to(folder))) for path in found]


def text(folder, name):
    """The one file of a name."""
    (path,) = folder.rglob(f"{name}_[0-9]*.ir")
    return path.read_text(encoding="utf-8")


# which files --------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0, False, -1])
def test_nothing_is_written(saving, level):
    folder = saving(level)
    ms.jit(add_neg)(X, Y)
    assert not folder.exists()


def test_level_1_has_the_stages(saving):
    folder = saving(1)
    ms.jit(add_neg)(X, Y)
    steps = ["00_type_inference.ir", "01_jit_opt_a.ir", "02_jit_opt_b.ir", "03_validate.ir"]
    found = names(folder)
    assert found[:4] == steps and re.fullmatch(r"graph_build_\d+\.ir", found[4])
    assert {name[3:-3] for name in steps} <= STAGES


@pytest.mark.parametrize("level", [2, True])
def test_level_2_has_what_each_pattern_left(saving, level):
    folder = saving(level)
    ms.jit(add_neg, passes=["add_neg_to_sub"])(X, Y)
    found = [re.sub(r"graph_\d+", "graph_0", name) for name in names(folder)]
    assert found[2:5] == [
        "hwopt_cpu_custom_optimization_before_graph_0.ir",
        "verbose_ir_files/hwopt_custom_ordered_passes_0_add_neg_to_sub.ir",
        "hwopt_cpu_custom_optimization_after_graph_0.ir",
    ]
    before = text(folder, "hwopt_cpu_custom_optimization_before_graph_*")
    assert "PrimFunc_Neg(%para2_y)" in before and "PrimFunc_Sub" not in before
    after = text(folder, "hwopt_custom_ordered_passes_0_add_neg_to_sub")
    assert "PrimFunc_Sub(%para1_x, %para2_y)" in after and "PrimFunc_Neg" not in after


def test_a_pass_that_is_a_function_is_a_step(saving):
    folder = saving(1)

    def nothing(graph, editor):
        """Change nothing."""

    ms.jit(add_neg, passes=[nothing, "add_neg_to_sub"])(X, Y)
    found = [name for name in names(folder) if name[0].isdigit()]
    assert found[2:] == ["02_custom_frontend_pass_nothing.ir", "03_jit_opt_b.ir", "04_validate.ir"]


def test_level_3_has_each_pass_and_drawings(saving):
    folder = saving(3)
    ms.jit(add_neg)(X, Y)
    found = names(folder)
    for stage, passes in (("a", pipeline.DEFAULT[:-2]), ("b", pipeline.CLEANING)):
        for at, name in enumerate(passes):
            assert f"opt_substep_jit_opt_{stage}_r1_j0_{at}_{name}.ir" in found
    texts = [name for name in found if name.endswith(".ir") and not name.startswith("graph_build")]
    assert len(texts) == 10
    assert [name[:-3] for name in texts] == [name[:-4] for name in found if name.endswith(".dot")]


def test_a_gradient_has_files_of_its_own(saving):
    folder = saving(1)
    ms.grad(ms.jit(add_neg))(X, Y)
    found = [name for name in names(folder) if name[0].isdigit()]
    assert found[4::4] == ["00_get_jit_fprop_graph.ir", "00_get_jit_bprop_graph.ir"]


def test_every_file_has_a_number_of_its_own(saving):
    folder = saving(3)
    for size in (2, 3):
        ms.jit(add_neg)(Tensor(np.ones(size)), Tensor(np.ones(size)))
    numbers = [re.search(r"_(\d{4,})\.\w+$", path.name)[1] for path in folder.rglob("*.*")]
    assert len(numbers) == len(set(numbers)) == 2 * 21


def test_a_cell_in_graph_mode_is_written(saving):
    folder = saving(1)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        nn.ReLU()(X)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert "PrimFunc_ReLU(%para1_x)" in text(folder, "03_validate")


def test_the_environment_comes_first(saving, tmp_path, monkeypatch):
    folder = saving(0)
    monkeypatch.setenv("MS_DEV_SAVE_GRAPHS", "1")
    monkeypatch.setenv("MS_DEV_SAVE_GRAPHS_PATH", str(tmp_path / "there"))
    ms.jit(add_neg)(X, Y)
    assert not folder.exists() and len(names(tmp_path / "there")) == 5


def test_a_folder_that_is_a_file_is_said_and_ends_nothing(saving):
    folder = saving(1)
    folder.parent.mkdir()
    folder.write_text("")
    with pytest.warns(errors.MsExtWarning, match="save_graphs cannot write"):
        result = ms.jit(add_neg)(X, Y)
    assert result.asnumpy().tolist() == [-2.0, -3.0]


def test_no_path_is_refused():
    with pytest.raises(ValueError, match="it should be Non-empty string, but got ''"):
        ms.set_context(save_graphs_path="")


# what is in them ----------------------------------------------------------------------------------


def test_a_file_says_how_it_was_compiled(saving):
    folder = saving(1)
    ms.jit(add_neg, backend="reference")(X, Y)
    lines = text(folder, "00_type_inference").splitlines()
    assert lines[:2] == ["# IR entry: @1_add_neg", "# Total subgraphs: 1"]
    assert lines[3:8] == [
        "jit config {", "backend: reference", "jit_level: O0", "jit_syntax_level: LAX", "}",
    ]  # fmt: skip


def test_the_source_stands_below_each_call(saving):
    folder = saving(1)
    ms.jit(add_neg)(X, Y)
    line = add_neg.__code__.co_firstlineno + 1
    place = f"      # In file {__file__}:{line}, 22~32/    return ops.add(x, ops.neg(y))/"
    assert place in text(folder, "00_type_inference").splitlines()


def test_the_build_says_what_the_backend_runs(saving):
    folder = saving(1)
    ms.jit(add_neg, backend="cython")(X, Y)
    found = text(folder, "graph_build_*")
    assert found.startswith("# backend: cython\n\n") and "fused(Neg, Add)" in found


class Told(nn.Cell):
    """Prints, and writes a Parameter."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")

    def construct(self, x):
        """The Parameter grows."""
        self.w = self.w + x
        print("now", self.w)
        return self.w * x


def test_effects_and_parameters_are_written_and_drawn(saving, capsys):
    folder = saving(3)
    compiled = ms.jit(Told())
    compiled(X)
    found = text(folder, "03_validate")
    for words in (
        "%para2_w: <Ref[Tensor[Float32]], (2), ref_key=w, is_parameter>  :  has_default",
        "Load(%para2_w, UMonad[U])",
        "PrimFunc_Assign(%para2_w, ",
        "Print(\"print('now', self.w)\", ",
        "UpdateState(IOMonad[IO], ",
    ):
        assert words in found
    capsys.readouterr()


def test_drawings_name_what_they_join(saving, capsys):
    folder = saving(3)

    def f(x):
        while x.sum() < 9:
            x = x * 2
            print('"x" <is>', x)
        return x if x[0] > 1 else -x

    ms.jit(f)(X)
    drawings = [path.read_text(encoding="utf-8") for path in folder.rglob("*.dot")]
    assert len(drawings) == 10
    for drawing in drawings:
        declared = set(re.findall(r"^(\w+)\[", drawing, re.M))
        edges = re.findall(r"^(\w+)(?::\w+)?->(\w+)", drawing, re.M)
        assert edges and {end for edge in edges for end in edge} <= declared
        assert drawing.count("{") == drawing.count("}")
        clusters = set(re.findall(r"subgraph (cluster_\d+)", drawing))
        assert set(re.findall(r"lhead=(\w+)", drawing)) <= clusters
    capsys.readouterr()


# the graph of a compiled function -----------------------------------------------------------------


def test_a_compiled_function_shows_its_graph():
    @ms.jit
    def f(x):
        y = x * 1
        return y + y

    graph = f.graph(X)
    assert [node.primitive.name for node in graph.order()] == ["Add"] and f.compiled == 1
    f(X)
    assert f.graph(X) is graph and f.compiled == 1
    assert f.graph(Tensor(1.0)) is not graph and f.compiled == 2


def test_cells_and_compiled_methods_show_their_graphs():
    class Net(nn.Cell):
        @ms.jit
        def construct(self, x):
            return x + 1

    net = Net()
    assert net.graph(X) is net.construct.graph(X)
    assert [node.primitive.name for node in nn.ReLU().graph(X).order()] == ["ReLU"]


def test_lines_lead_to_calls_and_back():
    def f(x):
        while x < 10:
            x = x * 2
            x = x + x * 0.5
        return -x

    graph = ms.jit(f).graph(Tensor(1.0))
    first = f.__code__.co_firstlineno
    found = {at: [n.primitive.name for n in graph.from_line(first + at)] for at in range(5)}
    assert found == {0: [], 1: ["While", "Less"], 2: ["Mul"], 3: ["Mul", "Add"], 4: ["Neg"]}
    assert all(node.where.line == first + 3 for node in graph.from_line(first + 3))
    assert graph.from_line(first + 1, "elsewhere.py") == []


@pytest.mark.parametrize("case", PROGRAMS, ids=name_of)
def test_every_call_has_a_place(case):
    graph = parse(case[0], [Tensor(v) if type(v) is not int else v for v in case[1]]).graph
    pipeline.run(graph)
    for each in (graph, vjp(graph)):
        nodes = [node for part in each.all_graphs() for node in part.order()]
        assert [node for node in nodes if node.where is None] == []


def test_a_graph_with_effects_can_be_printed():
    graph = parse(Told(), [X]).graph
    assert "{\"asked\":<print('now', self.w)>}" in str(graph)
    with pytest.raises(TypeError, match="cannot be written as text"):
        ms.graph.dump(graph)


def test_looking_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ms.graph.mindspore_text(ms.jit(add_neg).graph(X, Y))
