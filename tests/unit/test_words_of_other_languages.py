"""Small words and goodbyes in other languages than English."""

import pytest

from satchel.application.learning.listening.turns import closes
from satchel.engine.search.tokens import COMMON, shares_enough
from satchel.engine.words import WRITTEN_SHORT

APART = (
    ("comment on lance les tests de la base en local", "Les messages de commit sont en anglais"),
    (
        "où est la doc de déploiement pour les nouveaux",
        "Pas de bash pour les migrations de la base",
    ),
    ("wie starte ich die Tests und nicht die CI", "Die Preise sind in Cent und nicht in Euro"),
    ("cuales son los pasos para los nuevos", "Los mensajes van en ingles para los clientes"),
    ("jak to spustit, aby to bylo v testu už také", "Image se staví jen podle sha a už také v CI"),
    ("как это запустить и где", "Это не для всех, и как уже было"),
)
ALIKE = (
    ("en quelle langue sont les messages de commit", "Les messages de commit sont en anglais"),
    ("wann wird die Datenbank nachts geleert", "Die Datenbank wird nachts um 3 geleert"),
    ("where is the ci config for the em dash", "The ci config replaces the em dash"),
)


@pytest.mark.parametrize(("question", "text"), APART)
def test_small_words_alone_are_no_match(question: str, text: str) -> None:
    assert not shares_enough(question, text)


@pytest.mark.parametrize(("question", "text"), ALIKE)
def test_what_is_asked_about_still_matches(question: str, text: str) -> None:
    assert shares_enough(question, text)


def test_words_of_the_trade_stay() -> None:
    trade = "ci em os die man mit es du del com sa ca di vi nas dos po er op ten est van fra son ip"
    assert set(trade.split()) & COMMON <= {"son"}
    assert not {pair.split()[0] for pair in WRITTEN_SHORT} & COMMON


@pytest.mark.parametrize(
    "said", ["parfait, à demain", "c'est tout pour aujourd'hui, merci", "eso es todo, gracias"]
)
def test_goodbyes_ask_for_nothing(said: str) -> None:
    assert closes(said)
