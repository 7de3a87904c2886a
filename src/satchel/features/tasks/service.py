"""Tasks: created, changed, claimed, closed, queried. Every change replaces the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from satchel.core.errors import BadInputError, ConflictError, NotFoundError, SatchelError
from satchel.core.values import Any
from satchel.features.tasks import editing
from satchel.features.tasks.board import Board
from satchel.features.tasks.dialects import status_of, text
from satchel.features.tasks.files import TaskFiles, raise_refused
from satchel.features.tasks.issue_graph import SORTS
from satchel.features.tasks.issue_ids import checked_id, made_by, new_id, prefix_of, resolved
from satchel.features.tasks.values import (
    BLOCKS,
    CLOSED,
    EPIC,
    OPEN,
    ORDERING,
    PARENT,
    WAITS,
    Change,
    Issue,
)

Data = dict[str, Any]
Work = Callable[[Board], Data]


class Tasks:
    """The tasks of one project.

    Args:
        now: the time, seconds since 1970.
        name: of the project, for the ids of a first task.
        actor: who acts; "" if unknown.
        known: whether the actor is the name of one agent or person, not just the machine's.
    """

    def __init__(
        self,
        files: TaskFiles,
        now: Callable[[], float],
        *,
        name: str,
        actor: str,
        known: bool = False,
    ) -> None:
        self.files = files
        self.now = now
        self.name = name
        self.actor = actor
        self.known = known

    def board(self) -> Board:
        """Return the current board."""
        return self.files.read()

    # Writing

    def create(
        self, fields: Mapping[str, Any], links: Sequence[tuple[str, str]] = (), *, request: str = ""
    ) -> Issue:
        """Create a task.

        Args:
            fields: as beads names them; `title` is needed.
            links: what it depends on: a kind and an id each. `blocks-it` reverses `blocks`: the
                other task then depends on the new one.
            request: an id of the request; repeating it returns the task created then.
        """
        made: list[str] = []

        def work(board: Board) -> dict[str, Data]:
            now, ident, there = self.now(), "", False
            if request:
                prefix = prefix_of(board.every, self.name)
                ident, there = made_by(request, prefix, board.every)
            if there:
                made.append(ident)
                return {}
            data = self._new(board, {"id": ident, **fields}, now)
            ident = str(data["id"])
            made.append(ident)
            changed = {ident: data}
            for kind, other in links:
                changed = self._linked(board, changed, ident, other, kind)
            return changed

        board = self.files.change(work)
        return board.every[made[0]]

    def _new(self, board: Board, fields: Mapping[str, Any], now: float) -> Data:
        title = editing.checked_title(str(fields.get("title", "")))
        said = f"{title}\0{fields.get('description', '')}\0{self.actor}\0{now!r}"
        ident = str(fields.get("id", "")) and checked_id(str(fields["id"]))
        if ident in board.every:
            raise ConflictError(f"{ident} already exists.", hint="Leave --id out.")
        ident = ident or new_id(prefix_of(board.every, self.name), said, board.every)
        plain = {name: value for name, value in fields.items() if name != "id"}
        data = editing.new_issue(plain, ident=ident, actor=self.actor, now=now)
        return editing.moved(data, str(data["status"]), now) if data["status"] != OPEN else data

    def _linked(
        self, board: Board, changed: dict[str, Data], ident: str, other: str, kind: str
    ) -> dict[str, Data]:
        target = resolved(other, board.issues)
        if kind == "blocks-it":
            there = changed.get(target) or self._settled(board, target)
            if board.every[target].is_done:
                raise ConflictError(f"{target} is closed.", hint="It no longer waits for anything.")
            changed[target] = editing.linked(there, ident, BLOCKS, self.actor, self.now())
        else:
            kind = editing.checked_word(kind, "kind of dependency")
            changed[ident] = editing.linked(changed[ident], target, kind, self.actor, self.now())
        self._refuse_circles(board, changed)
        return changed

    def _refuse_circles(self, board: Board, changed: Mapping[str, Data]) -> None:
        after = board.after(changed, "")
        for ident in changed:
            for link in after.graph.links(ident):
                if link.kind in ORDERING and (circle := after.graph.circle(ident, link.target)):
                    raise _circle(circle)

    def update(self, reference: str, edit: Callable[[Data, Board], Data]) -> Issue:
        """Change a task with a function of its line and the board."""
        ident = ""

        def work(board: Board) -> dict[str, Data]:
            nonlocal ident
            ident = resolved(reference, board.issues)
            return {ident: edit(self._settled(board, ident), board)}

        return self.files.change(work).every[ident]

    def _settled(self, board: Board, ident: str) -> Data:
        group = board.file(board.place[ident]).groups.get(ident)
        data = board.every[ident].data
        return editing.settled(group.versions, self.now()) if group else data

    def apply(self, reference: str, change: Change, *, force: bool = False) -> Issue:
        """Change a task; setting `closed` applies the checks of closing."""

        def edit(data: Data, board: Board) -> Data:
            now, fields = self.now(), _checked(change.fields)
            if "assignee" in fields and "assigned_to" in data:
                fields["assigned_to"] = fields.pop("assignee")
            if change.append_notes:
                before = text(data, "notes")
                fields["notes"] = (
                    f"{before}\n{change.append_notes}" if before else (change.append_notes)
                )
            result = editing.edited(data, fields, now) if fields else data
            result = editing.labelled(result, change.add_labels, change.remove_labels, now)
            if change.put_metadata or change.take_metadata:
                put = dict(change.put_metadata)
                result = editing.with_metadata(result, put, change.take_metadata, now)
            if change.parent is not None:
                result = self._under(result, change.parent, board)
            if change.status:
                result = editing.moved(result, change.status, now)
                ends = status_of(result) == CLOSED and status_of(data) != CLOSED
                if ends and not force:
                    refuse_open_work(board, str(data["id"]))
            return result

        return self.update(reference, edit)

    def _under(self, data: Data, parent: str, board: Board) -> Data:
        ident = str(data["id"])
        before = board.graph.parent(ident)
        target = resolved(parent, board.issues) if parent else ""
        if before and before != target:
            data = editing.unlinked(data, before, PARENT, self.now())
        if not target:
            return data
        if circle := board.graph.circle(ident, target):
            raise _circle(circle)
        return editing.linked(data, target, PARENT, self.actor, self.now())

    def close(
        self, given: Sequence[str], reason: str = "", *, session: str = "", force: bool = False
    ) -> list[Issue]:
        """Close tasks. Blocked ones stay open unless forced.

        Raises `PartlyDoneError` if some were refused; the others are closed.
        """

        def one(data: Data, board: Board) -> Data:
            if not force:
                refuse_open_work(board, str(data["id"]))
            return editing.closed(data, reason, session, self.now())

        return self._each(given, one)

    def _each(self, given: Sequence[str], edit: Callable[[Data, Board], Data]) -> list[Issue]:
        done: list[str] = []
        refused: dict[str, SatchelError] = {}

        def work(board: Board) -> dict[str, Data]:
            changed: dict[str, Data] = {}
            for name in dict.fromkeys(given):
                after = board.after(changed, "") if changed else board
                try:
                    ident = resolved(name, board.issues)
                    changed[ident] = edit(changed.get(ident) or self._settled(board, ident), after)
                    done.append(ident)
                except SatchelError as error:
                    refused[name] = error
            return changed

        board = self.files.change(work)
        raise_refused(done, refused)
        return [board.every[ident] for ident in done]

    def reopen(self, reference: str, reason: str = "") -> Issue:
        """Reopen a closed task."""
        return self.update(
            reference, lambda data, _: editing.reopened(data, reason, self.actor, self.now())
        )

    def claim(self, reference: str = "", *, sort: str = SORTS[0]) -> Issue:
        """Claim a task, or the first ready one for "". Only one concurrent call succeeds.

        Raises `ConflictError` if somebody else has it, `NotFoundError` if nothing is ready.
        """
        if not self.actor:
            raise BadInputError("No actor is known for this claim.", hint="Give --actor NAME.")
        taken = ""

        def work(board: Board) -> dict[str, Data]:
            nonlocal taken
            if reference:
                taken = resolved(reference, board.issues)
                holding = board.graph.held_up(taken)
                if holding and not board.every[taken].is_done:
                    raise ConflictError(
                        f"{taken} waits for {', '.join(holding[:5])}.",
                        hint="`satchel tasks ready` shows what can be started.",
                    )
            else:
                free = [
                    i for i in board.graph.ready(self.now(), sort) if i.assignee in ("", self.actor)
                ]
                if not free:
                    raise NotFoundError(
                        "Nothing is ready.",
                        hint="`satchel tasks list` shows what blocks the others.",
                    )
                taken = free[0].id
            data = self._settled(board, taken)
            return {taken: editing.claimed(data, self.actor, self.now(), again=self.known)}

        return self.files.change(work).every[taken]

    def comment(self, reference: str, said: str, *, request: str = "") -> Issue:
        """Add a comment to a task; repeating a `request` adds no second one."""

        def edit(data: Data, _: Board) -> Data:
            return editing.commented(data, said, self.actor, self.now(), request=request)

        return self.update(reference, edit)

    def depend(self, reference: str, on: str, kind: str = BLOCKS, *, gate: str = "") -> Issue:
        """Make a task depend on another. A cycle is refused and named.

        `gate`: for `waits-for`, `all-children` or `any-children`.
        """
        kind = editing.checked_word(kind, "kind of dependency")
        if gate and (kind != WAITS or gate not in ("all-children", "any-children")):
            raise BadInputError(
                "A gate is all-children or any-children, and of waits-for alone.",
                hint="`satchel tasks dep add A B --type waits-for --gate any-children`.",
            )
        metadata = f'{{"gate":"{gate}"}}' if gate else ""

        def edit(data: Data, board: Board) -> Data:
            ident = str(data["id"])
            target = on if on.startswith("external:") else resolved(on, board.issues)
            if target == ident:
                raise ConflictError(f"{ident} cannot depend on itself.", hint="Name another task.")
            if kind in ORDERING and (circle := board.graph.circle(ident, target)):
                raise _circle(circle)
            if kind == PARENT:
                return self._under(data, target, board)
            return editing.linked(data, target, kind, self.actor, self.now(), metadata=metadata)

        return self.update(reference, edit)

    def undepend(self, reference: str, on: str, kind: str = "") -> Issue:
        """Remove a dependency, whichever line declares it."""
        ident = ""

        def work(board: Board) -> dict[str, Data]:
            nonlocal ident
            ident = resolved(reference, board.issues)
            known = {link.target for link in board.graph.links(ident)}
            target = on if on in known else resolved(on, board.issues)
            here, there = board.every[ident].data, board.every.get(target)
            changed = {ident: editing.unlinked(here, target, kind, self.now())}
            if there is not None and ident in (there.data.get("blocks") or ()):
                ids = [one for one in there.data["blocks"] if one != ident]
                changed[target] = editing.edited(there.data, {"blocks": ids}, self.now())
            if changed[ident] == here and len(changed) == 1:
                raise NotFoundError(
                    f"{ident} does not depend on {target}.", hint="`satchel tasks show` lists it."
                )
            return changed

        return self.files.change(work).every[ident]

    def delete(self, given: Sequence[str], reason: str = "") -> list[str]:
        """Delete tasks, leaving tombstones and removing dependencies on them."""
        gone: list[str] = []

        def work(board: Board) -> dict[str, Data]:
            gone.extend(dict.fromkeys(resolved(one, board.issues) for one in given))
            changed: dict[str, Data] = {}
            for ident in gone:
                data = self._settled(board, ident)
                changed[ident] = editing.tombstoned(data, reason, self.actor, self.now())
            for ident in gone:
                for other, _ in board.graph.dependents.get(ident, ()):
                    if other not in gone:
                        data = changed.get(other) or board.every[other].data
                        changed[other] = editing.unlinked(data, ident, "", self.now())
            return changed

        self.files.change(work)
        return gone

    def merge(self) -> list[str]:
        """Merge the lines that a merge of branches left for each task; return the ids."""
        untidy: list[str] = []

        def work(board: Board) -> dict[str, Data]:
            changed = {}
            for file in board.files:
                for ident, group in file.groups.items():
                    if board.place.get(ident) != file.path:
                        continue
                    if len(group.numbers) > 1 or file.lines[group.numbers[0]].id != ident:
                        untidy.append(ident)
                        changed[ident] = self._settled(board, ident)
            return changed

        self.files.change(work)
        return sorted(untidy)


def _checked(fields: Mapping[str, Any]) -> Data:
    checks: dict[str, Callable[[Any], Any]] = {
        "title": lambda value: editing.checked_title(str(value)),
        "priority": editing.priority_from,
        "issue_type": lambda value: editing.checked_word(str(value), "type"),
    }
    return {
        name: checks[name](value) if name in checks else value for name, value in fields.items()
    }


def refuse_open_work(board: Board, ident: str) -> None:
    """Raise `ConflictError` if a task is blocked, or an epic has open children."""
    graph = board.graph
    holding = graph.blockers(ident)
    if holding and not graph.issues[ident].is_done:
        raise ConflictError(
            f"{ident} is blocked by {', '.join(holding[:5])}.",
            hint="Close what blocks it first, or give --force.",
        )
    if graph.issues[ident].issue_type == EPIC and not graph.issues[ident].is_done:
        alive = [one for one in graph.children.get(ident, ()) if not graph.issues[one].is_done]
        if alive:
            raise ConflictError(
                f"{ident} is an epic with {len(alive)} open tasks: {', '.join(alive[:5])}.",
                hint="Close them first, or give --force.",
            )


def _circle(circle: Sequence[str]) -> ConflictError:
    return ConflictError(
        f"That would be a cycle: {' -> '.join(circle[:10])}.",
        hint="Each waits for the next. Remove one of these dependencies first.",
    )
