"""Why was a bprop not called? A run is watched, and what happened is told.

| file | question |
|---|---|
| ``asking`` | ``why_no_gradient``: what is run, and which ops are asked about? |
| ``watching`` | which ops were called, on what, and which bprops ran? |
| ``reasons`` | where does the way from the result back to an op end? |
| ``answer`` | what is said about it? |
"""
