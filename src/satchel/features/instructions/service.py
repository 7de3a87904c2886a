"""Instruction files: discovered, composed within a budget, watched.

Composes them with the project's settings and the person's directories. Files are read once per
session; with `instructions.watch`, every request checks for changes.
"""

from __future__ import annotations

import os

from satchel.clients.contract.instructions import (
    CONDITIONAL,
    PRIORITIES,
    PROJECT,
    REPOSITORY,
    USER,
    Source,
)
from satchel.core.errors import BadInputError
from satchel.core.values import NamedTuple, cached_property
from satchel.features.instructions import places
from satchel.features.instructions.discovery import DiscoveryRequest, candidates, discover
from satchel.features.instructions.places import Homes
from satchel.storage.safe_open import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from satchel.features.instructions.budget import Budget
    from satchel.features.instructions.loading import LoadedInstructions
    from satchel.features.instructions.reading import Reader
    from satchel.features.instructions.trust_policy import Approvals, TrustPolicy
    from satchel.features.instructions.values import Limits
    from satchel.features.instructions.watching import Changes, FileStat, FileStats
    from satchel.project.person import PersonStore
    from satchel.project.place import Place
    from satchel.project.store import ProjectStore


#: Nobody nests instructions for agents deeper than this.
_DEEPEST = 50


class InstructionRequest(NamedTuple):
    """Which instructions an agent gets.

    Attributes:
        client: only what this client reads; "" or `all` for everything.
        beyond: leave out files that this client reads itself.
        model: whose context counts; "" for the setting.
        budget: most tokens; 0 for the share of the model's context.
        touching: paths being worked on: rules for them and instruction files above them count.
        agent: name of the agent, for its own memory.
        requested: also files that agents read only on demand.
    """

    client: str = ""
    beyond: str = ""
    model: str = ""
    budget: int = 0
    touching: tuple[str, ...] = ()
    agent: str = ""
    requested: bool = False


_ALL = InstructionRequest()


