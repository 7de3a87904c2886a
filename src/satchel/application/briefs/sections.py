"""What briefs are made of. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple


class Item(NamedTuple):
    """One line or block of a section, and the memory it shows ("" for none)."""

    text: str
    identity: str = ""
    id: str = ""
    why: str = ""
    raw: str = ""


class Section(NamedTuple):
    """A titled list of items, most important first, and how to get what does not fit."""

    name: str
    title: str
    items: tuple[Item, ...]
    more: str = ""


class PlacedItem(NamedTuple):
    """An item that made it into a brief: its section, rank there (from 1) and cost."""

    item: Item
    section: str
    rank: int
    tokens: int


class Brief(NamedTuple):
    """A composed brief: its text with the fence, its cost, what it holds and what it left out."""

    text: str
    tokens: int
    budget: int
    placed: tuple[PlacedItem, ...]
    left_out: int
