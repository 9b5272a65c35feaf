"""What can a check look at? Values, gradients, structure, cost, and order in time.

Each layer makes judges, ``judge(question, answer) -> Failure or None``. They run beside the
reference, in a process where no line of the learner's runs; what they look at is plain data.
"""
