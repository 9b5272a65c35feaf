"""How does an author's chapter become a learner's notebook and a page?

``source`` reads book/NN_topic/chapter.md (``myst`` its text, ``languages`` its second language),
``learner`` writes work/NN_topic.ipynb, ``execute`` runs the chapter in a fresh kernel, ``page``
turns what came out into one HTML file, ``rules`` says what a good chapter keeps.
"""
