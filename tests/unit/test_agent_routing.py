"""Which agent a message goes to: signals, laws of the score, profiles, outcomes."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.features.routing import outcome_stats as standing
from satchel.features.routing import scoring
from satchel.features.routing.messages import (
    REMEMBERED,
    RoutedMessages,
    UnreadableLine,
    read_messages,
)
from satchel.features.routing.outcome_stats import (
    HIGHEST,
    LEAST,
    LOWEST,
    WINDOW,
    Mark,
    OutcomeStats,
    multiplier,
)
from satchel.features.routing.reading import preset_text, read_profiles
from satchel.features.routing.scoring import MessageWords, Scorer
from satchel.features.routing.values import Decision, Message, Profile, Profiles, Tally
from satchel.storage.files import replace_file
from satchel.storage.paths import ROUTED_MESSAGES, ROUTING_OUTCOMES
from satchel.testing import reopened, temporary_workspace

SHIPPED = read_profiles(preset_text().encode(), "shipped")
SCORER = Scorer(SHIPPED)
WORDS = sorted(
    {word for one in SHIPPED.profiles for word, _ in one.keywords}
    | {intent for one in SHIPPED.profiles for intent in one.intents}
    | {word for one in SHIPPED.profiles for word in one.negative}
    | {one.id for one in SHIPPED.profiles}
    | {"please", "the", "now"}
)
MESSAGES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join) | st.text(
    max_size=60
)


def test_the_preset_is_the_seeds_fourteen() -> None:
    assert [one.id for one in SHIPPED.profiles] == [
        "seldon", "daneel", "hardin", "mallow", "preem", "riose", "trader", "gaal", "demerzel",
        "mis", "amaryl", "magnifico", "venabili", "arkady",
    ]  # fmt: skip
    assert (SHIPPED.fallback, SHIPPED.threshold) == ("seldon", 0.15)
    assert {one.division for one in SHIPPED.profiles} == {
        "command", "infrastructure", "commerce", "intelligence", "operations",
    }  # fmt: skip
    for one in SHIPPED.profiles:
        assert one.intents, one.id
        assert one.negative, one.id
        assert all(0.4 <= weight <= 0.9 for _, weight in one.keywords), one.id


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("Audit the security of the login form", "hardin"),
        ("nginx is down, restart the server", "daneel"),
        ("forecast the revenue of next quarter", "mallow"),
        ("follow up with the prospect about the deal", "preem"),
        ("our ad spend on google ads is too high", "riose"),
        ("set a stop loss for the portfolio", "trader"),
        ("gather sources and compare options", "gaal"),
        ("what is our competitor up to", "demerzel"),
        ("design study to test hypothesis", "mis"),
        ("run backtest on the dataset", "amaryl"),
        ("create illustration for the brand", "magnifico"),
        ("which milestone is overdue in this sprint", "venabili"),
        ("draft newsletter with a good headline", "arkady"),
        ("coordinate the agents and decide priorities", "seldon"),
        ("hello there", "seldon"),
        ("@amaryl, a word", "amaryl"),
        ("something for yugo", "amaryl"),
    ],
)
def test_messages_go_to_whom_they_suit(text: str, agent: str) -> None:
    assert SCORER.choose(text).agent == agent


def test_the_formula_is_that_of_the_foundation() -> None:
    one = Profile(
        "a", "Ann", keywords=(("deploy", 0.8), ("server", 0.8)), intents=("deploy service",),
        division="ops", negative=("blog",),
    )  # fmt: skip
    scorer = Scorer(Profiles((one,), "a"))
    every = scorer.score(MessageWords("ann, deploy the server service of ops"), one)
    assert every.score == 1.0
    half = scorer.score(MessageWords("the server"), one)
    assert (half.keyword, half.score) == (0.5, 0.2)
    against = scorer.score(MessageWords("ann, deploy the server service of ops blog"), one)
    assert against.score == pytest.approx(0.8)
    taught = Scorer(Profiles((one,), "a"), {"a": 1.3}.get).score(MessageWords("the server"), one)
    assert taught.score == pytest.approx(0.26)
    assert scorer.choose("the server").fallback is False
    assert Scorer(Profiles((one,), "a", 0.21)).choose("the server").fallback is True


def test_a_rare_keyword_tells_more_than_a_common_one() -> None:
    keywords = (("report", 0.8), ("server", 0.8), ("disk", 0.8))
    others = tuple(Profile(f"o{n}", keywords=(("report", 0.8),)) for n in range(5))
    one = Profile("a", keywords=keywords)
    scorer = Scorer(Profiles((one, *others), "a"))
    assert (
        scorer.score(MessageWords("server"), one).score
        > scorer.score(MessageWords("report"), one).score
    )


@given(MESSAGES, st.sampled_from(["", "commerce", "nowhere"]))
@settings(max_examples=150)
def test_scores_lie_between_0_and_1_and_the_choice_is_stable(text: str, division: str) -> None:
    choice = SCORER.choose(text, division=division)
    assert all(0 <= one.score <= 1 for one in choice.ranked)
    assert choice == SCORER.choose(text, division=division)
    assert {one.agent for one in choice.ranked} == {one.id for one in SHIPPED.profiles}
    assert SHIPPED.named(choice.agent) is not None


@given(MESSAGES)
@settings(max_examples=150)
def test_no_agent_that_a_negative_keyword_speaks_against_is_chosen_before_one_that_fits(
    text: str,
) -> None:
    choice = SCORER.choose(text)
    chosen = next(one for one in choice.ranked if one.agent == choice.agent)
    fit = [one for one in choice.ranked if one.score >= choice.threshold and not one.against]
    if fit:
        assert not chosen.against
        assert chosen.score == max(one.score for one in fit)
        assert not choice.fallback
    assert choice.fallback == all(one.score < choice.threshold for one in choice.ranked)


@given(MESSAGES, st.sampled_from(SHIPPED.profiles))
@settings(max_examples=80)
def test_a_negative_keyword_never_raises_a_score_and_a_keyword_never_lowers_it(
    text: str, profile: Profile
) -> None:
    before = SCORER.score(MessageWords(text), profile).score
    assert SCORER.score(MessageWords(f"{text} {profile.negative[0]}"), profile).penalty > 0
    clean = profile._replace(negative=())
    more = SCORER.score(MessageWords(f"{text} qqq {profile.keywords[0][0]}"), clean).keyword
    assert more >= SCORER.score(MessageWords(text), clean).keyword
    with_against = profile._replace(negative=(*profile.negative, "qqq"))
    assert SCORER.score(MessageWords(text + " qqq"), with_against).score <= before or not before


def test_equal_scores_keep_the_order_of_the_profiles() -> None:
    twins = tuple(Profile(name, keywords=(("same", 0.5),)) for name in "cab")
    ranked = Scorer(Profiles(twins, "c")).choose("the same").ranked
    assert [one.agent for one in ranked] == ["c", "a", "b"]


def test_a_router_that_ignores_negative_keywords_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seeded bug: without the penalty and its order, a memory leak goes to sales."""
    text = "a memory leak: qualify lead, close deal, contact prospect, and restart the server"
    assert SCORER.choose(text).agent == "daneel"
    monkeypatch.setattr(MessageWords, "holds", _holds_without("memory leak"))
    assert Scorer(SHIPPED).choose(text).agent == "preem"


