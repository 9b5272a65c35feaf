"""Sphinx's settings for `./lab book`; the work is done in ms_ext/book/site."""

from ms_ext.book.site.settings import *  # noqa: F403 - Sphinx reads the names of this file
