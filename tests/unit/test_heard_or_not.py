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
        "the quota is 50 MB now, was 20",
        "deploy window moved from thursday to tuesday",
        "asked the vendor, the serial has 9 digits now, used to be 8",
        "the truck port is 8091 now instead of 8090",
        "as of today all new endpoints go under /v2",
        "ok talked to bo: celsius ints in storage, kelvin only inside the solver",
        "max 3 retries now (used to be 5), ops asked for it",
        "times in the export are local (UTC+1), the db is utc",
    ],
)
def test_what_is_no_longer_so_is_heard_whole(said: str) -> None:
    (heard,) = hear(said)
    assert heard.wording.count("(") == heard.wording.count(")")


@pytest.mark.parametrize(
    "said",
    [
        "the build takes 4 min now, was 2",
        "the header is 48 px now, was 40, why?",
        "since your change the page shows 12 rows, it was 20",
        "the count is 48 now, was 52, so 4 got lost somewhere",
        "memory is at 800 mb now, was 300 an hour ago",
        "the button moved from left to right after your last edit",
        "talked to bo: he is out sick till monday",
        "max 3 retries now",
    ],
)
def test_what_changed_under_work_is_not_heard(said: str) -> None:
    assert hear(said) == []


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
        "hi, the feed fails with UnicodeDecodeError, can you look? file is in feeds/nordwind.csv",
        "gdpr, we had an audit because of that",
        "no jitter, keep it simple",
        "dis-75, the tracking handler casts everything to any",
        "no comments like that, make a ticket",
        "start with src/api/tracking.ts",
        "write unit tests for calculateTax, all branches please",
        "tell me which of these packages are unused",
        "that was the wrong file, i meant the one in packages/api",
        "the customer will call at 3, i need the fix by then",
        "thx, gotta run, kid is sick. tmrw we do the pilots licences",
        "no, not there, one line further up",
        "great, always a joy when it turns green",
        "continue with the roster, i want pilots to get rest. check what you have",
        "drop the phone column again, i don't want private numbers in there",
        "oh im not in the vpn. one sec",
        "something is off, roster for the 29th is an hour late",
        "i need the list of ships over 180 m from last week, can you get it",
        "maybe we should write it all in rust one day haha",
        "for the record i tested it on my phone",
        "vergiss das mit den kommentaren auf englisch, jörn ist weg und der neue kann deutsch",
        "Zieh erst main und sag mir was sich geändert hat",
        "the advantage would be that we don't need a lock",
    ],
)
def test_what_is_to_be_done_once_is_not_heard(said: str) -> None:
    assert hear(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "no, the other test please. we had that error yesterday",
        "no, a bit bigger. it was fine before",
        "yeah no nvm, wrong dashboard",
        "whats this project, never worked on it",
        "whats up with the build, never saw that before",
        "dont run the linter its 6pm",
        "dont deploy its friday",
        "the lab scanner rejects our batch id, any idea",
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
            "Don't sleep in the loop: vendor says anything else gets our key blocked",
        ),
        (
            "we store prices as integer cents, never as float. thats because sqlite has no decimal",
            "We store prices as integer cents, never as float: sqlite has no decimal",
        ),
        (
            "great. commit that. and dont add the co-authored-by line, i dont want that in this repo",
            "Don't add the co-authored-by line",
        ),
        (
            "why did you add a migration by hand, alembic generates them",
            "Don't add a migration by hand: alembic generates them",
        ),
        (
            "one more: you keep writing docstrings with parameters sections",
            "Stop writing docstrings with parameters sections",
        ),
        (
            "I was wrong about the set in tracking.ts, it has to be a map",
            "The set in tracking.ts has to be a map",
        ),
        (
            "forget the ticket in the commit message, we do that in the PR title only",
            "Ticket in the commit message: we do that in the PR title only",
        ),
        ("thats the gateway, its in the platform repo", "The gateway is in the platform repo"),
        (
            "St. Anna has two consoles, the wind is off for one of them on weekdays",
            "St. Anna has two consoles, the wind is off for one of them on weekdays",
        ),
        (
            "every quote is valid for 14 days incl. weekends, but not for insurers",
            "Every quote is valid for 14 days incl. weekends, but not for insurers",
        ),
        (
            "Forget the thing about commit messages in english, we write them in german now",
            "Commit messages in english: we write them in german now",
        ),
        (
            "use 4 spaces... no wait, 2 spaces, as everywhere in this project",
            "2 spaces, as everywhere in this project",
        ),
        (
            "ha. turns out i was wrong about the BSH tables, since this year they come in utc already",
            "The BSH tables: since this year they come in utc already",
        ),
        ("bun it is, CLAUDE.md is just outdated", "Bun it is"),
        ("one thing at a time, and dont leave TODOs", "One thing at a time, and don't leave TODOs"),
        ("First: never log the customer's address", "Never log the customer's address"),
        (
            "the delimiter should be ; because our customers open it in german excel",
            "The delimiter should be ; because our customers open it in german excel",
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
        "remember that i want to do the code freeze on dec 18",
        "remember that the release is every second tuesday",
        "wait, actually nordwind moved to sftp last week, the ftp is gone",
        "ok lets not. stdlib csv stays, i want to keep the install small",
        "and switch from click to typer, i like the type hints",
        "hm you picked lodash, we threw that out in spring",
        'careful, "account" means the tenant here and not the user',
        "give me the plan first when it touches money",
        "yes found it in the mail: ais2 wants bbox=lat1,lon1,lat2,lon2 as parameter, without it you get none",
        "the rest rule changed: since april its 11 hours not 10, the 6 in a row stay",
        "the printer got replaced, new one does 80 columns",
        "the problem is that nginx buffers the response, so flush has no effect",
    ],
)
def test_what_looks_like_an_order_for_once_and_lasts_is_heard(said: str) -> None:
    assert hear(said)
