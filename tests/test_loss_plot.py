"""The curve of the losses: in a notebook it grows in its place, in a terminal there is text."""

import math
import re
import xml.etree.ElementTree as ElementTree

import pytest
from model_batches import BENCH

from ms_ext import train
from ms_ext.train.callback import loss_monitor
from ms_ext.viz import loss_plot


def svg(curve):
    return ElementTree.fromstring(curve.html().partition("</style>")[2]).find("{*}svg")


def places(curve):
    """The points of the curve, as they stand in the picture."""
    paths = [path for path in svg(curve).findall(".//{*}path") if path.get("class") == "curve"]
    numbers = re.findall(r"[\d.]+ [\d.]+", paths[0].get("d"))
    return [tuple(map(float, pair.split())) for pair in numbers]


def test_every_loss_is_a_point_from_left_to_right():
    curve = loss_plot.Curve([4.0, 1.0, 2.0], [1], "now")
    left, right = round(curve.left, 1), loss_plot.WIDTH - loss_plot.RIGHT
    assert places(curve) == [(left, 12), (round((left + right) / 2, 1), 162), (right, 112)]


@pytest.mark.parametrize("losses", [[1.0], [2.0, 2.0], [-1.0, 5.0], [0.0] * 3, [1e-30, 1e30]])
def test_any_losses_stay_inside_the_picture(losses):
    for x, y in places(loss_plot.Curve(losses, [1], "now")):
        assert 0 <= x <= loss_plot.WIDTH and 0 <= y <= loss_plot.HEIGHT


def test_losses_far_apart_stand_on_a_logarithmic_scale():
    points = places(loss_plot.Curve([1000.0, 10.0, 0.1], [1], "now"))
    assert [y for _, y in points] == [12, 87, 162]


def test_a_long_training_is_a_short_picture_with_its_extremes():
    losses = [float(i % 97) for i in range(100_000)]
    losses[54_321] = 500.0
    curve = loss_plot.Curve(losses, [1], "now")
    assert len(curve.html()) < 20_000
    assert len(places(curve)) <= loss_plot.POINTS and min(y for _, y in places(curve)) == 12


def test_the_newest_loss_is_drawn_and_no_step_goes_back():
    places_drawn = places(loss_plot.Curve([float(i * 7 % 5) for i in range(5000)], [1], "now"))
    assert places_drawn == sorted(places_drawn, key=lambda place: place[0])
    assert places_drawn[-1][0] == loss_plot.WIDTH - loss_plot.RIGHT


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_no_number_is_a_cross_and_leaves_a_gap(bad):
    picture = svg(loss_plot.Curve([3.0, 2.0, bad, 1.0, bad], [1], "now"))
    kinds = [path.get("class") for path in picture.findall("{*}path")]
    assert kinds == ["axis", "curve", "none", "curve", "none"]
    assert "nan" not in ElementTree.tostring(picture, "unicode")
    assert svg(loss_plot.Curve([bad], [1], "now")).findall("{*}circle") == []


@pytest.mark.parametrize("losses", [[123456.0, 0.0001234], [-0.0001234, 5.0], [1e-30, 1e30]])
def test_a_figure_fits_beside_the_axis(losses):
    curve = loss_plot.Curve(losses, [1], "now")
    for label in svg(curve).findall("{*}text"):
        if label.get("text-anchor") == "end" and not label.text.startswith("step"):
            assert float(label.get("x")) >= len(label.text) * 0.6 * loss_plot.SIZE


def test_a_line_stands_between_epochs_and_a_reader_hears_the_words():
    curve = loss_plot.Curve([3.0, 2.0, 1.0, 0.5], [1, 3], "loss 0.5 at step 4")
    picture = svg(curve)
    assert (
        len([line for line in picture.findall(".//{*}line") if line.get("class") == "epoch"]) == 1
    )
    assert picture.get("role") == "img" and picture.get("aria-label") == "loss 0.5 at step 4"
    assert "dotted: a new epoch" in curve.html() and "<p" in curve.html()


class Shown(list):
    """What a notebook was told to show."""

    def __call__(self, curve):
        self.append(str(curve))


def test_it_is_drawn_now_and_then_and_at_the_end(monkeypatch):
    shown, clock = Shown(), iter([0.0, 0.0, 0.1, 0.2, 0.6, 0.6, 0.7, 0.8])
    monkeypatch.setattr(loss_plot.time, "monotonic", lambda: next(clock))
    plot = loss_plot.LossPlot(shown)
    for loss in (4.0, 3.0, 2.0, 1.0):
        plot.add(1, loss)
    plot.finish()
    assert [text.split(",")[0] for text in shown] == [
        "loss 4 at step 1", "loss 1 at step 4", "loss 1 at step 4"
    ]  # fmt: skip


def test_in_a_notebook_the_monitor_draws_every_step_and_prints_as_ever(monkeypatch, capsys):
    shown = Shown()
    monkeypatch.setattr(loss_monitor, "_in_notebook", lambda: True)
    monkeypatch.setattr(loss_plot, "_Place", lambda: shown)
    BENCH.model().train(2, BENCH.data(), train.LossMonitor(3))
    assert shown[-1].startswith("loss 19.62") and "at step 6, epoch 2" in shown[-1]
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_the_first_of_several_outputs_is_drawn(monkeypatch):
    shown = Shown()
    monkeypatch.setattr(loss_monitor, "_in_notebook", lambda: True)
    monkeypatch.setattr(loss_plot, "_Place", lambda: shown)
    scaled = train.FixedLossScaleManager(4)
    BENCH.model(loss_scale_manager=scaled).train(1, BENCH.data(), train.LossMonitor(0))
    assert "at step 3, epoch 1; it began at 1.765" in shown[-1]


def test_it_can_be_left_out(monkeypatch):
    monkeypatch.setattr(loss_monitor, "_in_notebook", lambda: True)
    monkeypatch.setattr(loss_plot, "_Place", lambda: pytest.fail("it was drawn"))
    monkeypatch.setattr(train.LossMonitor, "live_plot", False)
    BENCH.model().train(1, BENCH.data(), train.LossMonitor(0))


NOTEBOOK = """
from ms_ext import train
from model_batches import BENCH
BENCH.model().train(2, BENCH.data(), train.LossMonitor())
"""


@pytest.mark.long
def test_in_a_real_notebook_one_picture_stays_below_the_cell():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    from pathlib import Path

    here = str(Path(__file__).parent)
    cell = nbformat.v4.new_code_cell(f"import sys; sys.path.insert(0, {here!r})\n{NOTEBOOK}")
    book = nbformat.v4.new_notebook(cells=[cell])
    nbclient.NotebookClient(book, timeout=120).execute()
    pictures = [out for out in cell.outputs if "text/html" in out.get("data", {})]
    assert len(pictures) == 1 and "at step 6, epoch 2" in pictures[0]["data"]["text/plain"]
    said = "".join(out["text"] for out in cell.outputs if out.get("name") == "stdout")
    assert len(said.splitlines()) == 6
