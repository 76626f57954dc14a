"""NumPy as `np`: a test that imports it from here goes on with Debian's Python, which has it, where
another one without it comes first."""

import os
import sys

try:
    import numpy as np  # noqa: F401
except ImportError:
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv])
