"""The dashboard and the alerts ask for metrics that a server exports, and fire when they should."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from integration.test_team_serving import running

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
ALERTS, TESTS = DEPLOY / "alerts.yml", DEPLOY / "alerts.test.yml"
#: What Prometheus adds to what it asks for: a metric, and two labels.
_UP, _TARGET = "up", {"job", "instance"}
_WORDS = {"and", "or", "unless", "by", "without", "on", "ignoring", "bool", "offset"}
_SHORTEST = 60


def promtool(*words: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("promtool", path=f"{os.environ['PATH']}:{ROOT / 'build'}")
    assert program, "promtool is missing: tests/machine.sh gets it"
    return subprocess.run([program, *words], capture_output=True, text=True)


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load(ALERTS.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def dashboard() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    return read


def panel_expressions() -> list[str]:
    return [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]


def expressions() -> list[str]:
    asked = [one["query"] for one in dashboard()["templating"]["list"]]
    named = [one["query"] for one in asked if isinstance(one, dict)]
    return [*(rule["expr"] for rule in rules()), *panel_expressions(), *named]


def names_in(expression: str) -> tuple[set[str], set[str]]:
    """Return the metrics and the labels that an expression names."""
    bare = re.sub(r'"[^"]*"|\[[^]]*\]', "", expression)
    labels = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)(?!=)", "".join(re.findall(r"{[^}]*}", bare))))
    listed = r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)"
    for group in re.findall(listed, bare):
        labels |= set(re.findall(r"\w+", group))
    if bare.startswith("label_values("):
        labels.add(bare.rstrip(")").rpartition(",")[2].strip())
        bare = bare.rpartition(",")[0]
    bare = re.sub(rf"{listed}|{{[^}}]*}}", "", bare)
    return set(re.findall(r"\b[a-z_]\w*\b(?!\s*\()", bare)) - _WORDS, labels


def missing(text: str, asked: list[str]) -> list[str]:
    """Return metrics and labels of expressions that are not in what a server exports."""
    samples = re.findall(r"^(\w+)(?:{(.*)})? \S+$", text, re.MULTILINE)
    metrics = {name for name, _ in samples} | {_UP}
    labels = {one for _, inside in samples for one in re.findall(r'(\w+)="', inside)} | _TARGET
    wrong = []
    for expression in asked:
        named, labelled = names_in(expression)
        assert named, expression
        wrong += [*sorted(named - metrics), *sorted(labelled - labels)]
    return wrong


def test_what_is_asked_for_is_exported(repository: str, tmp_path: Path) -> None:
    with running(repository, str(tmp_path / "home"), "--workers", "2") as server:
        with server.client() as client:
            client.get("/nowhere")
            text = client.get("/metrics").text
            description = client.get("/api/openapi.json").json()
        server.stop()
    assert missing(text, expressions()) == []
    # Seeded bugs.
    assert missing(text, ["rate(satchel_requests{status=~'5..'}[5m])"]) == ["satchel_requests"]
    assert missing(text, ["sum by (user) (satchel_requests_total)"]) == ["user"]
    left_out = re.compile(".*/(events|stream)")
    assert all(left_out.pattern in one for one in expressions() if "quantile" in one)
    streams = [path for path, ways in description["paths"].items() if _streams(ways)]
    assert streams
    assert all(left_out.fullmatch(path) for path in streams)


def _streams(ways: dict[str, Any]) -> bool:
    return "text/event-stream" in json.dumps(ways)


def test_each_alert_says_what_to_do() -> None:
    for rule in rules():
        assert len(rule["annotations"]["summary"]) >= _SHORTEST, rule["alert"]
    assert len(rules()) == len({rule["alert"] for rule in rules()})


def test_prometheus_reads_rules_and_panels_and_fires_as_it_should(tmp_path: Path) -> None:
    done = promtool("check", "rules", "--lint-fatal", str(ALERTS))
    assert done.returncode == 0, done.stdout + done.stderr
    done = promtool("test", "rules", str(TESTS))
    assert done.returncode == 0, done.stdout + done.stderr
    tried = TESTS.read_text()
    assert [rule["alert"] for rule in rules() if rule["alert"] not in tried] == []
    shown = [one.replace("$__rate_interval", "5m") for one in panel_expressions()]
    records = [{"record": f"panel:{n}", "expr": one} for n, one in enumerate(shown)]
    for number, one in enumerate([records, [{"record": "panel:x", "expr": "sum by (satchel_"}]]):
        written = tmp_path / f"panels{number}.yml"
        written.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": one}]}))
        done = promtool("check", "rules", str(written))
        assert (done.returncode != 0) == bool(number), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("alert", "bug"),
    [("SatchelDown", ("== 0", "== 2")), ("SatchelRefuses", ('"503"', '"504"'))],
)
def test_an_alert_that_does_not_fire_is_found_out(
    tmp_path: Path, alert: str, bug: tuple[str, str]
) -> None:
    """Seeded bug."""
    shutil.copy(TESTS, tmp_path)
    wrong = ALERTS.read_text().replace(*bug, 1)
    (tmp_path / ALERTS.name).write_text(wrong)
    done = promtool("test", "rules", str(tmp_path / TESTS.name))
    assert done.returncode != 0
    assert alert in done.stdout + done.stderr
