"""The graph of issues: what blocks what, what is ready, and cycles. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from satchel.core.quick_json import loads
from satchel.features.tasks.dialects import blocked_by_it, dotted_parent
from satchel.features.tasks.values import (
    BLOCKS,
    CONDITIONAL,
    DEFERRED,
    HARD,
    OPEN,
    ORDERING,
    PARENT,
    PINNED,
    WAITS,
    Issue,
    Link,
)

#: An issue outside this project: nobody here can say whether it is done.
EXTERNAL = "external:"
_RECENT = 48 * 3600
SORTS = ("priority", "hybrid", "oldest")


class IssueGraph:
    """Issues and their links, in both directions.

    Args:
        issues: by id. Links stored at the other end, as in The Foundation, are added here.
    """

    def __init__(self, issues: Mapping[str, Issue]) -> None:
        self.issues = issues
        self._links: dict[str, tuple[Link, ...]] = {}
        self._turned: dict[str, list[Link]] = {}
        self.children: dict[str, list[str]] = {}
        self.dependents: dict[str, list[tuple[str, str]]] = {}
        for issue in issues.values():
            for target in blocked_by_it(issue.data):
                if target in issues and target != issue.id:
                    self._turned.setdefault(target, []).append(Link(issue.id, BLOCKS))
        for issue in issues.values():
            links = issue.links
            also = [link for link in self._turned.get(issue.id, ()) if link not in links]
            parent = "" if issue.parent else dotted_parent(issue.id, issues)
            also += [Link(parent, PARENT)] if parent else []
            if also:
                links = (*links, *also)
            self._links[issue.id] = links
            for link in links:
                self.dependents.setdefault(link.target, []).append((issue.id, link.kind))
                if link.kind == PARENT:
                    self.children.setdefault(link.target, []).append(issue.id)
        self._blockers: dict[str, tuple[str, ...]] = {}

    def links(self, ident: str) -> tuple[Link, ...]:
        """Return an issue's dependencies, from either end."""
        return self._links.get(ident, ())

    def parent(self, ident: str) -> str:
        """Return an issue's parent, or ""."""
        return next((link.target for link in self.links(ident) if link.kind == PARENT), "")

    # Readiness

    def blockers(self, ident: str) -> tuple[str, ...]:
        """Return what blocks an issue directly."""
        known = self._blockers.get(ident)
        if known is None:
            found = [
                link.target
                for link in self.links(ident)
                if link.kind in HARD and self._holds(ident, link)
            ]
            known = self._blockers[ident] = tuple(dict.fromkeys(found))
        return known

    def _holds(self, ident: str, link: Link) -> bool:
        """Return whether a hard link still blocks an issue."""
        if link.target.startswith(EXTERNAL):
            return True
        target = self.issues.get(link.target)
        if target is None or target.status == "tombstone":
            return False
        if link.kind == CONDITIONAL:
            return not target.failed
        if link.kind == WAITS:
            return self._waits(ident, target, link.metadata)
        return not target.is_done and target.status != PINNED

    def _waits(self, ident: str, target: Issue, metadata: str) -> bool:
        """Return whether an issue still waits for all, or any, children of another."""
        children = [self.issues[one] for one in self.children.get(target.id, ()) if one != ident]
        if not children:
            return not target.is_done
        if _gate(metadata) == "any-children":
            return not any(child.is_done for child in children)
        return any(not child.is_done for child in children)

    def held_up(self, ident: str) -> tuple[str, ...]:
        """Return what blocks an issue, or its nearest blocked ancestor.

        An issue that waits for one of its own parts does not block its parts.
        """
        if found := self.blockers(ident):
            return found
        for one in self.above(ident):
            found = tuple(b for b in self.blockers(one) if one not in self.above(b))
            if found:
                return found
        return ()

    def above(self, ident: str) -> tuple[str, ...]:
        """Return an issue's ancestors, nearest first, stopping at a cycle."""
        seen = [ident]
        while (parent := self.parent(seen[-1])) and parent not in seen:
            seen.append(parent)
        return tuple(seen[1:])

    def ready_from(self, ident: str) -> float | None:
        """Return when an issue becomes ready, 0.0 for now; None if blocked.

        An issue is ready if it is open, is work, and neither it nor an ancestor holds it up.
        """
        issue = self.issues[ident]
        if issue.status != OPEN or issue.apart or self.held_up(ident):
            return None
        when = issue.deferred
        for one in self.above(ident):
            parent = self.issues.get(one)
            if parent is not None and not parent.is_done:
                if parent.status == DEFERRED and not parent.deferred:
                    return None
                when = max(when, parent.deferred)
        return when

    def ready(self, now: float, sort: str = SORTS[0]) -> list[Issue]:
        """Return ready issues in working order."""
        found = [
            issue
            for ident, issue in self.issues.items()
            if issue.status == OPEN and (when := self.ready_from(ident)) is not None and when <= now
        ]
        return in_order(found, now, sort)

    # Circles

    def circle(self, ident: str, target: str) -> tuple[str, ...]:
        """Return the cycle a new ordering link would close, from `ident`; () if none.

        The cycle may use links of every ordering kind.
        """
        if ident == target:
            return (ident, ident)
        came: dict[str, str] = {target: ident}
        waiting = [target]
        while waiting:
            here = waiting.pop()
            for link in self.links(here):
                if link.kind not in ORDERING or link.target in came:
                    continue
                came[link.target] = here
                if link.target == ident:
                    return _way_back(came, ident)
                waiting.append(link.target)
        return ()

    def circles(self, kinds: Collection[str] = ORDERING) -> list[tuple[str, ...]]:
        """Return a cycle for each group of issues in one.

        An epic that waits for its own parts is in a cycle of two kinds, but not blocked by it.
        """
        found: list[tuple[str, ...]] = []
        done: set[str] = set()
        for start in sorted(self.issues):
            path: list[str] = []
            places: dict[str, int] = {}
            stack: list[tuple[str, bool]] = [(start, False)]
            while stack:
                here, leaving = stack.pop()
                if leaving:
                    path.pop()
                    del places[here]
                    done.add(here)
                    continue
                if here in places:
                    found.append((*path[places[here] :], here))
                    continue
                if here in done:
                    continue
                places[here] = len(path)
                path.append(here)
                stack.append((here, True))
                stack += [(k.target, False) for k in self.links(here) if k.kind in kinds]
        return found


def in_order(issues: Iterable[Issue], now: float, sort: str = SORTS[0]) -> list[Issue]:
    """Sort ready issues: by priority then age, by age, or recent ones by priority first."""
    if sort == "oldest":
        return sorted(issues, key=lambda i: (i.created, i.id))
    if sort == "hybrid":
        return sorted(
            issues,
            key=lambda i: (
                i.created < now - _RECENT,
                i.priority if i.created >= now - _RECENT else 0,
                i.created,
                i.id,
            ),
        )
    return sorted(issues, key=lambda i: (i.priority, i.created, i.id))


def _way_back(came: Mapping[str, str], ident: str) -> tuple[str, ...]:
    way, here = [ident], came[ident]
    while here != ident:
        way.append(here)
        here = came[here]
    return (ident, *reversed(way[1:]), ident)


def _gate(metadata: str) -> str:
    try:
        value = loads(metadata) if metadata else {}
    except ValueError:
        return ""
    return str(value.get("gate", "")) if isinstance(value, dict) else ""
