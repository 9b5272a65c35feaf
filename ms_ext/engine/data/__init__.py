"""How do rows of data come to a training loop? A dataset is a pipeline of nodes, each giving rows.

A row is a tuple with one NumPy array per column. Each node asks the one below it for its rows when
it is asked itself, so nothing is computed before somebody wants it. To be read in this order:

=============  =====================================================================
node           what every node answers, and what one pass over a pipeline carries
rows           how values become a row, and rows a block (a batch is a block)
sources        where rows come from: an object with numbers, an iterable, arrays
samplers       in which order a source is asked
draws          where random numbers come from: the same for a seed, however many work
choosing       take, skip, filter, repeat, shuffle
mapping        functions over rows, one by one or a whole block at once
batches        rows put together
combining      several datasets as one
columns        names of columns
workers        several threads or processes, and results in the order of the tasks
processes      one worker that is another Python; ``worker`` is what runs in it
carrying       functions and classes of a notebook, as bytes
failures       an error of your function, with its own traceback
epochs         one pass after the other
idx            the files of handwritten digits
settings       the seed, how far ahead to work
=============  =====================================================================
"""