def _holds_without(ignored: str):  # type: ignore[no-untyped-def]
    real = scoring.MessageWords.holds
    return lambda self, phrase: phrase != ignored and real(self, phrase)


@given(st.integers(0, 6000), st.integers(0, 6000))
def test_the_multiplier_is_bounded_linear_and_needs_five_outcomes(won: int, lost: int) -> None:
    told = multiplier(won, lost)
    if won + lost < LEAST:
        assert told is None
    else:
        assert told is not None
        assert LOWEST <= told <= HIGHEST
        assert told == pytest.approx(0.7 + 0.6 * won / (won + lost))
        better = multiplier(won + 1, lost)
        assert better is not None
        assert better >= told


def decided(number: int, agent: str, outcome: str) -> Decision:
    return Decision(f"{number:026}", agent, "", 0, 0.5, False, outcome=outcome, order=number // 3)


def test_only_the_newest_5000_outcomes_count(tmp_path: Path) -> None:
    one = OutcomeStats(os.fspath(tmp_path / "standing.json"), lambda: 0.0)
    every = [decided(n, "a", "failure" if n < 100 else "success") for n in range(WINDOW + 100)]
    for number, decision in enumerate(every, 1):
        one.add(decision, Mark(number, str(number)))
    assert len(one) == WINDOW
    (tally,) = one.tallies()
    assert (tally.successes, tally.failures, tally.multiplier) == (WINDOW, 0, HIGHEST)
    whole = OutcomeStats(os.fspath(tmp_path / "other.json"), lambda: 0.0)
    whole.refresh(Mark(9, "x"), lambda: every[100:])
    assert whole.tallies() == one.tallies()


def test_saving_waits_ten_seconds_and_a_lost_file_changes_nothing(tmp_path: Path) -> None:
    now = [0.0]
    path = os.fspath(tmp_path / "standing.json")
    one = OutcomeStats(path, lambda: now[0])
    one.add(decided(1, "a", "success"), Mark(1, "1"))
    assert not os.path.exists(path)
    now[0] = 10.0
    one.add(decided(2, "a", "success"), Mark(2, "2"))
    assert os.path.exists(path)
    one.add(decided(3, "a", "success"), Mark(3, "3"))
    one.flush()
    again = OutcomeStats(path, lambda: now[0])
    again.refresh(Mark(3, "3"), lambda: pytest.fail("the file was there"))
    assert len(again) == 3
    stale = OutcomeStats(path, lambda: now[0])
    stale.refresh(Mark(4, "4"), lambda: [decided(n, "a", "success") for n in range(4)])
    assert len(stale) == 4
    for damage in (b"", b"[]", b'{"format":1,"mark":[3,"3"],"window":[[1]]}', b"\xff"):
        replace_file(path, damage)
        damaged = OutcomeStats(path, lambda: now[0])
        damaged.refresh(Mark(3, "3"), lambda: [decided(7, "b", "failure")])
        assert [tally.agent for tally in damaged.tallies()] == ["b"]


def test_ten_thousand_ids_are_remembered_and_no_more(tmp_path: Path) -> None:
    ids = RoutedMessages(os.fspath(tmp_path / "ids.json"), lambda: 0.0)
    for number in range(REMEMBERED + 5):
        ids.add(str(number))
    assert len(ids) == REMEMBERED
    assert "4" not in ids
    assert "5" in ids
    ids.flush()
    assert len(RoutedMessages(ids.path, lambda: 0.0)) == REMEMBERED


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("profiles: 3", "contains no profiles"),
        ("profiles: [1]", "is not a profile"),
        ("profiles: [{id: a b}]", "is not an id"),
        ("profiles: [{id: seldon, keywords: {x: 7}}]", "weight of 'x'"),
        ("profiles: [{id: seldon, multiplier: 9}]", "multiplier"),
        ("profiles: [{id: seldon, colour: red}]", "'colour'"),
        ("profiles: [{id: seldon}, {id: Seldon}]", "occurs twice"),
        ("profiles: [{id: a}]", "fallback 'seldon'"),
        ("threshold: 2\nprofiles: [{id: seldon}]", "threshold"),
        ("profiles: [{id: seldon, aliases: {a: 1}}]", "aliases"),
        ("a: [", "not YAML"),
        ("a: &x 1\nb: *x", "alias"),
    ],
)
def test_a_wrong_profile_is_told_with_its_place(text: str, told: str) -> None:
    with pytest.raises(BadInputError, match=told):
        read_profiles(text.encode(), "profiles.yaml")


