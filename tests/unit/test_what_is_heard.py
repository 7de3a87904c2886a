"""How what is heard is worded, and what it is called."""

import pytest

from satchel.application.learning.signals.hearing import hear


@pytest.mark.parametrize(
    ("said", "label", "wording"),
    [
        (
            "the staging url changed to stg2.example.com",
            "fact",
            "The staging url changed to stg2.example.com",
        ),
        (
            'if ci says "no space left on device" clear the cache on the runner',
            "fact",
            'If ci says "no space left on device" clear the cache on the runner',
        ),
        (
            "can you not use abbreviations in variable names",
            "correction",
            "Don't use abbreviations in variable names",
        ),
        (
            "its really annoying when you rename variables i didnt mention",
            "correction",
            "Don't rename variables i didn't mention",
        ),
        (
            "why are you writing tests in the src folder, they go in tests/",
            "correction",
            "Stop writing tests in the src folder: they go in tests/",
        ),
        (
            "how about we never touch the prod config by hand",
            "correction",
            "Never touch the prod config by hand",
        ),
        (
            "dont use ! non null assertions in ts",
            "correction",
            "Don't use ! non null assertions in ts",
        ),
        (
            "nah i was wrong about the 250, its 400",
            "fact",
            "I was wrong about the 250, its 400",
        ),
        ("the limit isn't 250, it's 400", "fact", "The limit isn't 250, it's 400"),
        ("the vat for CH is wrong, its 8.1 since 2024", "fact", "The vat for CH is 8.1 since 2024"),
        ("the base url is outdated, it's api.shop.ch/v2", "fact", "The base url is api.shop.ch/v2"),
        ("pnpm!! not npm", "correction", "Pnpm, not npm"),
        ("commit please, conventional commits", "preference", "Conventional commits"),
        ("use pnpm! not npm", "correction", "Use pnpm, not npm"),
        (
            "never run anything against prod from here, use the dev bucket",
            "preference",
            "Never run anything against prod from here, use the dev bucket",
        ),
        (
            "oh and i talked to the mill and they said bags after the cutoff dont count",
            "fact",
            "Bags after the cutoff don't count",
        ),
        (
            "lets go with alpine for the cart drawer, htmx roundtrips are too slow on mobile",
            "decision",
            "Lets go with alpine for the cart drawer, htmx roundtrips are too slow on mobile",
        ),
        (
            "never run tests against shop.db, always :memory:",
            "correction",
            "Never run tests against shop.db, always `:memory:`",
        ),
        (
            "dont call them users in code or ui pls, its always customers",
            "correction",
            "Don't call them users in code or ui, its always customers",
        ),
        (
            "one coupon per order, decided with Jana, stacking is a mess in the accounting",
            "decision",
            "One coupon per order, decided with Jana, stacking is a mess in the accounting",
        ),
        (
            "if stripe events dont show up its always the tunnel on the pi (ssh pi; systemctl start tunnel)",
            "fact",
            "If stripe events don't show up its always the tunnel on the pi (ssh pi; systemctl start tunnel)",
        ),
        (
            "ah thats because the runner image has no libpq",
            "fact",
            "The runner image has no libpq",
        ),
        (
            "why are you using npm, its bun in mobile. bun.lockb is right there",
            "correction",
            "Use bun in mobile, not npm",
        ),
        ("why are you using npm? we use pnpm here", "correction", "Use pnpm, not npm"),
        (
            "could you never ever use !! in kotlin, its lazy",
            "correction",
            "Never ever use !! in kotlin, its lazy",
        ),
        (
            "thats not how we do errors here, we return problem+json w/ a code field",
            "correction",
            "Errors: we return problem+json with a code field",
        ),
        ("never deploy on fridays, i am not kidding", "correction", "Never deploy on fridays"),
        (
            "Fix the cors thing, and btw never log emails in prod, gdpr",
            "correction",
            "Never log emails in prod, gdpr",
        ),
        (
            "wow ok good to know, whenever fly's builder hangs destroy the builder app",
            "fact",
            "Whenever fly's builder hangs destroy the builder app",
        ),
        ("any pr needs two reviews", "fact", "Any pr needs two reviews"),
        (
            "we go back to room, kmp was a dream",
            "decision",
            "We go back to room, kmp was a dream",
        ),
        (
            "if the metro bundler hangs you have to wipe watchman",
            "fact",
            "If the metro bundler hangs you have to wipe watchman",
        ),
        (
            "expo go doesnt work here, use the dev client",
            "fact",
            "Expo go doesn't work, use the dev client",
        ),
        (
            "Lena is the one who approves schema changes",
            "fact",
            "Lena is the one who approves schema changes",
        ),
        (
            "answers shorter please, i read them on my phone",
            "preference",
            "Answers shorter, i read them on my phone",
        ),
        (
            "there are two apps in here, parrot and parrot-kids, they share core/",
            "fact",
            "There are two apps, parrot and parrot-kids, they share core/",
        ),
        ("tables of marts start with fct_", "preference", "Tables of marts start with fct_"),
        (
            "I was wrong yesterday, the export runs at 4am not 3am",
            "fact",
            "The export runs at 4am not 3am",
        ),
        (
            "always pin the runner image, latest broke us twice now",
            "preference",
            "Always pin the runner image, latest broke us twice now",
        ),
        (
            "never commit notebooks with outputs, just do it",
            "correction",
            "Never commit notebooks with outputs",
        ),
        (
            "we name feature branches feat/<ticket>-<slug>",
            "correction",
            "We name feature branches feat/<ticket>-<slug>",
        ),
        (
            "always show me the plan before a bigger change",
            "preference",
            "Always show me the plan before a bigger change",
        ),
    ],
)
def test_what_lasts_is_kept_whole_and_called_what_it_is(
    said: str, label: str, wording: str
) -> None:
    (one,) = hear(said)
    assert (one.label, one.wording) == (label, wording)


@pytest.mark.parametrize(
    "said",
    [
        "exit 3 from the linter = config missing",
        "HTTP 460 = client gave up",
        "uploads are back on s3 since tuesday",
        "search is back on postgres as of last week",
        "stay on terraform 1.5, 1.6 changed the licence",
        "release notes are kept in docs/rn, not in the readme",
    ],
)
def test_what_a_code_means_where_something_went_back_and_a_pinned_version_are_heard(
    said: str,
) -> None:
    assert [one.wording for one in hear(said)] == [said[:1].upper() + said[1:]]


@pytest.mark.parametrize(
    "said",
    [
        "exit code 1 = my typo",
        "prod is back since 10 minutes",
        "the pod is back in crashloop since 5 minutes",
        "everything is back on green since this morning",
        "keep the first, 2 breaks the layout",
    ],
)
def test_what_is_back_or_breaks_for_the_moment_is_not(said: str) -> None:
    assert hear(said) == []
