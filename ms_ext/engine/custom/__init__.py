"""Ops made from the learner's own function: each becomes a Primitive and nothing else.

| file | question |
|---|---|
| ``declared`` | which shapes and dtypes does the op promise? |
| ``gradient`` | did its bprop return what it must? |
| ``pyfunc`` | how does a Python function become an op? |
"""
