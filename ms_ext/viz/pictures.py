"""A picture as the source of an ``<img>``: what stays where a page loses its scripts and styles.

A notebook that is not trusted drops script, style and inline SVG; images with a data: address stay.
The script of a page (assets/inline.js) turns such an image into inline SVG again.
"""

import re

from .markup import tag

_CODES = {"%": "%25", "#": "%23", "<": "%3C", ">": "%3E", "&": "%26", "\n": "%0A"}


def picture(svg, label, **attributes):
    """An image of ``svg``, which brings its own style; ``label`` says what is to be seen.

    >>> print(picture('<svg width="9"/>', "a line"))
    <img alt="a line" src="data:image/svg+xml;charset=utf-8,%3Csvg width='9'/%3E"/>
    """
    return tag("img", alt=label, src=source(svg), **attributes)


def source(svg):
    """``svg`` as a data: address, readable and shorter than base64.

    >>> source("<g>50 %</g>")
    'data:image/svg+xml;charset=utf-8,%3Cg%3E50 %25%3C/g%3E'
    """
    svg = svg.strip().replace(">\n<", "><")
    codes = _CODES
    if "'" in svg:  # some attribute may hold an apostrophe: keep its quotes as they are
        codes = {**_CODES, '"': "%22"}
    else:
        svg = svg.replace('"', "'")
    body = re.sub('[%#<>&\n"]', lambda found: codes.get(found[0], found[0]), svg)
    return f"data:image/svg+xml;charset=utf-8,{body}"
