"""The numbers that name suggestions in a review.

They follow from the ledger's order, so that no number changes between looking and answering: other
suggestions may come, and be decided, at any time.
"""

from __future__ import annotations

from satchel.features.proposals.values import PENDING, Proposal


class Numbers:
    """Numbers of suggestions, as proposals and decisions are read in their order."""

    def __init__(self) -> None:
        self.of: dict[str, int] = {}
        self._waiting: set[str] = set()
        #: No waiting one has a higher number.
        self._last = 0

    def propose(self, proposal: Proposal) -> None:
        """Give a new suggestion the next number, or that of the waiting one that it rewords."""
        if proposal.id in self.of:
            return
        original = next(iter(proposal.derived_from), "")
        if original in self._waiting:
            self.of[proposal.id] = self.of[original]
        else:
            self._take_next(proposal.id)
        self._waiting.add(proposal.id)

    def decide(self, ident: str, state: str) -> None:
        """Note a decision; one that waits again keeps its number if no other has it."""
        if state != PENDING:
            self._waiting.discard(ident)
        elif ident in self.of and ident not in self._waiting:
            number = self.of[ident]
            if any(self.of[one] == number for one in self._waiting):
                self._take_next(ident)
            else:
                # Counting begins at 1 when none waits: this number may be of the count before.
                self._last = max(self._last, number) if self._waiting else number
            self._waiting.add(ident)

    def _take_next(self, ident: str) -> None:
        self._last = self._last + 1 if self._waiting else 1
        self.of[ident] = self._last
