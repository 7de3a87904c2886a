"""What tests of upkeep look at: ledgers of a project, its live memories, every byte of its state."""

from pathlib import Path

from satchel.features.memories.ledgers import Ledgers
from satchel.storage.ledger.purging import PurgeReport, purge
from satchel.workspace import Workspace


def step(workspace: Workspace, name: str, *, dry_run: bool = False, confirm: bool = False) -> str:
    return workspace.upkeep(name, dry_run=dry_run, confirmed=confirm)[name]


def private_files(workspace: Workspace) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(Path(workspace.project.state.ledgers).iterdir())}


def everywhere(workspace: Workspace) -> bytes:
    """Every byte of private state, the index and whatever lies beside ledgers included."""
    return b"".join(
        p.read_bytes() for p in Path(workspace.project.state.path).rglob("*") if p.is_file()
    )


def live(workspace: Workspace) -> set[str]:
    workspace.refresh()
    return {record.content for record in workspace.memories.own.live()}


def ledgers_of(workspace: Workspace) -> Ledgers:
    return workspace.memories.stores.ledgers


def run_purge(workspace: Workspace, *, dry_run: bool = False) -> PurgeReport:
    ledgers = ledgers_of(workspace)
    now = workspace.project.clock.now()
    return purge(ledgers.every_private(), ledgers.tracked, now=now, dry_run=dry_run)
