"""Becomes somebody whom permissions bind, even when started by root, and runs a command.

python -m reliability.workers.ordinary COMMAND ...
"""

import ctypes
import os
import sys

_DROP_FROM_BOUNDING_SET = 24
#: Write anywhere, read anywhere: what makes root deaf to permissions.
_OVERRIDES = (1, 2)


def main() -> None:
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in _OVERRIDES:
            if libc.prctl(_DROP_FROM_BOUNDING_SET, capability, 0, 0, 0):
                sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")
    os.execv(sys.argv[1], sys.argv[1:])  # noqa: S606 -- it becomes the command, by design


if __name__ == "__main__":
    main()