class InstructionFiles:
    """A project's instruction files, for an agent in one of its directories.

    Args:
        person: whose files for every project count too; None to read nothing of a person's.
        cwd: where the agent works; "" for the project's directory.
    """

    def __init__(self, project: ProjectStore, person: PersonStore | None, cwd: str = "") -> None:
        self.project, self.person = project, person
        self.settings = project.settings
        self.homes = _homes(person) if person is not None else None
        self._directory = os.path.expanduser("~")
        self.root = _top_of(project.place, os.path.realpath(self._directory))
        self.cwd = os.path.realpath(cwd or project.place.root)
        self._loaded: dict[InstructionRequest, tuple[LoadedInstructions, dict[str, FileStat]]] = {}

    @cached_property
    def approvals(self) -> Approvals:
        """Return the files outside their project that the user approved."""
        from satchel.features.instructions.trust_policy import Approvals

        return Approvals(self.person.home.memory_trust if self.person is not None else "")

    # Discovery. Every session starts with it, and most find nothing to read.

    def sources(self, *, agent: str = "", near: Sequence[str] = ()) -> list[Source]:
        """Return existing instruction files, lowest priority first."""
        if not self.settings.flag("instructions.enabled"):
            return []
        return discover(self.wanted(agent=agent, near=near))

    def wanted(self, *, agent: str = "", near: Sequence[str] = ()) -> DiscoveryRequest:
        """Return what to look for, and where."""
        settings, place = self.settings, self.project.place
        main = os.path.dirname(place.common) if place.common.endswith(os.sep + ".git") else ""
        keys = dict.fromkeys(filter(None, (main, self.root, place.root, self.cwd)))
        return DiscoveryRequest(
            self.root,
            self.cwd,
            self.homes,
            _names(settings.words("instructions.file_names")),
            exclude=settings.words("instructions.exclude"),
            local=settings.flag("instructions.local_files") and self.person is not None,
            auto=settings.flag("instructions.auto_memory"),
            keys=tuple(keys),
            team=self._team(),
            agent=agent,
            search=settings.integer("instructions.search_directories"),
            near=tuple(os.path.realpath(os.path.join(self.cwd, path)) for path in near),
        )

    def places(self) -> list[str]:
        """Return every path where an instruction file would count, existing or not."""
        return candidates(self.wanted())

    @property
    def grounds(self) -> TrustPolicy:
        """Return the policy of which files may be read for whom."""
        from satchel.features.instructions.trust_policy import TrustPolicy

        return TrustPolicy(
            self.root,
            os.path.realpath(self._directory),
            tuple(os.path.realpath(path) for path in places.trusted(self.homes))
            if self.homes
            else (),
            tuple(os.path.realpath(path) for path in places.managed()),
            team=self._team(),
            approved=self.approvals.of(self.project.key),
        )

    def _team(self) -> str:
        given = self.settings.text("instructions.team_directory") if self.person else ""
        return os.path.realpath(os.path.expanduser(given)) if given else ""

    # Reading

    def loaded(self, wanted: InstructionRequest = _ALL) -> LoadedInstructions:
        """Compose what an agent gets: segments with provenance, within the budget."""
        known = self._loaded.get(wanted)
        if known and not self._out_of_date(known[1]):
            return known[0]
        found = self.load_with(self.reader(), wanted)
        watches = self.settings.flag("instructions.watch")
        self._loaded[wanted] = (found, self.stamped(found.read) if watches else {})
        return found

    def load_with(self, reader: Reader, wanted: InstructionRequest) -> LoadedInstructions:
        """Compose with the caller's reader, which then knows what was read."""
        from satchel.features.instructions.loading import Options, load

        touching = tuple(os.path.join(self.cwd, path) for path in wanted.touching)
        its_own = places.CLIENTS.get(wanted.client)
        options = Options(
            self._limits(),
            self.budget(wanted.model, wanted.budget),
            its_own.dialect if its_own else self.dialect(),
            client=wanted.client,
            beyond=wanted.beyond,
            touching=touching,
            requested=wanted.requested,
        )
        sources = self.sources(agent=wanted.agent, near=touching)
        return load(
            sources, reader, options, root=self.root, home=self._directory, shown=self.shown
        )

    def unread_by(self, client: str = "") -> LoadedInstructions:
        """Compose what no client reads itself: `BEANS.md` and similar files, every tier.

        Imports of files that the client reads are left out: it already has them.
        """
        from satchel.features.instructions.loading import Options, load

        reader = self.reader()
        own = self.load_with(reader, InstructionRequest(client=client)).segments if client else []
        theirs = {segment.path for segment in own}
        sources = [one for one in self.sources() if not one.clients and one.path not in theirs]
        return load(
            sources,
            reader,
            Options(self._limits(), self.budget(), self.dialect()),
            root=self.root,
            home=self._directory,
            shown=self.shown,
        )

    def read_by(self, client: str) -> tuple[frozenset[str], str]:
        """Return the files that a client reads itself, imports too, links followed; and their text.

        Rules for some files only count as read: the client shows them when it opens such a file.
        """
        found = self.load_with(self.reader(), InstructionRequest(client=client))
        paths = [
            one.source.path
            for one in found.files
            if not one.skipped or (one.source.kind == CONDITIONAL and client in one.source.clients)
        ]
        paths += [segment.path for segment in found.segments]
        text = "\n".join(segment.text for segment in found.segments)
        return frozenset(map(os.path.realpath, paths)), text

    def expanded(self, path: str) -> LoadedInstructions:
        """Compose a single project file: its text with imports inlined."""
        from satchel.features.instructions.loading import Options, load
        from satchel.features.instructions.scanning import BEANS

        source = Source(path, PROJECT, REPOSITORY, PRIORITIES[PROJECT])
        options = Options(self._limits(), self.budget(), BEANS)
        return load([source], self.reader(), options, root=self.root, home=self._directory)

    def _out_of_date(self, before: dict[str, FileStat]) -> bool:
        if not self.settings.flag("instructions.watch"):
            return False
        from satchel.features.instructions.watching import compare

        return bool(compare(before, self.stamped(self.followed())))

    def reader(self) -> Reader:
        """Return a new reader."""
        from satchel.features.instructions.reading import Reader

        return Reader(self.grounds, self.settings.integer("instructions.max_import_bytes"))

    def text(self, loaded: LoadedInstructions) -> str:
        """Return the text for an agent, each file between two lines that name it."""
        from satchel.features.instructions.loading import rendered

        return rendered(loaded.segments, self.shown)

    def shown(self, path: str) -> str:
        """Return a path's display name."""
        if is_within(path, self.root):
            return os.path.relpath(path, self.root)
        home = self._directory
        return "~" + path[len(home) :] if is_within(path, home) else path

    def budget(self, model: str = "", most: int = 0) -> Budget:
        """Return the limits for a model's context."""
        from satchel.features.instructions.budget import Budget, context_of

        number, integer = self.settings.number, self.settings.integer
        context = integer("instructions.context_tokens") if not model else 0
        context = context or context_of(model or self.settings.text("instructions.model"))
        return Budget.of(
            context,
            percents=(
                number("instructions.budget_percent"),
                number("instructions.warn_percent"),
                number("instructions.hard_percent"),
            ),
            most=most,
        )

    def dialect(self) -> str:
        """Return the dialect set for all files, or `auto`."""
        from satchel.features.instructions.scanning import DIALECTS

        dialect = self.settings.text("instructions.imports")
        if dialect not in ("auto", *DIALECTS):
            raise BadInputError(
                f"`instructions.imports` is {dialect!r}, which is not a dialect.",
                hint=f"It takes auto, {', '.join(DIALECTS)}.",
            )
        return dialect

    def _limits(self) -> Limits:
        from satchel.features.instructions.values import Limits

        given = self.settings.words("instructions.import_extensions")
        extensions = None if given == ("auto",) else () if "*" in given else given
        return Limits(
            depth=min(self.settings.integer("instructions.import_depth"), _DEEPEST),
            extensions=extensions,
        )

    # What has changed

    @cached_property
    def file_stats(self) -> FileStats:
        """Return the files' states at the last check."""
        from satchel.features.instructions.watching import FileStats

        return FileStats(self.project.state.memory_files)

    def stamped(self, paths: Sequence[str]) -> dict[str, FileStat]:
        """Return the files' states, without reading unchanged ones."""
        reader = self.reader()

        def hash_of(path: str) -> str:
            return reader.read(path, USER, found=True).sha256[:16]

        return self.file_stats.look(paths, hash_of, int(self.project.clock.now() * 1e9))

    def followed(self) -> list[str]:
        """Return files to watch: those found now, and those imported before."""
        found = [source.path for source in self.sources()]
        imported = [path for loaded, _ in self._loaded.values() for path in loaded.read]
        return list(dict.fromkeys([*found, *imported, *self.file_stats.known]))

    def refresh(self) -> Changes:
        """Clear the cache, read again, and return what has changed since."""
        from satchel.features.instructions.watching import compare

        before = dict(self.file_stats.known)
        self._loaded.clear()
        after = self.stamped(self.loaded().read)
        self.file_stats.keep(after)
        return compare(before, after)

    def watch(self, wait: Callable[[float], object], ends: Callable[[], bool]) -> Iterator[Changes]:
        """Yield settled changes until `ends` is true; see `instructions.watching`."""
        from satchel.features.instructions.watching import watch

        def look() -> dict[str, FileStat]:
            self.file_stats.known = self.stamped(self.followed())
            return self.file_stats.known

        self.loaded()
        every = self.settings.integer("instructions.watch_every_ms") / 1000
        settle = self.settings.integer("instructions.settle_ms") / 1000
        for changes in watch(look, wait, every=max(0.01, every), settle=settle, ends=ends):
            self._loaded.clear()
            self.loaded()
            yield changes


def _top_of(place: Place, home: str) -> str:
    """Return the work tree's top, whose files may import from all of it.

    A home that is itself a work tree does not count: a file in it speaks only for its own
    directory.
    """
    top = place.root
    for _ in filter(None, place.below.split(os.sep)):
        top = os.path.dirname(top)
    top = os.path.realpath(top)
    return os.path.realpath(place.root) if is_within(home, top) else top


def _names(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(n for n in words if not set(n) & set("/\\\0") and n not in (".", ".."))


def _homes(person: PersonStore) -> Homes:
    directory = os.path.expanduser("~")
    beans = os.path.join(directory, ".beans")
    clients = {client: person.client_home(client) for client in places.CLIENTS}
    return Homes(directory, person.home.path, beans, clients)
