"""Ops made from the learner's own function, library or formula: each is a Primitive, no more.

| file | question |
|---|---|
| ``custom`` | how does something of the learner's own become an op? |
| ``given`` | what may it be given? |
| ``way`` | what must a way of making an op answer? |
| ``ways/`` | which ways are there? one file per ``func_type`` |
| ``declared`` | which shapes and dtypes does the op promise? |
| ``traits`` | is it pure, what does it cost, what does it write to? |
| ``body`` | what does it do when it runs, and how long is it there? |
| ``as_op`` | how does the engine see it? |
| ``composed`` | how does a way work that is made of declared ops? |
| ``formula`` | what does a formula say? |
| ``constants`` | what of its inputs is no operand? |
| ``in_place`` | what does it mean that a result is written into an input? |
| ``debugging``, ``describing`` | what went in and came out; what is this op? |
| ``gradient`` | did its bprop return what it must? |
| ``as_mindspore`` | what would MindSpore make of that gradient? |
| ``gradcheck/``, ``why/`` | is the gradient right; why was the bprop not called? |
| ``registration``, ``registered`` | what does ``reg_info`` say, and what follows from it? |
| ``loading/``, ``calling/`` | how is a library found, built and opened; how is it called? |
| ``hybrid/`` | what does a function of loops mean, and what is it in C? |
"""
