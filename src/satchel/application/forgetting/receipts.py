"""Receipts of forgetting, without content, in a private ledger: used to scrub what comes back."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.forgetting.values import KIND, Leftover, Place, Receipt
from satchel.core.shapes import list_of
from satchel.core.values import Any, NamedTuple
from satchel.storage.files import read_file
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.record import Record

_BEGUN, _DONE = "begun", "done"
#: The field in which an empty line names the hashes of the lines it replaced.
_FORGOTTEN = "forgotten"


class ForgottenIndex(NamedTuple):
    """Everything forgotten here: ids and hashes of lines.

    `unfinished` are runs that did not end, each with its ids.
    """

    ids: frozenset[str]
    hashes: frozenset[str]
    unfinished: dict[str, frozenset[str]]


class Receipts:
    """The receipts of one project."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def begin(self, ids: Sequence[str], hashes: Sequence[str]) -> str:
        """Record what is about to be forgotten; return the run's id."""
        data: dict[str, Any] = {"op": _BEGUN, "ids": list(ids), "hashes": list(hashes)}
        return self.ledger.append([Record(kind=KIND, source="user", data=data)])[0].id

    def end(self, run: str, receipt: Receipt) -> Receipt:
        """Write the receipt and return it with its id and time."""
        data: dict[str, Any] = {
            "op": _DONE,
            "of": run,
            "ids": list(receipt.ids),
            "hashes": list(receipt.hashes),
            "places": [list(one) for one in receipt.places],
            "remains": [list(one) for one in receipt.remains],
        }
        written = self.ledger.append([Record(kind=KIND, source="user", data=data)])[0]
        return receipt._replace(id=written.id, at=written.ts)

    def all(self) -> list[Receipt]:
        """Return every receipt, oldest first."""
        return [_receipt(record) for record in self._records() if _op(record) == _DONE]

    def known(self) -> ForgottenIndex:
        """Return what was forgotten, and the runs that were killed."""
        return _index_of(self._records())

    def _records(self) -> list[Record]:
        data = read_file(self.ledger.archive) + b"\n" + read_file(self.ledger.path)
        return _records(split_lines(data))


def note_forgotten_elsewhere(
    ledger: Ledger,
    lines: Sequence[bytes],
    places: tuple[Place, ...] = (),
    remains: tuple[Leftover, ...] = (),
) -> None:
    """Record what another machine forgot, from the empty lines that replaced it.

    Receipts stay on their machine, since they name its paths. Without one here, the same line would
    stay in the work tree, and come back from there.
    """
    ids, hashes = tombstones_in(lines)
    if ids:
        receipts, gone = Receipts(ledger), (tuple(sorted(ids)), tuple(sorted(hashes)))
        receipts.end(receipts.begin(*gone), Receipt(*gone, places, remains))


def tombstones_in(lines: Sequence[bytes]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the ids of records of which only an empty line is left, and their lines' hashes."""
    records = [decode(raw).record for raw in lines if _FORGOTTEN.encode() in raw]
    stones = [one for one in records if one is not None and _FORGOTTEN in (one.data or {})]
    hashes = (name for one in stones for name in _words(one, _FORGOTTEN))
    return frozenset(one.id for one in stones), frozenset(hashes)


def forgotten_in(lines: Sequence[bytes]) -> ForgottenIndex:
    """Return what was forgotten according to these ledger lines."""
    return _index_of(_records(lines))


def _index_of(records: Sequence[Record]) -> ForgottenIndex:
    ids: set[str] = set()
    hashes: set[str] = set()
    begun: dict[str, frozenset[str]] = {}
    for record in records:
        if _op(record) == _BEGUN:
            begun[record.id] = frozenset(_words(record, "ids"))
            continue
        gone = set(_words(record, "ids"))
        ids |= gone
        hashes.update(_words(record, "hashes"))
        of = str((record.data or {}).get("of"))
        # A killed run is finished by the next one about the same.
        begun = {run: about for run, about in begun.items() if run != of and about - gone}
    return ForgottenIndex(frozenset(ids), frozenset(hashes), begun)


def _records(lines: Sequence[bytes]) -> list[Record]:
    found = [decode(raw).record for raw in lines]
    return [one for one in found if one is not None and one.kind == KIND and one.data]


def _op(record: Record) -> str:
    return str((record.data or {}).get("op"))


def _words(record: Record, name: str) -> list[str]:
    value = (record.data or {}).get(name)
    return [str(one) for one in list_of(value)]


def _receipt(record: Record) -> Receipt:
    data = record.data or {}
    places = [one for one in data.get("places") or () if isinstance(one, list)]
    remains = [one for one in data.get("remains") or () if isinstance(one, list)]
    return Receipt(
        tuple(_words(record, "ids")),
        tuple(_words(record, "hashes")),
        tuple(Place(*map(str, one[:3])) for one in places if len(one) == len(Place._fields)),
        remains=tuple(
            Leftover(*map(str, one[:3])) for one in remains if len(one) == len(Leftover._fields)
        ),
        at=record.ts,
        id=record.id,
    )
