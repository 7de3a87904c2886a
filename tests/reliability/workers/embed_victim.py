"""T3: makes vectors, or the whole index again, until it is killed. Roles: embed, change, rebuild.

python -m reliability.workers.embed_victim REPO HOME ROLE DEFECT
"""

import itertools
import os
import sys
import time

from hashed_words import HashedEmbedder
from reliability.filling import OtherModel, use_model
from satchel.core.errors import BusyError, StoreError
from satchel.engine.search.vectors import Vectors
from satchel.workspace import Workspace


def done_first() -> None:
    """Seeded bug: what is taken up waits no more, before its vectors are kept."""
    embed = Vectors.embed_waiting

    def careless(self: Vectors, *, most: int = 64) -> int:
        rows = self.database.read("SELECT doc_id FROM unembedded ORDER BY doc_id LIMIT ?", (most,))
        self.database.write_many("DELETE FROM unembedded WHERE doc_id = ?", rows)
        time.sleep(0.05)
        self.database.write_many("INSERT OR IGNORE INTO unembedded VALUES (?)", rows)
        return embed(self, most=most)

    Vectors.embed_waiting = careless  # type: ignore[method-assign]


def main() -> None:
    repo, home, role, defect = sys.argv[1:]
    if defect:
        {"done_first": done_first}[defect]()
    with Workspace.open(repo, home=home) as workspace:
        os.write(1, b"up\n")
        for n in itertools.count():
            try:
                if role == "rebuild" and n:
                    workspace.rebuild()
                if role == "change":
                    use_model(workspace, (HashedEmbedder, OtherModel)[n % 2]())
                else:
                    use_model(workspace)
                workspace.refresh()
                vectors = workspace.models.vectors(workspace.memories.own.index)
                while vectors is not None and vectors.embed_waiting(most=8):
                    pass
                workspace.learn(f"tok{os.getpid()}x{n} a harbour of its own")
            except (BusyError, StoreError) as error:
                os.write(2, f"{type(error).__name__}: {error}\n".encode())
                workspace.close()


if __name__ == "__main__":
    main()
