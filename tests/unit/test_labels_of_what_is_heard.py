"""What was heard becomes the right kind of suggestion: a rule, a soft rule, a decision, a lesson."""

import pytest

from satchel.application.learning.drafting.routes import route
from satchel.application.learning.signals import statements
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.scanning import scan
from satchel.application.learning.signals.values import CORRECTION, DECISION, FACT, PREFERENCE
from satchel.clients.transcript_format.values import Turn
from satchel.features.proposals.values import AGENT_FILE, INSTINCT, MEMORY

LABELS = (
    ("use bottleneck for it, p-limit has no time window", DECISION),
    ("change of plan: rabbit goes", DECISION),
    ("they send times without a timezone, always CET, so convert", FACT),
    ("We dropped stamina, we use plain tenacity again since stamina broke on 3.13", DECISION),
    ("grafana instead of datadog, datadog got too expensive", DECISION),
    ("its uv now, not poetry", DECISION),
    ("we're not on webpack any more, it's vite", DECISION),
    ("we\u2019re going back to npm, bun breaks on the ci image", DECISION),
    ("lets do soft deletes everywhere, legal wants 7 years", DECISION),
    ("both exchanges return 403 without a user agent", FACT),
    ("you need to be on the vpn to reach the artifact server", FACT),
    ("the queue drops messages over 256kb without telling anyone", FACT),
    ("the tests need docker running, otherwise test_store hangs", FACT),
    ("if the tests complain about a missing fixture run make fixtures first", FACT),
    ("use one systemd timer, not cron", CORRECTION),
    ("nobody pushes to release/* but the bot", CORRECTION),
    ("use pnpm instead of npm", CORRECTION),
    ("we never use any, unknown + zod parse at the border", CORRECTION),
    ("we never use floats for money, Decimal everywhere", CORRECTION),
    ("conventional commits please", PREFERENCE),
    ("ask before you delete files", PREFERENCE),
    ("tests live next to the code here not in a tests folder", PREFERENCE),
)


def labels(said: str) -> list[str]:
    return [one.label for one in hear(said)]


@pytest.mark.parametrize(("said", "label"), LABELS)
def test_each_is_told_as_what_it_is(said: str, label: str) -> None:
    assert labels(said) == [label]


def test_by_their_forms_alone_a_third_of_them_would_be_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seeded bug: what is said of a thing is a rule, what ended is a correction."""
    monkeypatch.setattr(statements, "told_label", lambda _, label: label)
    assert sum(labels(said) != [label] for said, label in LABELS) >= len(LABELS) // 3


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("no default exports in this repo", AGENT_FILE),
        ("loggers get the request id, always", AGENT_FILE),
        ("prefix branches with the ticket number", INSTINCT),
        ("both exchanges return 403 without a user agent", MEMORY),
        ("its uv now, not poetry", MEMORY),
    ],
)
def test_what_binds_is_a_rule_what_is_liked_a_soft_one_and_the_rest_is_remembered(
    said: str, kind: str
) -> None:
    (signal,) = scan([Turn("user", said, 1.0, "t1")])
    assert route(signal, remembers=True) == kind
