"""For authors: check chapters, build the site, tidy a chapter, ask MindSpore; lists its words."""

import difflib
import sys

from ms_ext.book import recorded, rules, rules_running, source
from ms_ext.engine import errors

USAGE = """\
  ms-ext book check [CHAPTER ...] [--read]   the rules R1 to R19; --read: without running anything
  ms-ext book build [--fresh]                the static book, from a file, without a network
  ms-ext book tidy [CHAPTER ...]             chapter.md in the form in which JupyterLab saves it
  ms-ext book record [CHAPTER ...] [--python PYTHON]   what real MindSpore answers, written anew"""


def main(arguments):
    """Run one word; without one, list them."""
    if not arguments or arguments[0] in ("help", "-h", "--help"):
        print(USAGE)
        return 0
    word, *rest = arguments
    if word not in WORDS:
        near = difflib.get_close_matches(word, WORDS, n=1)
        meant = f" Did you mean '{near[0]}'?" if near else ""
        print(f"ms-ext book {word}: there is no such word.{meant}\n{USAGE}", file=sys.stderr)
        return 2
    try:
        return WORDS[word](*rest) or 0
    except errors.InvalidValue as error:
        print(error, file=sys.stderr)
        return 2
    except errors.MsExtError as error:
        print(error, file=sys.stderr)
        return 1


def chosen(names):
    """The chapters of these names; all of them if none is named.

    >>> chosen(["tour"])
    ['00_tour']
    """
    return [source.find(name) for name in names] or source.chapters()


def check(*words):
    """Ask every gate about some chapters: 1 if one is broken."""
    names, reading = chosen([word for word in words if word != "--read"]), "--read" in words
    broken = []
    for name in names:
        print(f"{name}: read", flush=True)
        broken += rules.broken(name)
        if not reading:
            broken += rules_running.broken(name, _say)
    if not broken:
        how = "read" if reading else "read and run"
        gates = rules.GATES if reading else [*rules.GATES, *rules_running.GATES]
        asked = {rule for rule, _ in gates}
        kept = ", ".join(rule for rule in rules.RULES if rule in asked)
        print(f"{_chapters(len(names))} {how}; these rules are kept: {kept}.")
        return 0
    print("", *broken, sep="\n")
    print(f"\n{len(broken)} broken in {_chapters(len({each.chapter for each in broken}))}.")
    return 1


def _chapters(count):
    return f"{count} chapter{'s' if count != 1 else ''}"


def _say(progress):
    """Where a run is: one line that is written over on a terminal, the sections otherwise."""
    if sys.stdout.isatty():
        print(f"\r\033[K  {progress}", end="\n" if progress.number == progress.total else "")
    elif progress.number in (1, progress.total):
        print(f"  {progress}", flush=True)


def build(*words):
    """Build the static book."""
    from ms_ext.book import site

    site.build(*words)


def tidy(*words):
    """Write chapters in their normal form."""
    for name in chosen(words):
        path = source.BOOK / name / "chapter.md"
        text = path.read_text(encoding="utf-8")
        tidied = source.normal(text, name)
        if tidied != text:
            path.write_text(tidied, encoding="utf-8")
        print(f"{path}: {'written' if tidied != text else 'as it should be'}")


def record(*words):
    """Run the portable cells of chapters on real MindSpore and keep its answers."""
    names, given = [*words], None
    if "--python" in names:
        at = names.index("--python")
        given = names[at + 1] if at + 1 < len(names) else ""
        del names[at : at + 2]
    names = chosen(names)
    python = recorded.python_with_mindspore(given)
    for name in names:
        print(recorded.record(name, python), flush=True)


WORDS = {"check": check, "build": build, "tidy": tidy, "record": record}
