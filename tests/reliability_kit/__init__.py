"""Breaks the disk, the process and the clock under any command line, at libc level.

``shim``          compiles ``shim.c`` and runs a command under it: the k-th call fails, is cut short,
                  or is the last one before SIGKILL; every change is traced; the clock is shifted.
``trace_file``    the form of a trace; ``append_mark`` notes a promise that the driver itself saw.
``crash_images``  replays a trace as the disks that a power cut could have left behind, by the
                  rules of ``disk``.
``oracle``        compares what was acknowledged with what is there, and states the bound proved.
``specimens``     small writers, correct or with one bug, on which the kit itself is proved.

How to use it: trace one run, assert that ``unexplained`` is empty (the trace tells the whole
story), then check every image; loop faults and kills until none fires. The kit knows nothing of
the program under test, and does not own workloads, readers of stores, or pass marks.

Blind spots: static binaries, stdio (``fopen``, ``fprintf``), ``mkstemp`` of libc, stores through
``mmap``, io_uring; ``unexplained`` shows when one of these mattered. Another program's SIGKILL may
fall between a call and its record; the kit's own kills are exact.
"""
