"""The loop stepper in a real browser: stations by keys, dark, narrow, without script and colour."""

import numpy as np
import pytest
from looks import looks

from ms_ext import Tensor, nn, viz
from ms_ext.viz import palette

pytestmark = pytest.mark.browser
STATIONS = ["batch", "forward", "loss", "gradients", "update"]


def training():
    net = nn.SequentialCell(nn.Dense(2, 6), nn.Tanh(), nn.Dense(6, 2))
    x = np.linspace(-2.0, 2.0, 24).astype(np.float32).reshape(12, 2)
    batches = [(Tensor(x), Tensor(np.int32([0, 1] * 6)))]
    optimizer = nn.SGD(net.trainable_params(), 0.5)
    return viz.training(net, nn.CrossEntropyLoss(), optimizer, batches, steps=3)


def stations(page, state):
    found = page.locator(f"section:visible .station{state} figcaption").all_text_contents()
    return [each.split()[-1] for each in found]


@pytest.mark.parametrize("scheme, wide", looks(420, 1000))
def test_it_fits_and_takes_the_colours_of_the_page(open_views, scheme, wide):
    page = open_views(training(), color_scheme=scheme, viewport={"width": wide, "height": 900})
    colours = palette.DARK if scheme == "dark" else palette.LIGHT
    red, green, blue = (int(colours["added"][i : i + 2], 16) for i in (1, 3, 5))
    fill = page.locator(".cell.plus").first.evaluate("e => getComputedStyle(e).fill")
    assert fill == f"rgb({red}, {green}, {blue})"
    assert page.evaluate("document.documentElement.scrollWidth") <= wide
    assert page.locator("svg.msx-training").count() == 15 and page.locator("[id]").count() == 0


def test_one_step_and_one_station_at_a_time(open_views):
    page = open_views(training())
    card, status = page.locator(".msx-card"), page.locator(".status")
    assert status.inner_text() == "every step at once"
    assert page.locator("section:visible").count() == 3 and stations(page, ".later") == []
    card.press("Home")
    assert page.locator("section:visible").count() == 1
    assert (stations(page, ".now"), stations(page, ".later")) == (["batch"], STATIONS[1:])
    for _ in range(7):
        card.press("ArrowRight")
    assert (stations(page, ".now"), stations(page, ".later")) == (["loss"], STATIONS[3:])
    assert status.inner_text().startswith("step 2, loss: 0.")
    assert page.locator("section:visible .heading").inner_text().startswith("step 2 of 3")
    page.locator("button.less").click()
    assert stations(page, ".now") == ["forward"]
    card.press("0")
    assert page.locator("section:visible").count() == 3


def test_the_words_and_the_slider_go_together(open_views):
    page = open_views(training())
    page.locator("summary", has_text="in words").click()
    page.locator(".steps > li").nth(13).click()
    assert page.locator("input.step").evaluate("e => +e.value") == 13
    assert stations(page, ".now") == ["gradients"]
    assert page.locator(".status").inner_text().startswith("step 3, gradients: 0.weight: ")


def test_without_script_everything_is_there(open_views):
    page = open_views(training(), java_script_enabled=False)
    assert page.locator("figure img:visible").count() == 15
    alt = page.locator("figure img").nth(4).get_attribute("alt")
    assert alt.startswith("step 1, update: 0.weight: moved most at ")
    assert page.locator("button, input").count() == 0


def test_signs_differ_without_colour(open_views):
    page = open_views(training())
    minus, marks = page.locator(".cell.minus").count(), page.locator(".mark").count()
    assert minus and minus == marks
