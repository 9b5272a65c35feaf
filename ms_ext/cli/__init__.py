"""What can be asked from a shell: `./lab` and `ms-ext`, one file per command."""

import sys

if "ms_ext.resolve" in sys.modules:  # MS_EXT_ENGINE is for scripts and notebooks, not for these
    from ms_ext import resolve

    resolve.withdraw()
