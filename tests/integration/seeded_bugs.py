"""Defects put into the installed command on purpose, for tests that run it in processes.

A seed is Python that is run in a module right after that was imported, in every process of a
machine: it gives a name of the module another meaning.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from integration.installed import Machine

_PLANTING = """
import importlib.abc, importlib.util, sys

class Planting(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != NAME:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        whole = spec.loader.exec_module
        def planted(module):
            whole(module)
            exec(SEED, vars(module))
        spec.loader.exec_module = planted
        return spec

sys.meta_path.insert(0, Planting())
"""


def plant(machine: Machine, module: str, seed: str) -> None:
    """Put a defect into the command of a machine; a seed that cannot be run fails here."""
    # In a process of its own: a seed may change a class that other tests use.
    tried = f"import importlib; exec({seed!r}, vars(importlib.import_module({module!r})))"
    subprocess.run([sys.executable, "-c", tried], check=True)
    place = Path(machine.directory, "seed")
    place.mkdir()
    (place / "sitecustomize.py").write_text(
        f"NAME, SEED = {module!r}, {seed!r}\n{_PLANTING}", "utf-8"
    )
    machine.environment["PYTHONPATH"] = str(place)
