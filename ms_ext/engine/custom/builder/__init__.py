"""``ops.CustomOpBuilder``: how do sources of the learner's become a module of ops?

| file | question |
|---|---|
| ``builder`` | what is said, what may be overridden, what is handed back? |
| ``given`` | what may be said? |
| ``flags`` | which flags does MindSpore compile with? |
| ``building`` | how do sources become one library in a folder, when something changed? |
| ``record`` | what was it made of, and is that still so? |
| ``compiler`` | how are several sources compiled at once, and what if one is wrong? |
| ``headers`` | how is the long header read once, not for every op? |
| ``kinds`` | C++ with pybind11, plain C functions, Cython: which one is it? |
| ``opening``, ``proxy`` | how does the library become a module, and what does that answer? |
| ``showing`` | what is seen while it takes long? |
| ``there`` | how does MindSpore itself build the same? |
| ``cell`` | ``%%cpp_op``: how is an op written in a notebook's cell? |
"""
