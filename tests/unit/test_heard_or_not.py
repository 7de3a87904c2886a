"""What is heard of languages other than English, of facts in plain words, and of orders for once."""

import pytest

from satchel.application.learning.signals.hearing import hear


@pytest.mark.parametrize(
    "said",
    [
        "修一下登录页面的样式",
        "我觉得应该是缓存的问题",
        "ボタンを押しても反応しない",
        "le bouton ne réagit pas",
        "toujours la même erreur",
        "sempre lo stesso errore",
        "der test schlägt immer noch fehl",
        "przycisk nie reaguje",
        "még mindig ugyanaz a hiba",
        "no funciona en móvil",
        "手机上显示不对",
        "不是这个文件, 是另一个",
    ],
)
def test_what_passes_in_other_languages_is_not_heard(said: str) -> None:
    assert hear(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "ne touche jamais au dossier vendor",
        "nie ohne tests mergen",
        "vendor ディレクトリは触らないで、自動生成だから",
        "vendor 디렉터리는 건드리지 마, 자동 생성이야",
        "커밋은 작은 게 좋아",
        "vendor klasörüne dokunma, otomatik üretiliyor",
        "不对, 端口是 8081, 不是 8080",
    ],
)
def test_what_lasts_in_other_languages_is_heard(said: str) -> None:
    assert hear(said)


@pytest.mark.parametrize(
    "said",
    [
        "The 3 second timeout is deliberate",
        "julia took over the shipping stuff from ben",
        "Priya left, billing is Tom's now",
        "we moved the docs to notion",
        "the acceptance tests are the spec, if they fail the code is wrong",
        "the price list comes as latin-1 not utf-8",
    ],
)
def test_how_something_stands_is_a_fact(said: str) -> None:
    assert [one.label for one in hear(said)] == ["fact"]


@pytest.mark.parametrize(
    "said",
    [
        "is that on purpose",
        "the rollup job needs a retry when the billing api answers 429",
        "create a github action that builds the image on every push",
        "rename getUser to fetchUser everywhere",
        "replace moment with dayjs in these three files",
        "use the data from the csv in /tmp to fill the table",
        "CI says: coverage dropped below 80%",
        "the images do not load anymore",
        "stop the dev server",
        "the conflict is in package.json, take mine",
        "no dependency needed i think",
        "are websockets an option",
        "the advantage would be that we don't need a lock",
    ],
)
def test_what_is_to_be_done_once_is_not_heard(said: str) -> None:
    assert hear(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "yeah no nvm, wrong dashboard",
        "can you make a changelog entry? wait we dont have one. nvm",
        "dont touch main.go while im editing it",
        "do the flush thing in store.go, every 10s like the adr says",
        "my todo for monday: ask finance about egress rates",
        "can u always show me the diff before commiting. like, this once",
        "dont convert old ones now, just write new ones that way",
        "no, not in ingest, main.go",
        "the staging port thing in deploy.yaml",
    ],
)
def test_what_is_taken_back_or_only_for_now_is_not_heard(said: str) -> None:
    assert hear(said) == []


@pytest.mark.parametrize(
    ("said", "wording"),
    [
        (
            "from now on branches are dc/TICKET-topic, e.g. dc/MET-112-foo",
            "Branches are dc/TICKET-topic, e.g. dc/MET-112-foo",
        ),
        (
            "ok forget kafka vs table, team decided kafka after all, platform runs it",
            "Team decided kafka after all, platform runs it",
        ),
        (
            "Dont sleep in the loop. Vendor says anything else gets our key blocked",
            "Dont sleep in the loop: vendor says anything else gets our key blocked",
        ),
        (
            "Use spaces from now on. Tabs are a pain in review",
            "Use spaces from now on: tabs are a pain in review",
        ),
    ],
)
def test_a_lesson_is_whole(said: str, wording: str) -> None:
    assert [one.wording for one in hear(said)] == [wording]


@pytest.mark.parametrize(
    "said",
    [
        "create a branch for each ticket, never commit on main",
        "do the migrations by hand, never with autogenerate",
        "the problem is that nginx buffers the response, so flush has no effect",
    ],
)
def test_what_looks_like_an_order_for_once_and_lasts_is_heard(said: str) -> None:
    assert hear(said)
