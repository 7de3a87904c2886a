import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.errors import BadInputError, SatchelError, UnknownSettingError
from satchel.interfaces.http.console.routes.settings import GROUPS
from satchel.storage.settings.loading import last_settings, load_settings, origins
from satchel.storage.settings.table import PERSONAL, SETTINGS, Settings, parsed


def loaded(
    tmp_path: Path, user: str = "", project: str = "", *, snapshot: bool = False
) -> Settings:
    paths = [tmp_path / "config.toml", tmp_path / "project.toml"]
    for path, text in zip(paths, (user, project), strict=True):
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    kept = str(tmp_path / "settings.json") if snapshot else ""
    return load_settings(str(paths[0]), str(paths[1]), kept)


def test_without_files_everything_has_its_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SATCHEL_EMBED_BACKGROUND", raising=False)
    given_ = load_settings(str(tmp_path / "none"), str(tmp_path / "nothing"))
    assert given_.as_dict() == {s.name: s.default for s in SETTINGS}


def test_the_project_has_the_word_over_the_user_and_the_environment_over_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, project = "[recall]\nlimit = 3\n[brief]\nrecent = 7\n", "[recall]\nlimit = 4\n"
    assert loaded(tmp_path, user).integer("recall.limit") == 3
    both = loaded(tmp_path, user, project)
    assert (both.integer("recall.limit"), both.integer("brief.recent")) == (4, 7)
    monkeypatch.setenv("SATCHEL_RECALL_LIMIT", "5")
    assert loaded(tmp_path, user, project).integer("recall.limit") == 5


def test_every_setting_can_be_given_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        name = "SATCHEL_" + setting.name.upper().replace(".", "_")
        monkeypatch.setenv(name, str(setting.default))
    assert load_settings("", "").as_dict() == {s.name: s.default for s in SETTINGS}


def test_a_snapshot_is_used_while_the_files_stand_and_renewed_when_they_change(
    tmp_path: Path,
) -> None:
    loaded(tmp_path, project="[recall]\nlimit = 4\n", snapshot=True)
    kept = tmp_path / "settings.json"
    kept.write_text(kept.read_text(encoding="utf-8").replace("4", "6", 1), encoding="utf-8")
    stamp = os.stat(kept).st_mtime_ns
    loaded(tmp_path, project="[recall]\nlimit = 4\n", snapshot=True)
    changed = loaded(tmp_path, project="[recall]\nlimit = 11\n", snapshot=True)
    assert changed.integer("recall.limit") == 11
    assert os.stat(kept).st_mtime_ns >= stamp


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"stamp": 1}', '{"stamp": [], "values": 3}', "\x00"]
)
def test_a_damaged_snapshot_is_made_anew(tmp_path: Path, damage: str) -> None:
    (tmp_path / "settings.json").write_text(damage, encoding="utf-8")
    settings = loaded(tmp_path, project="[recall]\nlimit = 4\n", snapshot=True)
    assert settings.integer("recall.limit") == 4


def test_an_unknown_setting_is_named_with_the_nearest_one(tmp_path: Path) -> None:
    with pytest.raises(UnknownSettingError, match=r"recall\.limt") as caught:
        loaded(tmp_path, project="[recall]\nlimt = 4\n")
    assert "recall.limit" in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "[recall\nlimit = 4",
        "[recall]\nlimit = 'many'",
        "[hooks]\ncapture = 'perhaps'",
        '[layout]\npreset = "bogus"',
        "[[hooks]]\ncapture = true",
        "[memory]\ninsight_ttl_hours = inf",
        "[memory]\ninsight_ttl_hours = nan",
        "[recall]\nlimit = -1",
        "[brief]\nmax_tokens = -1",
        "[upkeep]\nexpiry_cap = -0.5",
        "hooks = 3",
        "<<<<<<< HEAD\n[recall]\n=======\n>>>>>>> theirs",
    ],
)
def test_what_cannot_be_a_setting_is_refused_with_the_file_and_a_next_step(
    tmp_path: Path, text: str
) -> None:
    with pytest.raises(BadInputError) as caught:
        loaded(tmp_path, project=text, snapshot=True)
    assert "project.toml" in str(caught.value)
    assert caught.value.hint


