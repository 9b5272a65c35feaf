"""How does a docstring become a piece of a page? Its words, and its examples as they run.

>>> examples("Twice ``x``.\\n\\n    >>> twice(2)\\n    4")
'```pycon\\n>>> twice(2)\\n4\\n```'
"""

import inspect
import re

from .markdown import fence, words

_DIRECTIVE = re.compile(r"\s*# doctest:.*$", re.MULTILINE)


def as_markdown(doc):
    """The whole docstring."""
    return "\n\n".join(map(_block, _blocks(doc)))


def summary(doc):
    """Its first sentence or line, as Markdown.

    >>> summary("The sum: of all.\\n\\nMore.")
    'The sum: of all.'
    """
    first = next(iter(_blocks(doc)), "")
    return words(re.sub(r"\s+", " ", first).strip())


def without_examples(doc):
    """The words alone, as Markdown."""
    return "\n\n".join(_block(block) for block in _blocks(doc) if not _is_example(block))


def examples(doc):
    """The examples alone, as Markdown."""
    return "\n\n".join(_block(block) for block in _blocks(doc) if _is_example(block))


def _blocks(doc):
    """Paragraphs. Examples with only a blank line between them are one."""
    found = []
    for block in re.split(r"\n[ \t]*\n", inspect.cleandoc(doc or "")):
        if not block.strip():
            continue
        if found and _is_example(block) and _is_example(found[-1]):
            found[-1] += f"\n\n{block}"
        else:
            found.append(block)
    return found


def _is_example(block):
    return block.lstrip().startswith(">>> ")


def _block(block):
    if _is_example(block):
        plain = _DIRECTIVE.sub("", inspect.cleandoc(block))
        return fence("pycon", plain.replace("<BLANKLINE>", ""))
    if block.startswith("    "):
        return fence("python", inspect.cleandoc(block))
    return words(block)
