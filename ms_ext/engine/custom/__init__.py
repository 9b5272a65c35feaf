"""Ops made from the learner's own function, library or formula: each is a Primitive, no more.

| file | question |
|---|---|
| ``custom`` | how does something of the learner's own become an op? |
| ``way`` | what must a way of making an op answer? |
| ``ways/`` | which ways are there? one file per ``func_type`` |
| ``declared`` | which shapes and dtypes does the op promise? |
| ``gradient`` | did its bprop return what it must? |
"""
