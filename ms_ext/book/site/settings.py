"""What is Sphinx told? Nothing is fetched, nothing is run, and no source is copied to the site."""

from pathlib import Path

HERE = Path(__file__).parent

project = "ms_ext"
author = "the authors of ms_ext"
language = "en"
extensions = ["myst_nb", "ms_ext.book.site.extension"]
exclude_patterns = ["contents.json"]

# notebooks are shown as they were run
nb_execution_mode = "off"
nb_merge_streams = True
nb_number_source_lines = False
myst_enable_extensions = ["attrs_inline", "dollarmath"]
myst_heading_anchors = 3
suppress_warnings = []

# pages
html_theme = "sphinx_book_theme"
html_title = "ms_ext"
html_static_path = [str(HERE / "static")]
html_css_files = ["ms_ext.css"]
templates_path = [str(HERE / "templates")]
html_sidebars = {"**": ["navbar-logo.html", "search-button-field.html", "contents.html"]}
html_math_renderer = "mathml"
html_copy_source = False  # a notebook's source is not for the site, and nobody needs it
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_last_updated_fmt = None  # two builds of the same sources are the same
html_use_index = False
html_domain_indices = False
html_search_scorer = str(HERE / "scorer.js")
html_show_search_summary = False  # it would have to fetch pages, which a page from a file may not
html_context = {
    "default_mode": "auto"
}  # light or dark as the system says, until the reader chooses
html_theme_options = {
    "use_download_button": False,
    "use_repository_button": False,
    "use_fullscreen_button": False,
    "navbar_persistent": [],
    "secondary_sidebar_items": ["page-toc.html"],
    "show_toc_level": 2,
    "navigation_with_keys": False,  # the arrow keys belong to the pictures
    "search_bar_text": "Search",
    "footer_content_items": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
