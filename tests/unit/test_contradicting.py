"""Which memories contradict each other, and of which a person has to say which holds."""

from satchel.core.trust import REPO, USER
from satchel.features.memories.contradicting import (
    beside,
    contradicting,
    hold_together,
    needs_decision,
)
from satchel.storage.ledger.record import Record

NPM = Record("constraint", "Use npm for installing packages", id="a", ts=2, trust=USER)
PNPM = Record("constraint", "Use pnpm for installing packages", id="b", ts=1, trust=USER)
OTHER = Record("constraint", "Never log request bodies", id="c", ts=3, trust=USER)


def test_the_earlier_one_stands_first_whatever_the_order() -> None:
    for records in ([NPM, OTHER, PNPM], [PNPM, NPM, OTHER]):
        (pair,) = contradicting(records)
        assert (pair.earlier, pair.later) == (PNPM, NPM)
        assert "npm" in pair.why


def test_who_said_that_both_hold_is_not_asked_again() -> None:
    data = {**(NPM.data or {}), **beside(NPM, PNPM, holds=True)}
    agreed = NPM._replace(data=data)
    assert contradicting([agreed, PNPM]) == []
    assert hold_together(PNPM, agreed)
    apart = agreed._replace(data={**data, **beside(agreed, PNPM, holds=False)})
    assert len(contradicting([apart, PNPM])) == 1


def test_what_replaced_the_other_is_settled_unless_it_is_trusted_less() -> None:
    later = NPM._replace(supersedes=("b",))
    assert contradicting([later, PNPM]) == []
    assert contradicting([PNPM, later]) == []
    assert len(contradicting([PNPM, later._replace(trust=REPO)])) == 1


def test_data_of_another_form_says_nothing() -> None:
    assert not hold_together(NPM._replace(data={"beside": "b"}), PNPM)


def test_ones_own_later_decision_needs_no_decision_but_a_colleagues_does() -> None:
    mine, later = (one._replace(kind="decision") for one in (PNPM, NPM))
    (own,) = contradicting([mine, later])
    assert not needs_decision(own)
    (brought,) = contradicting([mine, later._replace(trust=REPO)])
    assert needs_decision(brought)
    (rules,) = contradicting([PNPM, NPM])
    assert needs_decision(rules)
