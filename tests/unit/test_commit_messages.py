"""What the message of a commit says that it takes back."""

from __future__ import annotations

import pytest

from satchel.storage.commit_messages import reverted_by

ID = "0123456789abcdef0123456789abcdef01234567"
SAID = f"This reverts commit {ID}."


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (SAID, (ID,)),
        (f"It broke the build.\n\n{SAID[:-1]}, reversing\nchanges made to {ID[::-1]}.\n", (ID,)),
        (f"* Round\n\n* Revert \"Round\"\n\n{SAID}\n\n{SAID.replace('0', 'f')}",
         (ID, ID.replace("0", "f"))),
        (f'commit {ID[::-1]}\nAuthor: Ann\n\n    Revert "Round"\n\n    {SAID}\n', (ID,)),
        (f"This reverts commits {ID[:7]}, {ID[7:20]} and\n{ID}.", (ID[:7], ID[7:20], ID)),
        (f"Unlike the bot's, whose message was\n\"{SAID}\"\nthis keeps it.", ()),
        (f"The bot said: {SAID}", ()),
        (f"The bot said:\n\n> {SAID}\n", ()),
        (f"The bot said:\n\n    {SAID}\n", ()),
        (f"The bot said:\n\n```\n{SAID}\n```\nwhich is wrong.", ()),
    ],
)  # fmt: skip
def test_only_what_a_message_says_itself_is_reverted(body: str, expected: tuple[str, ...]) -> None:
    assert reverted_by("", body) == expected


@pytest.mark.parametrize(
    ("subject", "body", "expected"),
    [
        ('Revert "Round" (#3)', "Reverts ann/shop#1", ("#1",)),
        ('Revert "Round" (#3)', "Reverts #1", ("#1",)),
        ('Revert "Round (#1)" (#3)', "It broke the build.", ("#1",)),
        ('Revert "Round (#1)"', SAID, (ID,)),
        ('Revert "Revert "Round" (#3)" (#4)', "", ("#3",)),
        ('Reapply "Round (#1)"', "", ()),
        ('Revert "Round" (#3)', "> Reverts ann/shop#1", ()),
        ("Round (#3)", "As in #1.", ()),
    ],
)
def test_a_request_is_reverted_by_its_number(
    subject: str, body: str, expected: tuple[str, ...]
) -> None:
    assert reverted_by(subject, body) == expected
