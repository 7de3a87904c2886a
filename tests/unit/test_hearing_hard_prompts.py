"""Prompts with the words of a rule that lay nothing down, and lessons among other words."""

import pytest

from satchel.application.learning.signals.context import with_subject
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.own_words import own_words
from satchel.application.learning.signals.unmeant import without_quoted

PASSING = [
    # The first line of a commit's message.
    "fix(parser): always close the file, never leak a handle",
    "chore: pin node to 22, always run the audit in ci",
    "docs(readme): say that we never store passwords",
    # What programs print.
    "KeyError (key not found: :rate): app/models/invoice.rb:88",
    "ActionView::Template::Error (undefined method `each' for nil)",
    "git-lfs filter: failed to find object 3f2a, the pointer must be fetched first",
    "Command CodeSign failed with a nonzero exit code, you must select a team",
    # What a page says, with its name behind.
    '"Connections must never be shared between threads." from the driver manual, do we',
    '"Always call close() before exit." -- the pyserial docs. is that what we do',
    "not like that, the axes are swapped",
    # Questions and errands.
    "get me the key of the map service from the vault",
    "why must the index be rebuilt, explain it slowly",
    "kindly check why the nightly export is missing two customers since monday",
    "read through the scheduler and tell me in a few words how it picks the next job",
    "tell me what would break if we never sent that header",
    "give the dragon 40 hp instead of 60 and let me try it",
    "always on display bug: fix it",
    "don't start the import, just print the plan, i want to see the order",
    "no not that emulator, the tablet one",
    "which is better in general for this, a counter or a timer",
    "how i can do for always get the newest row of each group",
    "i do wonder whether one should never catch that at all",
    'translate this warning to english: "Die Tür muss immer geschlossen sein"',
    "translate this label, it must never be longer than the button",
    "rerun only the failed jobs because the others never change",
    "mi spieghi perché questa query dà sempre il doppio delle righe",
    "in my last company we always wrote everything by hand, what a nightmare",
    "someone on the forum reckons you should never use threads",
    "if that lib didn't exist we would always shell out, hypothetically how much slower is that",
    "[   14.201] watchdog: task NAV must be restarted, deadline always missed",
    "option B, the short one, since it never breaks over pages",
    # This once, not yet, and once upon a time.
    "only for this month the invoices go out on the 5th, so run it with that date",
    "we used to be on svn, every merge took a day",
    "all of it was written in delphi back then",
    "zeig mir erstmal nur den stacktrace, immer der gleiche mist",
    "não faz o merge ainda, sempre dá conflito",
    "the staging database is down",
    # A figure put right while it is said, a report of a fault, a mood, a question without its mark.
    "put the cooldown at 0.4, no 0.35",
    "set the volume to 3, no 4",
    "audio pool bug: sounds cut off when more than 8 play",
    "the hp bar is 1px too low",
    "i hate audio",
    "i always forget how signals work in c#, remind me",
    "every test is red, what did you do",
    "we should maybe think about ducking someday",
    "does godot 4.3 support that api",
    "change it everywhere",
    "export for windows and linux",
    # What an editor prints over three lines.
    "ERROR: Cannot export the project:\nNo template found at the expected path:\n/home/jo/.local/t/4.3/x",
]


@pytest.mark.parametrize("prompt", PASSING)
def test_what_only_sounds_like_a_rule_is_not_heard(prompt: str) -> None:
    assert hear(prompt) == []


LASTING = {
    "can you plot it per store, and use net not gross, finance only reads net": "net not gross",
    "lol no bootstrap pls, the merchant edits the css and plain css is all he knows": "bootstrap",
    "please add a dump of the registers to the shell, oh and the shell is always on uart3 since the "
    "new board": "uart3",
    "rename the helper, and while you're at it we never use malloc after init": "never use malloc",
    'sorry to be a pain, but the word "client" always means the tenant here': "tenant",
    # The story behind a habit, what is no review, and what is so by now.
    "we write saves to a temp file and rename it then, a tester lost 12 hours in october because the "
    "game crashed": "temp file",
    "then cache node results in _Ready, dont call GetNode in _Process": "_Ready",
    "add a field and btw never delete a users save, not even a broken one, move it to .bak instead": (
        "Never delete"
    ),
    "update: lobby is 2 players now not 4, mira says 4 is unreadable": "Lobby is 2 players now",
    # What holds in place of what is taken back, with what it is about.
    "forget what i said about the autoloads, we use a service locator now": "autoloads: we use a",
    "vergiss das mit den 150ms lag, mach ab jetzt 250, das ist näher am netz": "150ms lag: mach ab",
    # Whom a choice is made for.
    "json for saves, not binary. i need to be able to read them": "binary: i need to be able",
    "ok new idea: no knockback at all, hitstop of 60 ms instead. players felt lost": "players felt",
}


@pytest.mark.parametrize(("prompt", "kept"), LASTING.items())
def test_a_lesson_is_heard_among_other_words(prompt: str, kept: str) -> None:
    assert any(kept in one.wording for one in hear(prompt)), hear(prompt)


@pytest.mark.parametrize(
    "said",
    [
        "gotcha: cannot use floats for money here",
        "note: unable to run two at once on the bench, there is one board",
        "DATABASE_URL, never commit it",
        "MAX_RETRIES: it always stays at 3",
        "ci: could not run two jobs at once, so they queue",
    ],
)
def test_a_persons_line_is_no_log(said: str) -> None:
    assert own_words(said) == said


def test_what_a_person_says_of_a_commit_or_a_manual_stays_theirs() -> None:
    for said in (
        "fix the parser: always close the file",
        "docs: always in british english",
        '"strict" is always on in our tsconfig',
        'the button says "Save" and never "Submit"',
    ):
        assert without_quoted(own_words(said)).strip() == said


def test_a_figure_with_its_own_subject_answers_no_question() -> None:
    asked = ["was machen wir mit kaputten speicherständen?"]
    assert with_subject("250ms lag not 150", asked, "", objects=True) == "250ms lag not 150"
    assert with_subject("30 seconds", ["how long do we wait?"], "", objects=False).endswith(
        "wait: 30 seconds"
    )


def test_a_prohibition_told_behind_a_fact_is_one() -> None:
    said = "btw mira does all the art, so dont ever rename anything in assets/ without asking me"
    assert [one.label for one in hear(said)] == ["correction"]
    assert [one.label for one in hear("saves go to binary after all, json took 3 s")] == [
        "decision"
    ]
