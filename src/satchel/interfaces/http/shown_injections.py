"""What was shown to agents, as far as the user may read it."""

from __future__ import annotations

from satchel.core.errors import SatchelError
from satchel.features.injections.injection_ledger import InjectedItem, Injection
from satchel.workspace import Workspace


def as_readable(work: Workspace, injection: Injection) -> Injection:
    """Return an injection; for others, only items of the project, and not what the person said."""
    if work.person is not None:
        return injection

    def told(one: InjectedItem) -> InjectedItem:
        try:
            now = work.memories.versions(one.id)[0].record if one.id else None
        except SatchelError:
            now = None
        # Never the stored text: it may have been private, or long deleted.
        unknown = "(not of this project)", "not shown to others"
        text, why = unknown if now is None else (now.content, one.why)
        return one._replace(text=text, why=why)

    return injection._replace(items=tuple(told(one) for one in injection.items), heard="")
