"""Is a gradient right? What a bprop gives beside what the function itself does when it is moved.

| file | question |
|---|---|
| ``checking`` | what is compared, and how? ``gradcheck`` |
| ``differences`` | how fast does a result move with an input? |
| ``measuring`` | in which dtype can an op be measured? |
| ``causes``, ``shape_causes`` | which mistake is it? |
| ``evidence`` | what is known of a wrong gradient; when are two arrays alike? |
| ``result`` | what is said about it? |
"""
