"""The reliability suite: what Satchel promises, attacked with processes, faults and mutants.

Each file carries the number of its test (T1 to T37). Every test has a short form and, with
SATCHEL_TORTURE=full, the form whose figures may be quoted; each prints one line with n, seed and
the bound that it proves, and each has at least one seeded bug that it must catch.
SATCHEL_SEED changes the seed; SATCHEL_FIGURES names a file that collects the lines.
"""
