"""T25: restores a backup and is killed at the k-th rename, where there are that many."""

import os
import sys
import time
from typing import Any

from satchel.application.exchange.backups.restoring import restore
from satchel.application.exchange.backups.vault import Vault
from satchel.storage.paths import UserHome


def main() -> None:
    home, place, name, number = sys.argv[1:]
    left = int(number)
    renamed = os.replace

    def replace(*words: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os._exit(9)
        renamed(*words)

    os.replace = replace  # type: ignore[assignment]
    vault = Vault(place)
    restore(UserHome(home), vault, vault.load(name), Vault(home + "-backups"), now=time.time())


if __name__ == "__main__":
    main()
