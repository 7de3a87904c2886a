"""A lesson is what follows an announcement, a courtesy or a report, and stands by itself."""

import pytest

from satchel.application.learning.signals.context import points_back, with_subject
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.speech import roundabout
from satchel.application.learning.signals.speech.roundabout import meant_by

ANNOUNCED = (
    ("One thing I should have told you on monday: we support Firefox ESR because of the kiosks",
     "We support Firefox ESR because of the kiosks"),
    ("Just so we don't have this discussion again: prices are formatted with formatPrice and never by hand",
     "Prices are formatted with formatPrice and never by hand"),
    ("And I'd really like you to remember this: nobody edits the files under src/gen by hand, they come from protoc",
     "Nobody edits the files under src/gen by hand, they come from protoc"),
    ("So I guess the main lesson is that dialogs have to be rendered in our <Layer>, never in the page",
     "Dialogs have to be rendered in our <Layer>, never in the page"),
    ("Legal was very clear last week that invoices must not contain the birth date of a customer",
     "Invoices must not contain the birth date of a customer"),
    ("I noticed you imported moment there, we don't use moment any more, everything is on date-fns",
     "We don't use moment any more, everything is on date-fns"),
)  # fmt: skip
LED_UP = (
    ("remember this for next time: message type 0x07 is never sent by firmware older than 2.3",
     "Message type 0x07 is never sent by firmware older than 2.3"),
    ("I just got off a call with legal and we can't store ip addresses any longer than seven days",
     "We can't store ip addresses any longer than seven days"),
    ("yesterday I talked with the client and they said all mails have to be in Dutch and English",
     "All mails have to be in Dutch and English"),
    ("why do you put the logic in actions, we have services for that in app/Services",
     "Don't put the logic in actions: we have services for that in app/Services"),
    ("no unwrap() in the parser, return a Result. panics kill the gateway and somebody has to drive there",
     "No unwrap() in the parser, return a Result: panics kill the gateway and somebody has to drive there"),
    ("we always round half up in this company, so please keep that in mind",
     "We always round half up in this company"),
    ("yes: commit it, but conventional commits please (feat(cart): ...), the changelog is generated from them",
     "Conventional commits (feat(cart): ...), the changelog is generated from them"),
    ("hey quick note before I forget: staging resets every sunday night, so export first",
     "Staging resets every sunday night, so export first"),
    ("that's the third time: run prettier before you commit", "Run prettier before you commit"),
    ("next time you rename something, also rename it in the docs",
     "When you rename something, also rename it in the docs"),
    ("careful with the users table, it has triggers that write to audit",
     "The users table: it has triggers that write to audit"),
    ("fyi prod is on postgres 15, so no MERGE ... RETURNING",
     "Prod is on postgres 15, so no MERGE ... RETURNING"),
    ("answers in english please even if I write german",
     "Answers in english even if I write german"),
    ("I don't think anybody told you, but the old `legacy_id` is what the ERP uses, so it must survive",
     "The old `legacy_id` is what the ERP uses, so it must survive"),
    ("one more thing, since you keep adding it: we don't use default exports",
     "We don't use default exports"),
    ("before I forget, the sandbox key only works from our office ip",
     "The sandbox key only works from our office ip"),
    ("to answer your question: yes, rounding happens per line and not on the total",
     "Rounding happens per line and not on the total"),
    ("let me explain how the numbering works: offers are A-<year>-<n>, invoices R-<year>-<n>",
     "Offers are A-<year>-<n>, invoices R-<year>-<n>"),
)  # fmt: skip
ABROAD = (
    ("tu peux écrire les messages de commit en anglais s'il te plaît, toujours",
     "Écrire les messages de commit en anglais, toujours"),
    ("kannst du bitte immer auf deutsch antworten", "Immer auf deutsch antworten"),
    ("puedes usar siempre comillas simples por favor", "Usar siempre comillas simples"),
    ("você pode sempre rodar o lint antes do commit?", "Sempre rodar o lint antes do commit"),
    ("merk dir: die Kundennummer ist immer achtstellig mit führenden Nullen",
     "Die Kundennummer ist immer achtstellig mit führenden Nullen"),
    ("nicht so, wir nutzen hier Composables statt Mixins",
     "Wir nutzen hier Composables statt Mixins"),
    ("c'est faux, le taux est de 5,5 % et pas 20 %", "Le taux est de 5,5 % et pas 20 %"),
    ("recuerda que el servidor de pruebas se reinicia cada noche",
     "El servidor de pruebas se reinicia cada noche"),
    ("kun je voortaan altijd in het nederlands antwoorden?",
     "Voortaan altijd in het nederlands antwoorden"),
)  # fmt: skip
POLITE = (
    ("I'd rather we didn't allocate in interrupt handlers anywhere, the heap isn't reentrant",
     "Don't allocate in interrupt handlers anywhere, the heap isn't reentrant"),
    ("I suppose it would be nicer if we didn't have panics anywhere in the driver, they brick the unit",
     "Don't have panics anywhere in the driver, they brick the unit"),
    ("It might be worth knowing that the old boards have the reset pin swapped, so only a power cycle works there",
     "The old boards have the reset pin swapped, so only a power cycle works there"),
    ("it'd be good to always measure the idle current on the bench after a change of the clock tree",
     "Always measure the idle current on the bench after a change of the clock tree"),
    ("Asserts stay on in release builds, if you don't mind, the field logs depend on them",
     "Asserts stay on in release builds, the field logs depend on them"),
    ("The compiler is on since May so memo is noise, we agreed not to write it any more, would be good if you'd keep that in mind",
     "The compiler is on since May so memo is noise, we agreed not to write it any more"),
)  # fmt: skip