def test_the_seeds_own_spelling_is_read() -> None:
    text = """[{"id": "seldon", "name": "S", "keywords": [{"word": "deploy", "weight": 0.80}],
      "negativeKeywords": ["blog"], "outcomeMultiplier": 1.1}]"""
    (one,) = read_profiles(text.encode(), "p").profiles
    assert (one.keywords, one.negative, one.multiplier) == ((("deploy", 0.8),), ("blog",), 1.1)


@given(st.lists(st.binary(max_size=40) | st.sampled_from([b'{"id":1,"text":"x"}', b"[]"])))
@settings(max_examples=60)
def test_any_line_is_a_message_or_told(lines: list[bytes]) -> None:
    found = list(read_messages(lines))
    assert all(isinstance(one, Message | UnreadableLine) for one in found)
    assert sum(isinstance(one, Message) for one in found) >= lines.count(b'{"id":1,"text":"x"}')


def test_outcomes_survive_a_rebuild_and_change_who_is_chosen() -> None:
    with temporary_workspace() as workspace:
        text = "the nginx and the literature"
        with workspace.routing as routing:
            first = routing.choose(text)
            assert [one.agent for one in first.ranked[:2]] == ["daneel", "gaal"]
            for number in range(LEAST):
                done = routing.route(f"{text} {number}")
                workspace.project.clock.advance(1)  # type: ignore[attr-defined]
                routing.outcome(done.id[:14], "failed", note="too slow")
            after = routing.choose(text)
            assert (first.agent, after.agent) == ("daneel", "gaal")
            daneel = next(one for one in after.ranked if one.agent == "daneel")
            assert daneel.multiplier == LOWEST
            corrected = routing.outcome(done.id, "success")
            assert routing.tallies()[0] == Tally("daneel", 1, 4, 0.82)
            tallies = routing.tallies()
        workspace.rebuild("")
        assert not os.path.exists(workspace.project.state.derived(ROUTING_OUTCOMES))
        with reopened(workspace) as other, other.routing as routing:
            assert routing.tallies() == tallies
            assert routing.latest(1)[0].id == corrected.id
            with pytest.raises(NotFoundError):
                routing.outcome("nothing", "success")
            with pytest.raises(BadInputError, match="no outcome"):
                routing.outcome(done.id, "perhaps")
        workspace.memories.delete(done.id)
        with reopened(workspace) as other, other.routing as routing:
            assert routing.tallies()[0][1:3] == (0, 4)


