"""``grad`` and its family, in both modes: what is asked for, on the tape or written into a graph.

| file | answers |
|---|---|
| ``gradient`` | ``grad``, ``value_and_grad``: what calling a Gradient does, in each mode |
| ``options``, ``seeds`` | what may be asked for; what the results are weighed with |
| ``answers`` | in which form the gradients are given |
| ``recording``, ``read_calls`` | the call of the function: on the tape, or read into a graph |
| ``pullbacks``, ``pushforwards`` | ``vjp`` and ``jvp`` |
| ``jacobians``, ``jacobian_graphs`` | ``jacrev`` and ``jacfwd``, row by row and column by column |
| ``operation`` | ``GradOperation`` |
| ``own``, ``own_graphs`` | functions that bring their own gradient, as ``Cell.bprop`` |
| ``gate``, ``gate_graphs`` | gradients met on their way back, all at once |
| ``hook_ops``, ``hook_graphs`` | ``HookBackward`` and its kind; hooks in graphs |
| ``blocks``, ``block_graphs`` | ``recompute`` |
"""