@pytest.mark.parametrize(("said", "wording"), ANNOUNCED + LED_UP + POLITE + ABROAD)
def test_the_lesson_is_what_was_meant(said: str, wording: str) -> None:
    assert [one.wording for one in hear(said)] == [wording]


def test_an_announcement_that_is_read_as_the_lesson_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(roundabout, "_MEANT", ())
    right = [[one.wording for one in hear(said)] == [wording] for said, wording in ANNOUNCED]
    assert not any(right)


@pytest.mark.parametrize(
    "said",
    [
        "the rule we agreed on for dates: ISO everywhere",
        "I told you before: the date goes under the title",
        "remember: we ship on fridays",
        "note for the review: the parser is slow on purpose",
    ],
)
def test_a_topic_and_an_objection_are_no_announcement(said: str) -> None:
    assert meant_by(said) == said


@pytest.mark.parametrize(
    "said",
    [
        "one thing I'd like you to do: rename the button in the header to Save",
        "I'd rather you didn't restart it while I'm measuring",
        "would you mind using the other branch?",
        "dont touch the table rn im in the middle of a backfill",
        "Hello again, the driver loses packets under load, would you have any idea?",
    ],
)
def test_what_is_put_like_that_for_the_moment_teaches_nothing(said: str) -> None:
    assert hear(said) == []


@pytest.mark.parametrize(
    ("said", "wording"),
    [
        ("no --force. push a new branch and open a pull request",
         "No --force: push a new branch and open a pull request"),
        ("only via the wrapper, with its diff first. Somebody overwrote the values twice by hand",
         "Only via the wrapper, with its diff first: somebody overwrote the values twice by hand"),
        ("Would you mind using the names from the vendor header rather than raw addresses? It's what the assessor asks for",
         "Use the names from the vendor header rather than raw addresses: it's what the assessor asks for"),
    ],
)  # fmt: skip
def test_a_refusal_keeps_its_cure_and_its_reason(said: str, wording: str) -> None:
    assert [one.wording for one in hear(said, rejected=True)] == [wording]


@pytest.mark.parametrize(
    "said",
    [
        "It is better to keep the raw files as they are and to write corrected ones elsewhere",
        "It'd be kind of you to leave the vendor directory alone",
        "It must not be used the mean in the tables, always the median",
    ],
)
def test_an_impersonal_it_stands_for_nothing_said_before(said: str) -> None:
    assert with_subject(said, ("have a look at the upload form",), "", objects=False) == said
    assert not points_back(said)
    assert points_back("it returns 404 for guests")
