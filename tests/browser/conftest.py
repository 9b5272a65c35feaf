"""A page in Debian's browser; it may ask nobody for anything and complain of nothing."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZE = {"viewport": {"width": 1200, "height": 1000}}
_HERE = (
    "file:",
    "data:",
    "blob:",
    "about:",
    "http://127.0.0.1",
    "http://localhost",
    "ws://127.0.0.1",
)


@pytest.fixture(scope="session")
def browser_process():
    """One browser for the session."""
    from playwright.sync_api import sync_playwright

    from ms_ext.engine import toolchain

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=toolchain.chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A JupyterLab for the session: the ``folder`` of its notebooks, ``address(name)`` of one."""
    from lab_server import running

    home = tmp_path_factory.mktemp("lab")
    with running(home) as address:
        yield SimpleNamespace(folder=home / "work", address=address)


@pytest.fixture
def new_page(browser_process):
    """A function that opens a page; in the end it must have asked and complained of nothing."""
    contexts, asked, said = [], [], []

    def open_page(**options):
        context = browser_process.new_context(**(SIZE | options))
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda r: r.url.startswith(_HERE) or asked.append(r.url))
        page.on("console", lambda m: m.type == "error" and said.append(m.text))
        page.on("pageerror", lambda e: said.append(str(e)))
        page.on("dialog", lambda d: (said.append(f"dialog {d.message}"), d.dismiss()))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert asked == [] and said == []


@pytest.fixture
def open_views(new_page, tmp_path):
    """A function that opens a page with some views on it."""
    from ms_ext.viz.panel.page import document

    def opened(*views, **options):
        place = tmp_path / "views.html"
        page = new_page(**options)
        place.write_text(document("views", "".join(view.html() for view in views)), "utf-8")
        page.goto(place.as_uri())
        return page

    return opened
