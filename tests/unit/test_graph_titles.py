from satchel.features.graph.passages import PassageGraph, linked_by_title

ROWS = [
    ("a", "Mercury (planet)", "The first planet. It has no moon."),
    ("b", "Caloris Basin", "A crater on Mercury's surface, seen from Earth."),
    ("c", "Earth", "The third planet."),
    ("d", "Io", "A moon; io is short for input and output."),
    ("e", "Lava", "It flows on io, on Caloris Basin and nowhere else."),
]


def names() -> dict[str, tuple[str, ...]]:
    return {one.id: one.entities for one in linked_by_title(ROWS)}


def test_a_passage_names_itself_and_the_titles_in_its_text() -> None:
    assert names()["a"] == ("mercury",)
    assert set(names()["b"]) == {"caloris basin", "mercury", "earth"}
    assert set(names()["e"]) == {"lava", "caloris basin"}


def test_short_titles_are_words_like_any_other() -> None:
    assert names()["d"] == ()


def test_the_walk_goes_from_a_passage_to_what_it_names() -> None:
    graph = PassageGraph(linked_by_title(ROWS))
    scores = graph.rank({"e": 1.0})
    assert scores["b"] > scores["c"] > 0  # lava names the basin, the basin names the earth
    assert scores.get("d", 0.0) < scores["b"]
