"""Real trees for tests of instruction files: a project, a home, files by name, and one import run."""

import os
from typing import Any

from satchel.clients.contract.instructions import REPOSITORY
from satchel.features.instructions.importing import Importer
from satchel.features.instructions.reading import Reader
from satchel.features.instructions.scanning import GEMINI
from satchel.features.instructions.trust_policy import TrustPolicy
from satchel.features.instructions.values import Expanded, Limits


class MemoryTree:
    """A project and a home below one directory."""

    def __init__(self, directory: object) -> None:
        self.directory = os.path.realpath(str(directory))
        self.root = os.path.join(self.directory, "project")
        self.home = os.path.join(self.directory, "home")
        os.makedirs(self.root)
        os.makedirs(self.home)
        self.reads: list[str] = []

    def write(self, name: str, text: str | bytes) -> str:
        """Write a file below the project, or at an absolute path."""
        path = os.path.normpath(os.path.join(self.root, name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text)
        return path

    def expand(
        self,
        text: str,
        dialect: str = GEMINI,
        *,
        below: str = "",
        path: str = "",
        owner: str = REPOSITORY,
        approved: dict[str, str] | None = None,
        most: int = 102_400,
        **limits: Any,
    ) -> Expanded:
        """Expand a text as if it stood in a directory of the project."""
        grounds = TrustPolicy(self.root, self.home, approved=approved or {})
        reader = Reader(grounds, most)
        importer = Importer(reader, Limits(**limits), self.home)
        directory = os.path.normpath(os.path.join(self.root, below))
        status = os.stat(path) if path else None
        identity = (status.st_dev, status.st_ino) if status else (0, 0)
        found = importer.expand(
            text, dialect=dialect, directory=directory, owner=owner, path=path, identity=identity
        )
        self.reads = [one.path for one in reader.texts()]
        return found
