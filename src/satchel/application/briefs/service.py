"""Collects the contents of every brief of a project; `briefs` composes them."""

from __future__ import annotations

import os

from satchel.application.briefs.prompt_parts import PromptParts
from satchel.application.outlet import Outlet, held_back
from satchel.core.errors import NotFoundError, SatchelError
from satchel.core.excerpts import beginning
from satchel.core.trust import new_nonce
from satchel.storage.inbox.faults import note_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from satchel.application.briefs.sections import Brief, Reader, Section
    from satchel.application.services import Services
    from satchel.features.injections.injection_ledger import Injection
    from satchel.features.notes.critical import CriticalPattern

_MEMORY_FILE_LINES = 200
_LARGEST_FILE = 262_144
#: Most learnings for prime; reflect says three to five.
_CRITICAL = 8
#: How much of a text that is not a memory (an intent, an instruction file) to record as shown, in
#: characters.
_NOTED = 400
#: Most tasks in progress, and ready ones, in a session's brief; characters of their titles.
_TASKS_SHOWN, _TITLE = 5, 100


class BriefComposer:
    """Composes briefs from an open project.

    Attributes:
        parts: the parts of prompts: memory, instructions, session prompts, code.
    """

    def __init__(self, work: Services) -> None:
        self.work = work
        self.parts = PromptParts(work)

    def note_injection(self, brief: Brief, *, session: str, event: str, agent: str = "") -> None:
        """Record what was shown to an agent."""
        from satchel.features.injections.injection_ledger import InjectedItem, Injection

        items = tuple(
            InjectedItem(
                p.item.identity,
                p.item.id,
                p.section,
                rank=p.rank,
                tokens=p.tokens,
                why=p.item.why,
                text=p.item.raw or p.item.text[:_NOTED],
            )
            for p in brief.placed
        )
        injection = Injection(
            int(self.work.project.clock.now()),
            session,
            event,
            agent=agent,
            tokens=brief.tokens,
            budget=brief.budget,
            left_out=brief.left_out,
            items=items,
        )
        self.work.injections.note(injection)

    # At a session's start, and at a prompt

    def session(self, reader: Reader | None = None, *, task: str = "", most: int = 0) -> Brief:
        """Compose the brief at the start of a session.

        `most` is the client's own limit, in tokens.
        """
        from satchel.application.briefs.sections import Reader
        from satchel.application.briefs.session_start import session_brief

        reader = reader or Reader()

        work = self.work
        work.refresh()
        budget = self._budget("brief.max_tokens", most)
        scope = work.scope(task)
        outlet = Outlet(work, may_wait=True)
        around = self._around(outlet, scope.task, budget, reader)
        return work.memories.stores.retry_after_rebuild(
            lambda: session_brief(work, outlet, reader, scope=scope, budget=budget, around=around)
        )

    def resumed(self, held: Sequence[Injection], *, most: int = 0) -> Brief:
        """Compose what a resumed conversation lacks, or nothing. See `still_held`."""
        from satchel.application.briefs.session_start import resumed_brief

        work = self.work
        work.refresh()
        return work.memories.stores.retry_after_rebuild(
            lambda: resumed_brief(
                Outlet(work),
                work.project.settings,
                scope=work.scope(""),
                budget=self._budget("brief.max_tokens", most),
                held=held,
            )
        )

    def prompt(self, prompt: str, *, session: str, most: int = 0) -> Brief:
        """Compose new memories relevant to a prompt, or nothing."""
        from satchel.application.briefs.prompt import concerning, prompt_brief
        from satchel.features.injections.injection_ledger import still_held

        work = self.work

        def already() -> set[str]:
            shown = still_held(work.injections.of_session(session)) if session else []
            return {item.identity for one in shown for item in one.items}

        return prompt_brief(
            prompt,
            Outlet(work),
            work.project.settings,
            lambda asked: concerning(work, asked),
            nonce=new_nonce(),
            already=already,
            budget=self._budget("prompt.max_tokens", most),
        )

    def _budget(self, name: str, most: int) -> int:
        wanted = self.work.project.settings.integer(name)
        return min(wanted, most) if most else wanted

    def _around(self, outlet: Outlet, task: str, budget: int, reader: Reader) -> list[Section]:
        """Return the sections besides memories; one that fails is left out and recorded."""
        from satchel.application.briefs.accepted_elsewhere import accepted_elsewhere
        from satchel.application.briefs.learned_rules import learned_rules
        from satchel.application.briefs.session_hooks import session_hooks_section
        from satchel.application.briefs.unread_files import unread_files

        found: list[Section] = []
        client, agent = reader.client, reader.role or reader.agent
        parts: tuple[Callable[[], Section], ...] = (
            lambda: self._identity(outlet, agent, budget),
            lambda: unread_files(self.work, outlet, budget, client),
            lambda: learned_rules(self.work, outlet, budget, client),
            lambda: self._intent(outlet, task, budget),
            lambda: self._instincts(outlet, budget),
            lambda: accepted_elsewhere(self.work),
            lambda: self._tasks(outlet),
            lambda: session_hooks_section(self.work, outlet, agent),
            lambda: self._session_prompt(outlet, task),
        )
        for make in parts:
            try:
                found.append(make())
            except SatchelError as error:
                project = self.work.project
                note_fault(project.state.faults, "brief", str(error), project.clock.now())
        return [section for section in found if section.items]

    def _intent(self, outlet: Outlet, task: str, budget: int) -> Section:
        """Return the intent relevant to the task."""
        from satchel.application.briefs.sections import Item, Section

        work = self.work
        section = Section("intent", "## Project intent", (), "satchel intent show")
        if not os.path.lexists(work.project.tracked.intent):
            return section
        most = min(work.project.settings.integer("brief.intent_tokens"), budget // 3)
        excerpt = self.parts.intent(task=task, budget=most, outlet=outlet)
        why = f"linked to {task}" if excerpt.linked else "holds for every task"
        return section._replace(items=(Item(excerpt.text, why=why),) if excerpt.text else ())

    def _instincts(self, outlet: Outlet, budget: int) -> Section:
        """Return soft rules with their confidence, most certain first."""
        from satchel.application.briefs.learned_rules import conflict_in
        from satchel.application.briefs.sections import Item, Section
        from satchel.core.token_budget import estimate_tokens
        from satchel.engine.search.source_reader import why_refused

        work = self.work
        left = min(work.project.settings.integer("brief.instinct_tokens"), budget // 4)
        section = Section("instincts", "## Soft rules", (), "satchel rules")
        path = work.project.tracked.place("instincts")
        if not os.path.lexists(path):
            return section
        if why := why_refused(path):
            told = f"- {os.path.basename(path)} {why}: its rules are missing here"
            return section._replace(items=(Item(told, why="unread"),))
        strongest, items = work.instincts.strongest_for_brief(), list[Item]()
        if not outlet.admits(path):
            line = conflict_in(path)
            if line:
                told = f"- line {line} of instincts.yaml is a git conflict marker"
                return section._replace(items=(Item(told, why="conflict"),))
            # Others' edits of the file do not hide the user's own rules.
            mine = work.instincts.added_here()
            strongest = [one for one in strongest if one.rule in mine]
        for one in strongest:
            worth = work.instincts.current_confidence(one)
            text = f"- [{worth:.1f}] {one.rule}"
            left -= estimate_tokens(text) + 1
            if left < 0:
                break
            why = f"soft rule, confidence {worth:g}, {one.scope}"
            items.append(Item(text, f"instinct:{one.id}", one.id, why, one.rule))
        some = f" ({len(items)} of {len(strongest)})" if len(items) < len(strongest) else ""
        return section._replace(title=f"## Soft rules{some}", items=tuple(items))

    def _tasks(self, outlet: Outlet) -> Section:
        """Return tasks in progress and ready tasks, in working order."""
        from satchel.application.briefs.sections import Item, Section

        work = self.work
        section = Section("tasks", "## Tasks", (), "satchel tasks ready")
        files = [path for path in work.project.tracked.tasks if os.path.isfile(path)]
        admitted = [path for path in files if outlet.admits(path)]
        if not files or admitted != files:
            return section
        from satchel.core.trust import clean_line
        from satchel.features.tasks.dialects import text
        from satchel.features.tasks.index import TaskFilter
        from satchel.features.tasks.values import IN_WORK

        with work.tasks as tasks:
            busy = tasks.view.listed(TaskFilter(statuses=IN_WORK), limit=_TASKS_SHOWN)
            ready = tasks.view.ready(limit=_TASKS_SHOWN)
        items = []
        for why, found in (("in work", busy), ("ready", ready)):
            for one in found:
                who = text(one.data, "assignee", "assigned_to")
                told = f"{one.id} {beginning(text(one.data, 'title'), _TITLE)}"
                mark = f"{why}, {who}" if who else why
                items.append(Item(f"- [{clean_line(mark)}] {clean_line(told)}", why=why))
        return section._replace(items=tuple(items))

    def _session_prompt(self, outlet: Outlet, task: str) -> Section:
        """Return the project's own session prompt, filled in."""
        from satchel.application.briefs.sections import Item, Section

        section = Section("session_prompt", "## Session prompt of this project", ())
        template = self.parts.template_file("start", outlet)
        if template is None or not template.enabled or not template.text:
            return section
        said = self.parts.rendered(template, task=task, brief=False).text
        items = (Item(said, why="session-start.md"),) if said.strip() else ()
        return section._replace(items=items)

    def _identity(self, outlet: Outlet, role: str, budget: int) -> Section:
        """Return the starting agent's identity: only SOUL, USER and IDENTITY."""
        from satchel.application.briefs.sections import Item, Section
        from satchel.core.token_budget import cut_to_tokens

        section = Section("identity", "## Who you are", (), "satchel agents show")
        work = self.work
        mine = [] if work.person is None else [work.person.home.agents]
        if not any(map(os.path.isdir, (*work.project.tracked.agents, *mine))):
            return section
        try:
            files = [one for one in work.agents.eager(role) if outlet.admits(one[1])]
        except NotFoundError:
            return section  # a subagent whose type has no files
        share = min(work.project.settings.integer("brief.identity_tokens"), budget // 4)
        most = share // max(1, len(files))
        items = tuple(
            Item(cut_to_tokens(f"[{label}] {text.strip()}", most), why=os.path.basename(path))
            for label, path, text in files
            if text.strip()
        )
        return section._replace(items=items)

    # Prime

    def prime(self, *, budget: int = 0, task: str = "", how: str = "") -> Brief:
        """Compose what a session should know about an unfamiliar project. See `session`."""
        from satchel.application.briefs.prime import PrimeInput, learnings_about, prime_brief
        from satchel.application.briefs.readme import gist_of
        from satchel.application.briefs.session_start import how_to_remember
        from satchel.features.code.stack import LANGUAGE, MANIFESTS, stack_of

        work = self.work
        files = self.files()
        root = work.project.place.root
        manifests = {
            path: self.parts.text_of(os.path.join(root, path))
            for path in files
            if path.rpartition("/")[2] in MANIFESTS and path.count("/") <= 2  # noqa: PLR2004
        }
        stack = tuple(stack_of(files, manifests))
        found = {path.lower(): path for path in files}
        readme = next((found[name] for name in _READMES if name in found), "")
        languages = [one.name for one in stack if one.kind == LANGUAGE]
        counted = self.parts.token_count()
        outlet = Outlet(work)
        with work.notes as notebook:
            learnings = learnings_about(stack, notebook)
        primed = PrimeInput(
            os.path.basename(root),
            tuple(files),
            stack,
            readme=gist_of(self.parts.text_of(os.path.join(root, readme)) if readme else ""),
            learnings=tuple(one for one in learnings if outlet.admits(one.path)),
            critical=tuple(self._critical(languages)),
            readme_is_held=bool(readme) and bool(held_back(work, [readme])),
            read=tuple(path for path in files if path.rpartition("/")[2] in _INSTRUCTIONS),
            memory=self.parts.memory_file(),
        )
        work.refresh()
        return prime_brief(
            primed,
            budget=budget or work.project.settings.integer("prime.max_tokens"),
            nonce=new_nonce(),
            more=self._standing(task),
            count=counted.count,
            how=how or how_to_remember(),
        )

    def _standing(self, task: str) -> list[Section]:
        """Return the sections of the session brief that prime also shows."""
        from satchel.application.briefs.session_start import memory_sections, not_reached

        work, outlet = self.work, Outlet(self.work)
        wanted = ("constraints", "scoped", "next_steps", "recent", "decisions")
        sections = work.memories.stores.retry_after_rebuild(
            lambda: memory_sections(outlet, work.project.settings, work.scope(task))
        )
        return [not_reached(outlet), *(one for one in sections if one.name in wanted)]

    def files(self) -> list[str]:
        """List project files, from git or the directory, without local ones."""
        from satchel.storage.git import is_local

        return [name for name in self._files() if not is_local(name)]

    def _files(self) -> list[str]:
        from contextlib import suppress

        from satchel.storage import git

        root = self.work.project.place.root
        with suppress(git.GitError):
            return sorted(name for name in git.files(root) if name.isprintable())
        found = []
        for directory, names, files in os.walk(root):
            names[:] = sorted(n for n in names if not n.startswith(".") and n != "node_modules")
            below = os.path.relpath(directory, root)
            prefix = "" if below == "." else below.replace(os.sep, "/") + "/"
            found += [prefix + name for name in sorted(files) if name.isprintable()]
            if len(found) > _MOST_FILES:
                break
        return found[:_MOST_FILES]

    def _critical(self, languages: list[str]) -> list[CriticalPattern]:
        with self.work.notes as notebook:
            every = notebook.critical_patterns()
        spoken = {name.lower() for name in languages}
        fitting = [one for one in every if not one.language or one.language.lower() in spoken]
        outlet = Outlet(self.work)
        return [one for one in fitting[:_CRITICAL] if outlet.admits(one.path)]


_READMES = ("readme.md", "readme.rst", "readme.txt", "readme", "readme.markdown")
_INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "BEANS.md", "copilot-instructions.md")
_MOST_FILES = 20_000