def test_a_list_of_texts_is_as_good_as_commas(tmp_path: Path) -> None:
    settings = loaded(tmp_path, project='[share]\nkinds = ["learned", "fact"]\n')
    assert settings.words("share.kinds") == ("learned", "fact")


def test_the_projects_own_table_holds_no_settings(tmp_path: Path) -> None:
    loaded(tmp_path, project='[project]\nid = "01X"\nname = "anything"\n')


@pytest.mark.parametrize("name", ["model.url", "model.embed", "notes.knowledge_base"])
def test_a_repository_cannot_say_where_texts_are_sent(tmp_path: Path, name: str) -> None:
    section, key = name.split(".")
    line = f'[{section}]\n{key} = "http://somewhere.example"\n'
    assert "somewhere" not in loaded(tmp_path, project=line).text(name)
    assert "somewhere" in loaded(tmp_path, user=line).text(name)


@pytest.mark.parametrize("name", [one.name for one in SETTINGS if isinstance(one.default, bool)])
def test_what_a_person_switched_off_no_repository_switches_on(tmp_path: Path, name: str) -> None:
    section, _, word = name.partition(".")
    off, on = (f"[{section}]\n{word} = {value}\n" for value in ("false", "true"))
    assert not loaded(tmp_path, off, on).flag(name)
    assert "project.toml" not in origins(
        str(tmp_path / "config.toml"), str(tmp_path / "project.toml")
    ).get(name, "")
    if not name.startswith(PERSONAL):
        assert not loaded(tmp_path, on, off).flag(name)  # switching off is anybody's


def test_a_repository_that_is_broken_takes_no_setting_of_the_person_away(tmp_path: Path) -> None:
    user, broken = "[sessions]\nimport = false\n[recall]\nlimit = 3\n", "[recall\n"
    paths = [str(tmp_path / name) for name in ("settings.json", "config.toml")]
    with pytest.raises(BadInputError):
        loaded(tmp_path, user, broken, snapshot=True)
    assert not last_settings(*paths).flag("sessions.import")
    loaded(tmp_path, user, "[recall]\nlimit = 5\n", snapshot=True)
    with pytest.raises(BadInputError):
        loaded(tmp_path, user, broken, snapshot=True)
    assert last_settings(*paths).integer("recall.limit") == 5, "the last good ones"
    changed = "[hooks]\ncapture = false\n"
    with pytest.raises(BadInputError):
        loaded(tmp_path, changed, broken, snapshot=True)
    assert not last_settings(*paths).flag("hooks.capture"), "what the person said since"


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    assert loaded(tmp_path, project="\ufeff[recall]\nlimit = 4\n").integer("recall.limit") == 4


@given(
    st.sampled_from(SETTINGS), st.text(max_size=12) | st.integers() | st.floats() | st.booleans()
)
def test_a_value_is_taken_with_its_type_or_refused_in_words(setting: object, value: object) -> None:
    name, default = setting.name, setting.default  # type: ignore[attr-defined]
    try:
        taken = parsed(name, value, "here")
    except SatchelError as error:
        assert name in str(error)  # noqa: PT017 -- both outcomes are right; this is one of them
        return
    assert type(taken) is type(default)


def test_every_setting_says_what_it_is_for() -> None:
    for setting in SETTINGS:
        assert setting.help.endswith(".")
        assert parsed(setting.name, setting.default, "default") == setting.default


def test_every_section_has_one_heading_in_the_console() -> None:
    listed = [name for _, names in GROUPS for name in names]
    assert sorted(listed) == sorted({one.name.partition(".")[0] for one in SETTINGS})
