"""The graph of a project or user: refreshed, changed through its ledger, searched."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from satchel.core.clock import Clock
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.ids import new_ulid
from satchel.core.quick_json import canonical, loads
from satchel.core.redaction.redactor import redact
from satchel.core.values import Any, NamedTuple
from satchel.features.graph import centrality as standing
from satchel.features.graph import searching
from satchel.features.graph.curation import Curation
from satchel.features.graph.evolution import EvolutionPlan, operations_of, plan_evolution
from satchel.features.graph.evolution_settings import EvolutionSettings
from satchel.features.graph.extraction import phrases_of
from satchel.features.graph.forgetting import is_forgotten
from satchel.features.graph.ingest import (
    INGEST,
    NOTE,
    RECORD,
    IngestedNote,
    ingest_operation,
    ingest_text_id,
    operation_text_id,
    with_known,
)
from satchel.features.graph.operations import (
    ADDING,
    MERGE,
    RESTORE,
    UNDO,
    UNMERGE,
    UPDATE,
    Operation,
    active,
    ingest_records,
    keys_of,
    read_operations,
    record,
    triples_of,
)
from satchel.features.graph.rows import Text
from satchel.features.graph.searching import Find, GraphAnswer
from satchel.features.graph.store import GraphStore
from satchel.features.graph.values import Cluster, Entity, Memory, Relation, TextGraph, normal
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.record import Record

#: A text with more names than this tells little about which of them belong together.
_TOO_MANY_NAMES = 40


class Changes(NamedTuple):
    """New or changed notes and records (None if empty), and removed ones."""

    drawn: Iterable[tuple[str, IngestedNote | None]]
    gone: Collection[str]


class GraphInputs(NamedTuple):
    """The inputs: a fingerprint, and on request the differences from given marks by id."""

    fingerprint: str
    changes: Callable[[dict[str, str]], Changes]


class Stored(NamedTuple):
    """A text of an ingest, with its stated relations: source, type, target."""

    memory: Memory
    relations: list[tuple[str, ...]]


class Graph:
    """Entities and relations, their sources, and decisions about them.

    Args:
        settings: how it changes with time.
    """

    def __init__(
        self, store: GraphStore, ledger: Ledger, clock: Clock, settings: EvolutionSettings
    ) -> None:
        self.store = store
        self.ledger = ledger
        self.clock = clock
        self.settings = settings

    # Drawing

    @property
    def is_drawn(self) -> bool:
        """Return whether it was ever drawn."""
        return bool(self.store.meta("fingerprint"))

    def refresh(self, look: Callable[[], GraphInputs], *, from_scratch: bool = False) -> int:
        """Draw changes in one transaction; return the number of texts drawn.

        Args:
            look: returns the inputs. It is called again under the lock, so that of two processes
                neither replaces a newer state with an older one.
            from_scratch: drop what is drawn first; others see the older graph until this is done.
        """
        if not from_scratch and self.store.meta("fingerprint") == look().fingerprint:
            return 0
        with self.store.database.transaction():
            if from_scratch:
                self.store.make_again()
            seen = look()
            touched, drawn = self._draw_changes(
                seen.changes(self.store.hashes(NOTE) | self.store.hashes(RECORD))
            )
            count, everything = self._draw_operations(touched)
            if everything or touched:
                curation = Curation(self.store.operations())
                self.store.settle(None if everything else touched, curation)
            self.store.put_meta("fingerprint", seen.fingerprint)
        return drawn + count

    def _draw_changes(self, changes: Changes) -> tuple[set[str], int]:
        problems = {k: v for k, v in self.problems().items() if k not in changes.gone}
        touched = self.store.drop_texts(changes.gone)
        texts: list[Text] = []
        for ident, found in changes.drawn:
            problems.pop(ident, None)
            if found is None:
                touched |= self.store.drop_texts([ident])
                continue
            texts.append(found.text)
            if found.problem:
                problems[ident] = found.problem
        touched |= self.store.put_texts(texts)
        self.store.put_meta("problems", canonical(problems))
        return touched, len(texts)

    def _draw_operations(self, touched: set[str]) -> tuple[int, bool]:
        """Read new ledger lines; return texts drawn, and whether to settle everything."""
        read = read_operations(self.ledger.path, self.store.meta("operations"))
        if not read.whole and any(one.name == UNDO for one in read.operations):
            # An undo may affect a text of long ago: everything is compared once.
            read = read_operations(self.ledger.path)
        before = Curation(self.store.operations())
        adding = [o for o in active(read.operations) if o.name in ADDING and not is_forgotten(o)]
        if read.whole:
            adding = with_known(adding)
        held = self.store.hashes(INGEST)
        wanted: dict[str, Operation] = {}
        for operation in adding:
            wanted.setdefault(operation_text_id(operation), operation)
        if read.whole:
            self.store.forget_operations()
            touched |= self.store.drop_texts(ident for ident in held if ident not in wanted)
        fresh = [one for ident, one in wanted.items() if held.get(ident) != one.mark]
        if not read.whole:
            fresh = [one for ident, one in wanted.items() if ident not in held]
        touched |= self.store.put_texts(map(ingest_operation, fresh))
        self.store.put_operations(read.operations)
        known = 0 if read.whole else int(self.store.meta("damaged") or 0)
        self.store.put_meta("damaged", str(known + read.damaged))
        self.store.put_meta("operations", read.mark)
        if not read.whole:
            after = Curation(self.store.operations())
            for key in _named_in(read.operations):
                touched.update((key, before.key(key), after.key(key)))
        return len(fresh), read.whole

    def problems(self) -> dict[str, str]:
        """Return problems with sidecars by note id."""
        found = loads(self.store.meta("problems") or "{}")
        return {str(k): str(v) for k, v in found.items()}

    # Changing

    def write(self, records: Sequence[Record]) -> list[Record]:
        """Append operations to the ledger, durably; they are drawn at the next refresh."""
        return self.ledger.append(records)

    def ingest(self, content: str, drawn: TextGraph | None = None, **about: Any) -> list[Record]:
        """Record an observation. A repeated one is not written again.

        Args:
            drawn: what it names and states; None to extract it.
            about: `name`, `agent`, `source`, `run`, `more` (see `ingest_records`).
        """
        given = drawn or TextGraph()
        if not content.strip() and not given.entities and not given.relations:
            raise BadInputError(
                "There is nothing to ingest.", hint="Give a text, entities or relationships."
            )
        return self.write_new(self._ingest_records(content, given, about))

    def _ingest_records(
        self, content: str, given: TextGraph, about: dict[str, Any]
    ) -> list[Record]:
        """Build an ingest's lines, linking existing entities by name."""
        known = self.store.names_among(phrases_of(redact(content)[0]))
        return ingest_records(content, given, known=known, **about)

    def stored(self, content: str, drawn: TextGraph | None = None, **about: Any) -> list[Stored]:
        """Return what an ingest's texts name and state, from the graph."""
        found = []
        for one in self._ingest_records(content, drawn or TextGraph(), about):
            ident = ingest_text_id(one.data or {})
            memory = self.store.text(ident)
            if memory is not None:
                found.append(Stored(memory, [row[1:] for row in self.store.stated([ident])]))
        return found

    def write_new(self, records: Sequence[Record]) -> list[Record]:
        """Append ingests that the graph lacks, and return them."""
        held = self.store.hashes(INGEST)
        fresh = {
            ident: one for one in records if (ident := ingest_text_id(one.data or {})) not in held
        }
        return self.write(list(fresh.values()))

    def update(self, entity: str, fields: dict[str, Any], *, agent: str = "") -> list[Record]:
        """Correct an entity: type, description, attributes, aliases. A new name is a merge."""
        found = self._existing(entity)
        run = new_ulid(int(self.clock.now() * 1000))
        records = []
        name = str(fields.get("name") or "")
        if name and normal(name) != found.key:
            merge = {"run": run, "into": name, "from": [found.name]}
            records.append(record(MERGE, merge, content=f"{found.name} is now {name}", agent=agent))
            found = found._replace(name=name)
        data = {"run": run, "entity": found.key, "set": fields}
        records.append(record(UPDATE, data, content=found.name, agent=agent))
        return self.write(records)

    def update_relation(
        self, source: str, kind: str, target: str, fields: dict[str, Any], *, agent: str = ""
    ) -> list[Record]:
        """Correct a relation: weight, description, validity."""
        wanted = Relation(source, target, kind).triple
        if not any(r.triple == wanted for r in self.store.relations_of(source)):
            raise NotFoundError(
                f"There is no relation {source} -{kind}-> {target}.",
                hint="`satchel graph show NAME` lists the relations of an entity.",
            )
        data = {"relation": [source, kind, target], "set": fields}
        said = f"{source} -{kind}-> {target}"
        return self.write([record(UPDATE, data, content=said, agent=agent)])

    def merge(self, into: str, others: Sequence[str]) -> list[Record]:
        """Merge several names into one entity."""
        target = self._existing(into)
        names = [self._existing(name).name for name in others]
        if target.name in names:
            raise BadInputError(
                f"{target.name} cannot be merged into itself.", hint="Name another entity."
            )
        data = {"into": target.name, "from": names}
        said = f"{', '.join(names)} into {target.name}"
        return self.write([record(MERGE, data, content=said)])

    def unmerge(self, names: Sequence[str]) -> list[Record]:
        """Split merged names into separate entities again."""
        merged = Curation(self.store.operations()).merged
        for name in names:
            if normal(name) not in merged:
                raise NotFoundError(f"{name[:60]!r} is not merged into anything.")
        data = {"entities": list(names)}
        return self.write([record(UNMERGE, data, content=f"unmerge {', '.join(names)}")])

    def restore(self, names: Sequence[str]) -> list[Record]:
        """Restore pruned entities with all their pruned and ended relations."""
        curation = Curation(self.store.operations())
        keys = {normal(name) for name in names}
        ended = {*curation.pruned, *curation.closed}
        relations = sorted(list(t) for t in ended if keys & {t[0], t[2]})
        touched = {end for triple in relations for end in (triple[0], triple[2])}
        for name in names:
            if normal(name) not in touched | set(curation.hidden):
                raise NotFoundError(
                    f"Nothing of {name[:60]!r} was pruned or ended.",
                    hint="`satchel graph show NAME` shows what there is.",
                )
        data = {"entities": sorted(keys), "relations": relations}
        return self.write([record(RESTORE, data, content=f"restore {', '.join(names)}")])

    def undo(self, which: str = "") -> list[Operation]:
        """Undo the last run, or the named operation or run; return what was undone."""
        read = read_operations(self.ledger.path)
        standing = [o for o in active(read.operations) if o.name != UNDO or which]
        if not standing:
            raise NotFoundError("There is no change of this graph to undo.")
        run = which or standing[-1].run
        chosen = [o for o in standing if run in (o.run, o.id)]
        if not chosen:
            raise NotFoundError(
                f"No operation {run[:40]!r} stands.", hint="`satchel graph undo --list` shows them."
            )
        data = {"undoes": [o.id for o in chosen]}
        said = f"undo {len(chosen)} operations of {run}"
        self.write([record(UNDO, data, content=said)])
        return chosen

    def _existing(self, name: str) -> Entity:
        found = self.store.entity(name)
        if found is None:
            raise NotFoundError(
                f"The graph has no entity {name[:60]!r}.",
                hint="`satchel graph query WORDS` finds names.",
            )
        return found

    # Standing

    def compute_metrics(self) -> None:
        """Compute importance and communities unless they are known: see `standing`."""
        standing.ensure_metrics(self.store, self.settings)

    def clusters(self) -> list[Cluster]:
        """Return every community with its report."""
        self.compute_metrics()
        return self.store.clusters()

    # Time

    def plan(self, *, confirmed: bool = False) -> EvolutionPlan:
        """Plan a run of evolution."""
        entities, relations = self.store.entities(), self.store.relations()
        now = self.clock.now()
        together = self.store.together(self.settings.co_occurrence, _TOO_MANY_NAMES)
        plan = plan_evolution(
            entities, relations, together, self.settings, now, confirmed=confirmed
        )
        if not self.settings.pagerank:
            return plan
        shares = standing.centrality_of(entities, relations, self.settings, now).importance
        names = {entity.key: entity.name for entity in entities}
        top = sorted(shares, key=lambda key: (-shares[key], key))[:10]
        return plan._replace(important=tuple((names[key], shares[key]) for key in top))

    def apply(self, plan: EvolutionPlan) -> str:
        """Write a plan to the ledger; return the run's name, or "" if there was nothing to do."""
        run = new_ulid(int(self.clock.now() * 1000))
        records = operations_of(plan, run)
        self.write(records)
        return run if records else ""

    # Asking

    def search(
        self, question: str, mode: str, *, limit: int = 10, find: Find | None = None
    ) -> GraphAnswer:
        """Answer a question in one of the modes: see `searching`."""
        now = self.clock.now()
        if searching.mode_named(mode) == searching.GLOBAL:
            return searching.global_(question, self.clusters(), limit=limit)
        ask = searching.naive if mode == searching.NAIVE else searching.local
        return ask(self.store, question, limit=limit, now=now, find=find)


def _named_in(operations: Iterable[Operation]) -> set[str]:
    keys: set[str] = set()
    for operation in operations:
        data = operation.data
        for field in ("into", "entity", "from", "entities"):
            keys.update(keys_of(data, field))
        for source, _, target in triples_of(data):
            keys.update((source, target))
        value = data.get("relation")
        if isinstance(value, list):
            keys.update(normal(str(part)) for part in value)
    return keys