def test_own_profiles_come_first_and_those_beside_identity_files_on_top() -> None:
    with temporary_workspace() as workspace:
        with workspace.routing as routing:
            path = routing.write_preset()
            assert Path(path).read_text("utf-8") == preset_text()
            with pytest.raises(ConflictError):
                routing.write_preset()
        Path(path).write_text("fallback: bob\nprofiles: [{id: bob}, {id: ann}]\n", "utf-8")
        beside = os.path.join(workspace.project.tracked.agents[0], "ann", "profile.yaml")
        os.makedirs(os.path.dirname(beside))
        Path(beside).write_text("keywords: {tea: 0.9}\n", "utf-8")
        with workspace.routing as routing:
            assert routing.choose("a cup of tea").agent == "ann"
            assert routing.choose("coffee").agent == "bob"
        os.unlink(beside)
        os.mkfifo(beside)
        with workspace.routing as routing, pytest.raises(BadInputError, match="regular file"):
            routing.profiles()
        assert any("profile.yaml" in one.what for one in workspace.examine())


def test_the_bridge_routes_a_message_once_however_often_it_comes(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox.jsonl"
    lines = [f'{{"id": {n}, "text": "deploy the server {n}"}}' for n in range(120)]
    inbox.write_text("\n".join([*lines, "torn {", lines[0]]) + "\n", "utf-8")
    with temporary_workspace() as workspace:
        unread: list[UnreadableLine] = []
        with workspace.routing as routing:
            done = list(routing.bridge(os.fspath(inbox), unread=unread))
            assert len(done) == 120
            assert {one.agent for one in done} == {"daneel"}
            assert [one.line for one in unread] == [121]
            assert list(routing.bridge(os.fspath(inbox))) == []
        # What is remembered may be lost: the ledger knows.
        os.unlink(workspace.project.state.derived(ROUTED_MESSAGES))
        with workspace.routing as routing:
            repeated = list(routing.bridge(os.fspath(inbox)))
            assert all(one.again for one in repeated)
            assert {one.id for one in repeated} == {one.id for one in done}
            assert len(routing.latest(1000)) == 120
            routing.outcome(done[0].id, "success")
            routing.route("a later one")
            assert routing.tallies()[0].successes == 1


def test_messages_of_sessions_are_picked_up() -> None:
    from satchel.features.sessions.values import Message as Said_

    with temporary_workspace() as workspace:
        sessions = workspace.sessions
        session = sessions.new(title="t")
        sessions.move(session.id, "start")
        sessions.say(session.id, Said_("user", "restart the server"))
        sessions.say(session.id, Said_("assistant", "restart the server"))
        with workspace.routing as routing:
            (one,) = routing.bridge("sessions")
            assert (one.agent, one.text) == ("daneel", "restart the server")
            assert list(routing.bridge("sessions")) == []
            with pytest.raises(NotFoundError):
                list(routing.bridge("nowhere.jsonl"))
            with pytest.raises(BadInputError, match="not kept on a server"):
                list(routing.bridge("team"))


def test_a_window_that_forgets_nothing_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: a window without an end."""
    monkeypatch.setattr(standing, "WINDOW", 10**9)
    with pytest.raises(AssertionError):
        test_only_the_newest_5000_outcomes_count(tmp_path)
