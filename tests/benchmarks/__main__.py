"""`python -m benchmarks NAME`: one of the programs of this directory, by its name."""

import runpy
import sys

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("python -m benchmarks NAME, as `team`")
    name = sys.argv.pop(1)
    runpy.run_module(f"benchmarks.{name}", run_name="__main__", alter_sys=True)
