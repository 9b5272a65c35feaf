"""Run the ten-minute tour again and write its page: ms-ext tour [PAGE]."""

import sys
import tempfile
import time

from ms_ext.book import execute, languages, learner, page, source

CHAPTER = "00_tour"


def write_learner_copies():
    """Write work/NN_topic.ipynb of every chapter that the learner does not have yet; the paths."""
    paths = [learner.write_learner_copy(name) for name in source.chapters()]
    print(*paths, sep="\n", flush=True)
    return paths


def run_tour(html_path="build/tour.html", progress=None):
    """Run the tour in a fresh kernel and write its page; the page's path.

    ``progress`` is called with a ``Progress`` as each code cell begins; by default it is printed.
    """
    chapter = source.read(CHAPTER, languages.best(CHAPTER))
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="ms_ext_tour") as folder:
        ran = execute.execute(chapter, folder=folder, on_progress=progress or _say)
    path = page.write_page(chapter, ran, source.ROOT / html_path)
    print(f"{path}: {time.perf_counter() - begin:.1f} s", flush=True)
    return path


def _say(progress):
    print(progress, flush=True)


def main(arguments):
    """Make the page again."""
    if len(arguments) > 1:
        print(f"ms-ext tour takes one path at most; given: {' '.join(arguments)}", file=sys.stderr)
        return 2
    run_tour(*arguments)
    return 0
