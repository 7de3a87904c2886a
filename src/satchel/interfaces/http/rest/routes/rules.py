"""`/api/projects/{id}/rules` and `/guards`: what agents weigh, and what acts before a tool runs."""

from __future__ import annotations

from typing import Any

from satchel.application import approval
from satchel.application.outlet import held_back
from satchel.core.errors import BadInputError
from satchel.features.guards.values import ACTIVE, WAITING
from satchel.features.instincts.values import NewInstinct
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models import rules as models
from satchel.interfaces.http.rest.models.requests import (
    GuardDraftBody,
    GuardStateBody,
    RuleBody,
    VerdictBody,
)
from satchel.interfaces.http.rest.responses import (
    Asker,
    GuardRef,
    Once,
    Project,
    RuleRef,
    described,
    owned,
    routes,
)
from satchel.interfaces.rendering import cleaned
from satchel.workspace import Workspace

router = routes("/api/projects/{projectId}", "rules")


def _rule(project: Workspace, ident: str) -> dict[str, Any]:
    rules = project.instincts
    one = rules.find(ident)
    return views.rule(one, rules.current_confidence(one), held=_are_held(project))


def _are_held(project: Workspace) -> bool:
    return bool(held_back(project, [project.instincts.file.path]))


@router.get("/rules", **described("List soft rules", models.SoftRules, 400))
def list_rules(project: Project) -> dict[str, Any]:
    """Soft rules with their confidence, in file order."""
    rules = project.instincts
    found = rules.read()
    held = _are_held(project)
    told = [views.rule(one, rules.current_confidence(one), held=held) for one in found.instincts]
    return {"rules": told, "problems": cleaned(list(found.problems))}


@router.post("/rules", **described("Add a soft rule", models.AddedRule, 400, 409), status_code=201)
def add_rule(body: RuleBody, project: Project, asker: Asker, once: Once) -> Any:
    """Add a rule, and return the rules it contradicts."""

    def make() -> dict[str, Any]:
        fields = body.model_dump(exclude={"project_id", "tags"})
        new = NewInstinct(**fields, tags=tuple(body.tags))
        done, clashing = project.instincts.add(new, agent=asker.author, request=once.ident)
        clashes = [{"what": one.what, "rule": one.rule.text, "why": one.why} for one in clashing]
        return {"rule": _rule(project, done.changes[0].id), "clashes": cleaned(clashes)}

    return once(body.model_dump(), make)


@router.post(
    "/rules/{ruleId}/verdict",
    **described("Confirm or contradict a soft rule", models.SoftRule, 400, 409),
)
def judge_rule(
    ruleId: RuleRef, body: VerdictBody, project: Project, asker: Asker, once: Once
) -> Any:
    """Confirm or contradict a rule. Every call counts."""

    def judge() -> dict[str, Any]:
        ident = project.instincts.find(ruleId).id
        if body.verdict == "confirm":
            project.instincts.reinforce(ident, agent=asker.author, request=once.ident)
        else:
            project.instincts.contradict(ident, by=body.by, agent=asker.author, request=once.ident)
        return _rule(project, ident)

    return once(body.model_dump(), judge)


@router.delete("/rules/{ruleId}", **described("Remove a soft rule", models.RemovedRule, 400, 409))
def remove_rule(ruleId: RuleRef, project: Project) -> dict[str, Any]:
    """Remove a rule from its file."""
    ident = project.instincts.find(ruleId).id
    project.instincts.remove(ident)
    return {"id": cleaned(ident)}


@router.get("/guards", **described("List guards", models.Guards, 400))
def list_guards(project: Project) -> dict[str, Any]:
    """Guards, and their state on this machine."""
    return {"guards": [views.guard(one) for one in project.guards.statuses()]}


@router.post(
    "/guards", **described("Draft a guard from a memory", models.Guard, 400, 409), status_code=201
)
def draft_guard(body: GuardDraftBody, project: Project, once: Once) -> Any:
    """Draft a guard from what a memory forbids. It acts once the user approves it."""

    def make() -> dict[str, Any]:
        memory = project.memories.versions(body.memory_id)[0].record
        drafts = project.guards.drafts(memory.id, request=once.ident)
        made = project.guards.add(drafts[0].fields)
        return _guard(project, made.id)

    return once(body.model_dump(), make)


@router.put(
    "/guards/{guardId}/state",
    **described("Approve a guard, or turn it on or off", models.Guard, 400, 409),
)
def set_guard_state(guardId: GuardRef, body: GuardStateBody, project: Project) -> dict[str, Any]:
    """Approve it on this machine as you read it (`digest`), or turn it off or on.

    Only for the person whose machine it is.
    """
    work = owned(project)
    approval.refuse_agent(work)
    now = _guard(work, guardId)
    if body.state == ACTIVE and now["state"] == WAITING:
        if not body.digest:
            raise BadInputError("Approving needs the `digest` of the guard as you read it.")
        work.guards.approve(now["id"], digest=body.digest)
    else:
        work.guards.switch(now["id"], on=body.state == ACTIVE)
    return _guard(work, now["id"])


@router.delete("/guards/{guardId}", **described("Remove a guard", models.RemovedRule, 400, 409))
def remove_guard(guardId: GuardRef, project: Project) -> dict[str, Any]:
    """Remove a guard from its file."""
    return {"id": cleaned(project.guards.remove(guardId).id)}


def _guard(project: Workspace, reference: str) -> dict[str, Any]:
    ident = project.guards.find(reference)[0].id
    return next(views.guard(one) for one in project.guards.statuses() if one.guard.id == ident)
