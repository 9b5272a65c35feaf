"""MindSpore's Hybrid DSL: a subset of Python that runs on NumPy arrays, and compiled to C.

| file | question |
|---|---|
| ``kernel`` | what does the decorator ``@kernel`` make of a function? |
| ``intrinsics`` | which words may a function of the DSL use, and what do they mean? |
| ``checks`` | is it a function of the DSL at all? MindSpore's rules, in its words |
| ``kinds`` | which type has a value? NumPy is asked |
| ``scope`` | what do names mean at a place of it? |
| ``tree`` | what is left of the function: typed expressions and statements |
| ``reading``, ``values`` | how does Python's syntax become that tree? |
| ``shapes`` | which results come out, without running it? |
| ``writing``, ``c_values``, ``c_words`` | how is the tree written in C? |
| ``source_facts`` | does it write to inputs, how many does it take? |
| ``program`` | compiled and called: what happens when an index is wrong? |
"""
