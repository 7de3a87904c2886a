"""The building blocks of briefs. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple


class Item(NamedTuple):
    """A line or block of a section, and the id of the memory it shows ("" for none).

    `version` tells that memory from a colleague's with the same identity.
    """

    text: str
    identity: str = ""
    id: str = ""
    why: str = ""
    raw: str = ""
    version: str = ""


class Section(NamedTuple):
    """A titled list of items, most important first, and how to get what does not fit."""

    name: str
    title: str
    items: tuple[Item, ...]
    more: str = ""


class PlacedItem(NamedTuple):
    """An item included in a brief: its section, its rank there (from 1) and its cost."""

    item: Item
    section: str
    rank: int
    tokens: int


class Brief(NamedTuple):
    """A composed brief: its fenced text, its cost, and the items included and left out.

    `news` and `waits` are for the user, not the agent: what was found since the last such brief, ""
    for nothing; and what is waiting for their decision, one line each.
    """

    text: str
    tokens: int
    budget: int
    placed: tuple[PlacedItem, ...]
    left_out: int
    news: str = ""
    waits: tuple[str, ...] = ()


class Reader(NamedTuple):
    """Who reads a session's brief.

    Attributes:
        client: the starting client, if known: what it reads itself is left out.
        agent: name of the starting agent, if it is not a subagent.
        role: name of the subagent that starts, whose own memories come first.
        how: the line that says how to remember; "" for the one of a shell.
        session: the client's id of the session; "" if unknown.
    """

    client: str = ""
    agent: str = ""
    role: str = ""
    how: str = ""
    session: str = ""
