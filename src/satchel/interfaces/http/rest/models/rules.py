"""Soft rules, which are weighed, and guards, which are enforced."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from satchel.interfaces.http.rest.models.fields import Answer, Held, Tags, says


class SoftRule(Answer):
    """A rule that agents weigh: they are shown it with its confidence."""

    id: Annotated[str, says("Id of the rule.", "i-3f2a")]
    rule: Annotated[str, says("What it says.", "Run the linter before you push.")]
    confidence: Annotated[float, says("The value in its file, 0 to 1.", 0.7)]
    worth: Annotated[float, says("The value after decay since it was last confirmed.", 0.65)]
    scope: Annotated[str, says("project, domain or universal.", "project")]
    category: Annotated[str, says("What it is about.", "tooling")]
    created: Annotated[str, says('A date; "" if unknown.', "2026-03-16")]
    last_reinforced: Annotated[str, says('A date; "" if never.', "2026-03-20")]
    reinforcement_count: Annotated[int, says("How often it was confirmed.", 2)]
    source: Annotated[str, says("What it was derived from.", "01M8ZK3")]
    tags: Tags
    promoted: Annotated[str, says('The note that it became; "" for none.', "")]
    trust: Held


class SoftRules(Answer):
    """The soft rules of a project."""

    rules: Annotated[list[SoftRule], says("The rules, as their file has them.")]
    problems: Annotated[list[str], says("What is wrong with the file.", [])]


class RuleClash(Answer):
    """Another rule that says the same, or the opposite."""

    what: Annotated[str, says("What is wrong.", "contradicts")]
    rule: Annotated[str, says("The other rule.", "Never run the linter.")]
    why: Annotated[str, says("Why it counts as such.", "never")]


class AddedRule(Answer):
    """A soft rule that was added."""

    rule: Annotated[SoftRule, says("The rule as it was added.")]
    clashes: Annotated[list[RuleClash], says("Rules that it contradicts.")]


class RemovedRule(Answer):
    """A soft rule or a guard that was removed."""

    id: Annotated[str, says("Its id.", "i-3f2a")]


class GuardExample(Answer):
    """A tool call, and whether the guard must act on it."""

    tool: Annotated[str, says("The tool.", "Bash")]
    given: Annotated[dict[str, Any], says("What it is called with.", {"command": "npm i"})]
    fires: Annotated[bool, says("Whether the guard must act.", True)]


class GuardPatterns(Answer):
    """A guard's patterns: all given ones must match, `unless` must not."""

    tools: Annotated[list[str], says("Tools whose calls it looks at; empty for all.", ["Bash"])]
    command: Annotated[str, says('Pattern in the command; "" for none.', "npm i*")]
    path: Annotated[str, says('Pattern in the path; "" for none.', "")]
    content: Annotated[str, says('Pattern in what is written; "" for none.', "")]
    unless: Annotated[str, says('Pattern that must not be found; "" for none.', "")]


class GuardPlaces(Answer):
    """A guard's scope; empty fields do not restrict it."""

    paths: Annotated[list[str], says("Globs of paths.", [])]
    agents: Annotated[list[str], says("Names of agents.", [])]
    branches: Annotated[list[str], says("Globs of branches.", [])]


class Guard(Answer):
    """A rule that acts before a tool runs, and its state on this machine."""

    id: Annotated[str, says("Id of the guard.", "g-2026-03-16-npm")]
    action: Annotated[Literal["warn", "ask", "deny"], says("What it does.", "deny")]
    message: Annotated[str, says("What the agent is told.", "Use pnpm.")]
    when: Annotated[GuardPatterns, says("What it looks for.")]
    where: Annotated[GuardPlaces, says("Where it holds.")]
    examples: Annotated[list[GuardExample], says("Its own examples.")]
    source: Annotated[str, says('The memory it was made of; "" for none.', "01M8ZK3")]
    digest: Annotated[str, says("Hash of the whole guard, which an approval refers to.", "5c1e0f")]
    state: Annotated[
        Literal["waiting", "active", "off", "broken"], says("Its state on this machine.", "waiting")
    ]
    wrong: Annotated[list[str], says("What keeps it from being used.", [])]
    approved_by: Annotated[str, says('Who approved it; "" for nobody.', "")]
    fired: Annotated[int, says("How often it acted on this machine.", 0)]
    edited: Annotated[bool, says("Whether its version before an edit still acts.", False)]


class Guards(Answer):
    """The guards of a project."""

    guards: Annotated[list[Guard], says("The guards, as their file has them.")]
