"""The parts of prompts: memory, instructions, session prompts, code, and whole prompts."""

from __future__ import annotations

import os

from satchel.application.outlet import Outlet
from satchel.core import times
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.trust import new_nonce
from satchel.storage.safe_open import read_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.briefs.assembling import Assembled
    from satchel.application.briefs.templates import RenderedTemplate, Template
    from satchel.application.services import Services
    from satchel.engine.inference.token_counting import TokenCount
    from satchel.features.intent.values import Excerpt
    from satchel.features.tasks.reading import Task

_MEMORY_FILE_LINES = 200
_LARGEST_FILE = 262_144
#: Tokens of tags and fences around the sections of a prompt.
_FRAME = 400


class PromptParts:
    """Composes parts of prompts from an open project."""

    def __init__(self, work: Services) -> None:
        self.work = work

    def memory(self, *, task: str = "", budget: int = 0) -> str:
        """Compose the memory brief of Beads Console: scoped memories as Markdown."""
        from satchel.application.briefs.memory_brief import memory_brief

        work = self.work
        work.refresh()
        most = budget or work.project.settings.integer("brief.max_tokens")
        outlet, scope = Outlet(work), work.scope(task)
        found = work.memories.stores.retry_after_rebuild(lambda: outlet.scoped(scope)[0])
        return memory_brief(found, budget=most, missing=outlet.missing)

    def memory_file(self) -> str:
        """Return the first 200 lines of the project's instruction file; "" if none."""
        path = self.work.project.tracked.place("memory")
        if not Outlet(self.work).admits(path):
            return ""
        lines = self.text_of(path).splitlines()[:_MEMORY_FILE_LINES]
        return "\n".join(lines)

    def intent(self, *, task: str = "", budget: int = 0, outlet: Outlet | None = None) -> Excerpt:
        """Return the intent relevant to a task; empty until the file is approved."""
        from satchel.features.intent.values import Excerpt

        intent = self.work.intent
        if not intent.exists or not (outlet or Outlet(self.work)).admits(intent.path):
            return Excerpt("", 0, (), (), ())
        return intent.excerpt(task=task, budget=budget)

    def instructions(self, *, task: str = "", skill_level: str = "", intent: bool = True) -> str:
        """Compose the project instructions in six parts."""
        from satchel.application.briefs.assembling import project_instructions
        from satchel.features.tasks.bd_program import SOURCES, beads_prime

        work = self.work
        root, outlet = work.project.place.root, Outlet(work)
        sources = [*(os.path.join(root, one) for one in SOURCES), *work.project.tracked.tasks]
        # bd prints what the repository's own files tell it to.
        is_ours = all(outlet.admits(path) for path in sources)
        return project_instructions(
            skill_level=skill_level or work.project.settings.text("brief.skill_level"),
            prime_text=beads_prime(root) if is_ours else "",
            intent=self.intent(task=task).text if intent else "",
            has_beads=os.path.isdir(os.path.join(root, ".beads")),
            has_tasks=any(os.path.isfile(path) for path in work.project.tracked.tasks),
        )

    def assembled(
        self,
        message: str,
        *,
        task: str = "",
        skill_level: str = "",
        pack: str = "",
        budget: int = 0,
    ) -> Assembled:
        """Assemble the whole prompt: instructions, intent, memory, code, and the message.

        Args:
            task: whose intent and memories to include.
            skill_level: how to speak; "" for the setting.
            pack: the subject of the code section: a task text; "" for none.
            budget: the most tokens in total; 0 for the setting.
        """
        from satchel.application.briefs.assembling import (
            CODE,
            INSTRUCTIONS,
            INTENT,
            MEMORY,
            TASK,
            assemble,
        )

        work = self.work
        counted = self.token_count()
        most = budget or work.project.settings.integer("prompt.assembled_tokens")
        share = most // 4
        parts = {
            INSTRUCTIONS: self.instructions(task=task, skill_level=skill_level, intent=False),
            TASK: self._task_details(task),
            INTENT: self.intent(
                task=task, budget=min(share, work.project.settings.integer("intent.max_tokens"))
            ).text,
            MEMORY: self.memory(
                task=task, budget=min(share, work.project.settings.integer("brief.max_tokens"))
            ),
        }
        if pack:
            spent = sum(counted.count(text) for text in parts.values()) + counted.count(message)
            parts[CODE] = self.code(pack, max(0, most - spent - _FRAME))
        return assemble(parts, message, budget=most, nonce=new_nonce(), count=counted.count)

    def code(self, about: str, budget: int) -> str:
        """Return a context pack as text within a token budget."""
        from satchel.features.code.packs.text import pack_text
        from satchel.features.code.packs.values import PackRequest

        if budget <= 0:
            return ""
        with self.work.code as code:
            return pack_text(code.pack(PackRequest(about, max_tokens=budget)))

    # Session prompts

    def template(self, kind: str) -> Template:
        """Return the session prompt of a kind: the project's own, or the built-in one."""
        from satchel.application.briefs.templates import DEFAULTS, Template

        found = self.template_file(kind)
        return found if found is not None else Template(kind, DEFAULTS[kind], name="default")

    def template_file(self, kind: str, outlet: Outlet | None = None) -> Template | None:
        """Return the project's own usable session prompt of a kind, or None."""
        tracked = self.work.project.tracked
        claude = os.path.join(tracked.root, ".claude", "prompts")
        for directory in (tracked.place("prompts"), claude):
            path = os.path.join(directory, f"session-{kind}.md")
            if os.path.lexists(path):
                from satchel.application.briefs.templates import read_template

                if not (outlet or Outlet(self.work)).admits(path):
                    return None
                data = read_inside(tracked.root, path, most=_LARGEST_FILE)
                return read_template(data, kind, path)
        return None

    def rendered(
        self, template: Template, *, task: str = "", brief: bool = True
    ) -> RenderedTemplate:
        """Fill in a session prompt, without the memory brief unless `brief` is set."""
        from satchel.application.briefs.templates import rendered

        return rendered(template, self._values(task, brief=brief, text=template.text))

    def _values(self, task: str, *, brief: bool, text: str) -> dict[str, str]:
        """Return the variables' values; expensive ones only if the text uses them."""
        from satchel.project.place import branch_of

        work = self.work
        scope = work.scope(task)
        known = self._task(scope.task) if scope.task else None
        values = {
            "project_name": os.path.basename(work.project.place.root),
            "bead_id": scope.task,
            "epic_id": scope.epic,
            "branch": branch_of(work.project.place.root),
            "date": times.day(work.project.clock.now()),
            "skill_level": work.project.settings.text("brief.skill_level"),
        }
        if known is not None:
            values |= {
                "bead_title": known.title,
                "bead_description": known.description,
                "bead_acceptance_criteria": known.acceptance,
                "bead_status": known.status,
            }
        if "intent_brief" in text and brief:
            values["intent_brief"] = self.intent(task=scope.task).text
        if "memory_brief" in text and brief:
            values["memory_brief"] = self.memory(task=scope.task)
        if "next_steps" in text:
            outlet = Outlet(work)
            steps = [step.record.content for step in outlet.newest(("next_step",), 5)]
            steps += [outlet.missing] if outlet.missing else []
            values["next_steps"] = "\n".join(f"- {step}" for step in steps)
        return values

    def _task_details(self, task: str) -> str:
        """Return a task's title, description and criteria as Markdown, or ""."""
        known = self._task(task) if task else None
        if known is None:
            return ""
        criteria = f"### Acceptance Criteria\n{known.acceptance}" if known.acceptance else ""
        head = f"## {known.id}: {known.title}"
        return "\n\n".join(part for part in (head, known.description, criteria) if part.strip())

    def _task(self, task: str) -> Task | None:
        from satchel.features.tasks.reading import read_tasks

        outlet = Outlet(self.work)
        files = [path for path in self.work.project.tracked.tasks if outlet.admits(path)]
        return read_tasks(files).get(task)

    # Counting

    def token_count(self) -> TokenCount:
        """Return how tokens are counted here, and whether the count is exact."""
        from satchel.engine.inference.token_counting import token_count_for

        settings = self.work.project.settings
        return token_count_for(settings.text("tokens.model"), settings.text("tokens.tokenizer"))

    def text_of(self, path: str) -> str:
        """Return the text of a regular file in the project; "" for anything else."""
        try:
            data = read_inside(self.work.project.place.root, path, most=_LARGEST_FILE)
        except (NotFoundError, BadInputError):
            return ""
        return data.decode("utf-8", "replace")
