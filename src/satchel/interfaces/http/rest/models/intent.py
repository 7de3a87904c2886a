"""The intent of a project, and the links of tasks to its sections."""

from __future__ import annotations

from typing import Annotated, Literal

from satchel.interfaces.http.rest.models.fields import Answer, Held, Plain, TaskId, Time, says

_ANCHOR = says("The anchor of the section.", "constraints.tech-stack")


class IntentSection(Answer):
    """One section of the document."""

    anchor: Annotated[str, says('Its name in links; "" for none.', "overview")]
    path: Annotated[str, says("Its headings, outermost first.", "shop/overview")]
    title: Annotated[str, says("Its heading.", "Overview")]
    level: Annotated[int, says("Its heading level, from 1.", 1)]
    line: Annotated[int, says("Its first line, from 1.", 4)]
    content: Annotated[str, says("Its text, Markdown.", "Sells tea.")]


class IntentWarning(Plain):
    """Something wrong with the document."""

    kind: Annotated[str, says("The kind of problem.", "duplicate-anchor")]
    line: Annotated[int, says("Where, from 1.", 9)]
    text: Annotated[str, says("What is wrong.", "Two sections have this anchor.")]
    hint: Annotated[str, says("The next step.", "Rename one.")]


class IntentDocument(Answer):
    """The parsed document. Without one, `exists` is false and the rest is left out."""

    exists: Annotated[bool, says("Whether there is a document.", True)]
    version: Annotated[str, says("The version in its front matter.", "1")] = ""
    created_at: Annotated[str, says("As its front matter says.", "2026-03-16")] = ""
    updated_at: Annotated[str, says("As its front matter says.", "2026-03-16")] = ""
    hash: Annotated[str, says("Of its bytes.", "5c1e0f")] = ""
    trust: Held = ""
    content: Annotated[str, says("The whole document, Markdown.", "# Shop {#anchor:overview}")] = ""
    anchors: Annotated[list[str], says("Its anchors, in their order.", ["overview"])]
    warnings: Annotated[list[IntentWarning], says("What is wrong with it.")]
    sections: Annotated[list[IntentSection], says("Its sections.")]


class IntentLink(Answer):
    """A link of a task to a section."""

    bead_id: TaskId
    anchor: Annotated[str, _ANCHOR]
    relevance: Annotated[Literal["primary", "related"], says("How much.", "primary")]
    added_at: Time
    added_by: Annotated[str, says("user, agent or the user's name.", "user")]
    note: Annotated[str, says("Why.", "Moves the cache.")]


class IntentLinks(Answer):
    """Links of tasks to sections."""

    links: Annotated[list[IntentLink], says("The links.")]


class RemovedLinks(Answer):
    """How many links were removed."""

    removed: Annotated[int, says("How many.", 1)]


class ReindexedIntent(Answer):
    """The contents of the document."""

    sections: Annotated[int, says("How many sections.", 2)]
    anchors: Annotated[int, says("How many of them have an anchor.", 2)]
