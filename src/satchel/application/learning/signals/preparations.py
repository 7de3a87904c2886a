"""Commands that make others work: start a service, migrate, fetch what is generated. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from satchel.application.learning.signals.calls import PREAMBLE, STEPS, commands_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.clients.transcript_format.values import Turn

#: How many words of a command name it.
_NAMED = 3
_IN_CODE = re.compile(r"`([^`\n]{4,120})`")
#: What a new machine, or the next session, has to do again. To install the packages of a lock
#: file is no news to anybody.
_PREPARES = re.compile(
    r"(?:sudo\s+)?(?:(?:docker|podman)(?:-|\s+)compose\s+(?:up|start)|(?:docker|podman)\s+(?:run|start)"
    r"|systemctl\s+(?:--user\s+)?(?:re)?start|service\s+\S+\s+(?:re)?start|brew\s+services\s+start"
    r"|createdb|(?:npx\s+)?playwright\s+install|git\s+(?:submodule\s+update|lfs\s+pull)"
    r"|alembic\s+upgrade|(?:python3?\s+)?\S{0,40}manage\.py\s+migrate|(?:bundle\s+exec\s+)?(?:bin/)?(?:rails|rake)\s+db:\w+"
    r"|(?:npx\s+)?prisma\s+(?:generate|migrate|db)|cp\s+\S{0,60}\.env\S{0,20}\s|ssh-add|terraform\s+init"
    r"|(?:gcloud\s+auth|az\s+login|aws\s+sso)|(?:go|buf)\s+generate|corepack\s+enable"
    r"|rustup\s+(?:target|component)\s+add"
    r"|(?:make|just|task)\s+(?:setup|bootstrap|deps|proto\w*|gen\w*|codegen|seed|db\S*|services|up)\b"
    r"|(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:generate|codegen|db:\S+))"
)


def prepared_by(turns: Iterable[Turn]) -> Sequence[str]:
    """Return the last step, in turns without an error, that prepares what other commands need."""
    done = [
        step
        for turn in turns
        if not turn.errors
        for command in commands_in(turn)
        for step in map(str.strip, STEPS.split(command))
        if _PREPARES.match(PREAMBLE.sub("", step))
    ]
    return done[-1:]


def named_in(told: str, turns: Iterable[Turn]) -> Sequence[str]:
    """Return the step, in turns without an error, that an explanation names in code."""
    commands = (one for turn in turns if not turn.errors for one in commands_in(turn))
    named = {" ".join(one.split()[:_NAMED]) for one in _IN_CODE.findall(told)}
    found = [one for one in commands if " ".join(one.split()[:_NAMED]) in named]
    return found[-1:]
