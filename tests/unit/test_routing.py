"""Which question goes to which tier: The Foundation's table, its defects left behind, files adopted."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.application.recall.results import (
    ARCHIVE,
    CODE,
    HOT,
    STRUCTURED,
    TIERS,
    WARM,
    Result,
    Route,
    Routing,
    Rule,
)
from satchel.application.recall.routing import DEFAULT, read_routing, route_of
from satchel.application.recall.tiers.cascade import TierCascade, answer_routed
from satchel.core.errors import BadInputError, BusyError

#: The table of The Foundation, each pattern asked as people ask.
TABLE = [
    ("where is the retry logic implemented", CODE, "symbols"),
    ("Where is parse_config implemented?", CODE, "symbols"),
    ("where is ProgressBar used", CODE, "references"),
    ("who calls make_context", CODE, "references"),
    ("how does the billing worker work", CODE, "symbols"),
    ("How does login work?", CODE, "symbols"),
    ("what did we decide about caching", WARM, "graph"),
    ("why did we choose postgres", WARM, "graph"),
    ("find docs about deployment", WARM, "documents"),
    ("search for retention in documents", WARM, "documents"),
    ("who offered the discount", STRUCTURED, ""),
    ("which leads are warm", STRUCTURED, ""),
    ("task status", STRUCTURED, "tasks"),
    ("sprint progress", STRUCTURED, "tasks"),
    ("what is overdue", STRUCTURED, ""),
    ("what happened yesterday", ARCHIVE, "transcripts"),
    ("what happened last week", ARCHIVE, "transcripts"),
    ("what did I do earlier today?", ARCHIVE, "transcripts"),
    ("who am I", HOT, "identity"),
    ("what is my role", HOT, "identity"),
    ("what are my preferences", HOT, "preferences"),
    ("what are my settings", HOT, "preferences"),
]
#: What the table's own regular expressions send astray.
ASTRAY = [
    "why do the nginx settings differ between hosts",
    "the deploy of last week broke the build",
    "contacts page renders twice",
    "offers endpoint returns 500",
    "useful offset",
]


@pytest.mark.parametrize(("question", "tier", "source"), TABLE)
def test_the_seeds_questions_go_to_the_seeds_tiers(question: str, tier: str, source: str) -> None:
    assert route_of(question, DEFAULT)[:2] == (tier, source)


@pytest.mark.parametrize("question", ASTRAY)
def test_a_word_of_the_table_in_another_question_leads_nowhere(question: str) -> None:
    assert route_of(question, DEFAULT) == Route(STRUCTURED, "")


@pytest.mark.parametrize(("question", "tier", "source"), TABLE)
def test_no_hint_hides_a_rule(question: str, tier: str, source: str) -> None:
    assert route_of(question, DEFAULT) == route_of(question, DEFAULT._replace(hints=()))


FOUNDATION_FILE = {
    "query_routing": {
        "patterns": [
            {"pattern": "where is .* implemented", "tier": "L5", "source": "Cartographer"},
            {"pattern": "why did we choose", "tier": "L2", "source": "GraphMem"},
            {"pattern": "find docs about", "tier": "L2", "source": "QMD"},
            {"pattern": "which leads|contacts|offers", "tier": "L3", "source": "PostgreSQL"},
            {"pattern": "what happened yesterday|last week", "tier": "L4",
             "source": "TranscriptArchive"},
            {"pattern": "who am i|my personality", "tier": "L1", "source": "SOUL.md"},
        ],
        "fallback": {"tier": "L3", "source": "PostgreSQL"},
        "cascade": {"enabled": True, "sequence": ["L1", "L2", "L3", "L4", "L5"]},
    }
}  # fmt: skip


def routing(document: object) -> Routing:
    return read_routing(json.dumps(document).encode(), "r.json")


def test_the_seeds_own_file_is_read_as_it_is() -> None:
    read = routing(FOUNDATION_FILE)
    assert [(rule.tier, rule.source) for rule in read.rules] == [
        (CODE, "symbols"), (WARM, "graph"), (WARM, "documents"), (STRUCTURED, ""),
        (ARCHIVE, "transcripts"), (HOT, "identity"),
    ]  # fmt: skip
    assert (read.fallback, read.cascade, read.cascades) == (STRUCTURED, TIERS, True)
    assert route_of("contacts page", read) == Route(STRUCTURED, "", "which leads|contacts|offers")


def test_a_shorter_form_and_a_switched_off_cascade_are_read_too() -> None:
    read = routing(
        {"rules": [{"pattern": r"\Bx", "tier": "hot"}], "fallback": "warm",
         "cascade": {"enabled": False, "sequence": ["code", "L2"]}}
    )  # fmt: skip
    assert (read.fallback, read.cascade, read.cascades) == (WARM, (CODE, WARM), False)
    assert route_of("ax", read).tier == HOT
    assert route_of("x", read).tier == WARM


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"query_routing": {}}, "holds no routing rules"),
        ({"rules": [{"tier": "L1"}]}, "rule 1 has no pattern"),
        ({"rules": [{"pattern": "(", "tier": "L1"}]}, "not a regular expression"),
        ({"rules": [{"pattern": "a", "tier": "L9"}]}, "no tier 'L9'"),
        *[
            ({"rules": [{"pattern": pattern, "tier": "L1"}]}, "can take forever")
            for pattern in (
                "(a+)+$",
                "((a|b)*)*",
                "(a|a)+$",
                "(a|aa)*c",
                "(a?){60}a{60}c",
                "(a{1,9}){1,40}c",
                ".*.*.*.*c",
                r"(\w|\s)+#",
                "(.|.)*#",
                "a?" * 30 + "a" * 30,
                r"(a)\1+",
                "(?=a+)b",
            )
        ],
        ({"rules": [{"pattern": "a" * 300, "tier": "L1"}]}, "longer than"),
    ],
)
def test_a_wrong_file_is_refused_with_the_rule_and_the_reason(document: object, told: str) -> None:
    with pytest.raises(BadInputError, match=told):
        routing(document)
    with pytest.raises(BadInputError, match="not JSON"):
        read_routing(b"{", "r.json")


_PIECES = st.sampled_from(
    ["a", ".", "*", "+", "?", "(", ")", "|", "{2,}", "[ab]", "b", "\\\\w", "$"]
)


@given(st.lists(_PIECES, max_size=14))
def test_no_pattern_that_is_let_through_is_slow(pieces: list[str]) -> None:
    pattern = "".join(pieces)
    try:
        table = routing({"rules": [{"pattern": pattern, "tier": "L1"}]})
    except BadInputError:
        return
    begun = time.process_time()
    for question in ("a" * 400 + "c", "ab" * 200 + "#", "a b " * 100):
        route_of(question, table)
    assert time.process_time() - begun < 1


@given(st.text(max_size=3000))
def test_any_question_is_routed_quickly(question: str) -> None:
    begun = time.process_time()
    assert route_of(question, DEFAULT).tier in TIERS
    assert time.process_time() - begun < 1


def piece(tier: str, text: str) -> Result:
    return Result(tier, "source", text, text, identity=text)


class Asked:
    """Tiers that answer what they were given, and keep account of the questions."""

    def __init__(self, **answers: list[str]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, str]] = []

    def __call__(self, tier: str, source: str, limit: int) -> list[Result]:
        self.asked.append((tier, source))
        return [piece(tier, text) for text in self.answers.get(tier, [])]


def answer(route: Route, asked: Asked, memories: list[str], limit: int = 10) -> list[str]:
    made = answer_routed(
        "q", route, DEFAULT, TierCascade(asked), lambda: ([piece(WARM, m) for m in memories], 0),
        limit=limit,
    )  # fmt: skip
    return [one.title for one in made.pieces]


def test_the_routed_tier_comes_first_and_memories_keep_a_place() -> None:
    asked = Asked(code=[f"c{n}" for n in range(9)])
    route = Route(CODE, "symbols", "p")
    assert answer(route, asked, ["m1", "m2"], limit=5) == ["c0", "c1", "c2", "m1", "m2"]
    assert asked.asked == [(CODE, "symbols")]


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_however_few_are_shown_the_routed_tier_is_among_them(limit: int) -> None:
    asked = Asked(code=[f"c{n}" for n in range(9)])
    found = answer(Route(CODE, "symbols", "p"), asked, ["m1", "m2", "m3", "m4"], limit=limit)
    assert len(found) == limit
    assert found[0] == "c0"


def test_an_empty_source_asks_its_tier_and_then_the_others_in_order() -> None:
    asked = Asked(archive=["a"], code=["never asked"])
    assert answer(Route(HOT, "identity", "p"), asked, []) == ["a"]
    assert asked.asked == [
        (HOT, "identity"), (HOT, ""), (WARM, ""), (STRUCTURED, ""), (ARCHIVE, ""),
    ]  # fmt: skip


def test_what_matches_nothing_asks_the_fallback_and_cascades_only_when_nothing_is_found() -> None:
    asked = Asked(hot=["h"])
    assert answer(Route(STRUCTURED, ""), asked, ["m"]) == ["m"]
    assert asked.asked == [(STRUCTURED, "")]
    assert answer(Route(STRUCTURED, ""), asked, []) == ["h"]


def test_the_warm_tier_and_memories_are_peers_and_nothing_comes_twice() -> None:
    asked = Asked(warm=["same", "g"])
    assert answer(Route(WARM, "graph", "p"), asked, ["m", "same"]) == ["same", "m", "g"]


def test_a_tier_that_fails_says_why_and_the_next_one_answers() -> None:
    def ask(tier: str, source: str, limit: int) -> list[Result]:
        if tier == HOT:
            raise BusyError("somebody indexes")
        return [piece(tier, "x")]

    route = Route(HOT, "", "p")
    made = answer_routed("q", route, DEFAULT, TierCascade(ask), lambda: ([], 0), limit=3)
    assert [(told.tier, told.given, told.why) for told in made.reports] == [
        (WARM, 0, ""), (HOT, 0, "somebody indexes"), (WARM, 1, ""),
    ]  # fmt: skip
    assert [one.tier for one in made.pieces] == [WARM]


def test_without_a_cascade_an_empty_tier_stays_empty() -> None:
    asked = Asked(code=["c"])
    table = Routing((Rule("q", HOT),), cascades=False)
    made = answer_routed(
        "q", route_of("q", table), table, TierCascade(asked), lambda: ([], 2), limit=3
    )
    assert (made.pieces, made.weak) == ((), 2)
