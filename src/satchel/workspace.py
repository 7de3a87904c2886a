"""What people ask a project for: answers from all tiers, briefs, research, upkeep, health."""

from __future__ import annotations

from satchel.application.services import RememberingProject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.briefs.sections import Brief
    from satchel.application.briefs.service import Briefing
    from satchel.application.health.statistics import Statistics
    from satchel.application.recall.results import Routed
    from satchel.application.research.service import Research
    from satchel.storage.database.contract import Database


class Workspace(RememberingProject):
    """One project, opened from one of its work trees: the public API."""

    def ask(
        self, question: str, *, limit: int = 0, tier: str = "", method: str = "", weak: bool = False
    ) -> Routed:
        """Answer a question by the tier it belongs to, beside what was remembered.

        Args:
            question: any text; patterns say where it goes (see `recall.routing`).
            limit: how many pieces; 0 for the setting.
            tier: ask this tier alone, `code`, or one source in it, `warm/graph`.
            method: how memories are searched; "" for the setting `recall.method`.
            weak: give matches too that only seem to answer.
        """
        from satchel.application.recall.tiers import ProjectTiers

        most = limit or self.settings.integer("recall.limit")
        tiers = ProjectTiers(self, question, method=method, weak=weak)
        return tiers.only(tier, most) if tier else tiers.answer(most)

    # Briefs

    def session_brief(self, *, task: str = "", role: str = "", most: int = 0) -> Brief:
        """Compose what a session starts with; `most` is the client's own limit, in tokens."""
        budget = self._budget("brief.max_tokens", most)
        return self.briefing.session(task=task, role=role, budget=budget)

    def prompt_brief(self, prompt: str, *, session: str, most: int = 0) -> Brief:
        """Compose what a prompt gets: new memories that matter to it, or nothing."""
        budget = self._budget("prompt.max_tokens", most)
        return self.briefing.prompt(prompt, session=session, budget=budget)

    @property
    def briefing(self) -> Briefing:
        """Every other brief: prime, memory, intent, instructions, whole prompts."""
        from satchel.application.briefs.service import Briefing

        return Briefing(self)

    def _budget(self, name: str, most: int) -> int:
        wanted = self.settings.integer(name)
        return min(wanted, most) if most else wanted

    def note_injection(self, brief: Brief, *, session: str, event: str, agent: str = "") -> None:
        """Write down what was put before an agent."""
        from satchel.features.injections.injection_ledger import Injected, Injection

        items = tuple(
            Injected(
                p.item.identity, p.item.id, p.section, p.rank, p.tokens, p.item.why, p.item.raw
            )
            for p in brief.placed
        )
        injection = Injection(
            int(self.clock.now()), session, event, agent, brief.tokens, brief.budget,
            brief.left_out, items,
        )  # fmt: skip
        self.injections.note(injection)

    @property
    def research(self) -> Research:
        """Questions put to learnings, memories, code, documentation and the web at once."""
        from satchel.application.research.service import Research

        return Research(self)

    # Upkeep of derived things

    def rebuild(self, only: str = "memories") -> int:
        """Build an index anew: of memories, notes or the graph, or all for ""; count what it has.

        Whoever has it open meanwhile goes on with it; nothing that is only there is lost.
        """
        from satchel.application.health.derived_stores import rebuild

        return sum(rebuild(self, only).values())

    def upkeep(self, step: str, *, dry_run: bool, confirmed: bool) -> dict[str, str]:
        """Run one step of upkeep, or all; return what each did, in words."""
        from satchel.application.upkeep.maintenance import Keeping

        return Keeping(self).run(step, dry_run=dry_run, confirmed=confirmed)

    def statistics(self) -> Statistics:
        """Count memories, tokens and bytes."""
        from satchel.application.health.derived_stores import graphs_of, notes_of
        from satchel.application.health.statistics import collect

        self.fresh()
        return collect(
            memories=self.memories,
            state=self.state,
            tracked=self.tracked,
            inbox=self.inbox,
            injections=self.injections,
            clock=self.clock,
        )._replace(notes=tuple(notes_of(self)), graphs=tuple(graphs_of(self)))

    def other_database(self, path: str) -> Database:
        """Open another program's database, to read from it."""
        from satchel.storage.database.sqlite import SqliteDatabase

        return SqliteDatabase(path)
