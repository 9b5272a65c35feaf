"""Build the site: python -m ms_ext.book.site [--fresh]."""

import sys

from . import build

build(*sys.argv[1:])
