"""`upkeep`: run, list and schedule maintenance steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.application.upkeep import schedule as scheduling
from satchel.application.upkeep.maintenance import Upkeep
from satchel.application.upkeep.schedule import Installation
from satchel.application.upkeep.scheduling import CRON, DAILY, SYSTEMD, next_run
from satchel.application.upkeep.steps import ALL, NAMES, STEPS
from satchel.core import times
from satchel.core.errors import SatchelError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.interfaces.cli.arguments import Options, Parser, count_from, parser_for
from satchel.storage.paths import UserHome
from satchel.storage.platforms import end_after
from satchel.storage.settings.environment import home_path
from satchel.workspace import Workspace

_LIST, _STATUS, _INSTALL = "list", "status", "install"


def upkeep(words: Sequence[str]) -> int:
    """`satchel upkeep [STEP|list|status|install]`."""
    options = _parser().parse_args(words)
    if options.step == _LIST:
        return _list(options)
    if options.step == _INSTALL:
        return _install(options)
    if options.within:
        # The next run continues where this one stops.
        end_after(count_from(options.within, "--within"))
    if options.every_project:
        return _every_project(options)
    with options.opened() as workspace:
        if options.step == _STATUS:
            return _status(workspace, options)
        report = _run(workspace, options)
    return options.reply(report, *(f"{step}: {done}" for step, done in report.items()))


def _parser() -> Parser:
    parser = parser_for(
        "upkeep",
        "Run the maintenance that is due: all steps in order, or one by name. Safe beside running "
        "agents; the next run continues one that was killed.",
    )
    parser.option(
        "step",
        "a step; list: what each does; status: when each last ran; install: run it daily",
        nargs="?",
        default=ALL,
        choices=(ALL, *NAMES, _LIST, _STATUS, _INSTALL),
    )
    parser.flag("--dry-run", "show what would be done")
    parser.flag(
        "--confirm",
        "exceed the caps in this run, and remove sessions twice as old as the archive keeps them",
    )
    parser.flag("--every-project", "for all your projects, not only this one")
    parser.option("--within", "stop after this long, done or not", metavar="SECONDS")
    parser.add_argument("--at", default=DAILY, metavar="HH:MM", help="install: when, UTC (03:00)")
    one = parser.add_mutually_exclusive_group()
    for name in (SYSTEMD, CRON):
        told = f"install: with {name}, instead of the first one found"
        one.add_argument(
            f"--{name}", dest="by", action="store_const", const=name, default="", help=told
        )
    parser.flag("--print", "install: only show what would be written")
    parser.flag("--remove", "install: remove it again")
    parser.flag("--yes", "install: do not ask")
    return parser


def _run(workspace: Workspace, options: Options) -> dict[str, str]:
    def embed() -> str:
        return _embedded(workspace, wait=options.step == "embed")

    keeping = Upkeep(workspace, embed)
    return keeping.run(options.step, dry_run=options.dry_run, confirmed=options.confirm)


def _embedded(workspace: Workspace, *, wait: bool) -> str:
    """Create missing vectors, with a progress bar; if interrupted, the rest waits."""
    from satchel.engine.models import LOCK_SECONDS
    from satchel.features.memories.embedding import embed
    from satchel.interfaces.cli.progress import ProgressBar, report_waiting

    with ProgressBar("embedding") as bar:
        memories = embed(workspace.memories.stores, workspace.models, progress=bar)
        if memories.busy and wait:
            report_waiting(LOCK_SECONDS)
            memories = embed(
                workspace.memories.stores, workspace.models, patience=LOCK_SECONDS, progress=bar
            )
        with workspace.notes as notebook:
            notes = notebook.indexes.embed(bar)
    if memories.why:
        done = f" {memories.done} got their vectors, {memories.left} wait." if memories.left else ""
        return memories.why + done
    made = counted(memories.done, "memory", "memories")
    text = f"{made} and {counted(notes.done, 'passage')} of notes got their vectors"
    left = memories.left + notes.left
    busy = " (another process is at it)" if memories.busy or notes.busy else ""
    return text + (f"; {left} wait{busy}" if left else "")


def _every_project(options: Options) -> int:
    """Run upkeep in every existing project; a failure does not stop the others."""
    from satchel.project.registry import places_of

    reports: dict[str, dict[str, str]] = {}
    failed = 0
    for root in places_of(UserHome(home_path())):
        try:
            with Workspace.open(root) as workspace:
                reports[root] = _run(workspace, options)
        except SatchelError as error:
            failed = failed or error.exit_code
            reports[root] = {"error": str(error)}
    for root, report in reports.items():
        options.say(options.style.bold(clean_line(root)))
        for step, done in report.items():
            options.say(f"  {step}: {done}")
    if not reports:
        options.say("None of your projects is registered here yet.")
    return options.done(reports, failed)


def _list(options: Options) -> int:
    style = options.style
    for step in STEPS:
        options.say(f"{style.bold(f'{step.name:<12}')}{step.what} {style.dim(f'({step.bound})')}")
    return options.done(STEPS)


def _status(workspace: Workspace, options: Options) -> int:
    standing, now = Upkeep(workspace).run_state(), workspace.project.clock.now()
    at = scheduling.installed_at(workspace.owner().home, workspace.project.place.root)
    following = next_run(at, now) if at else None
    for step in STEPS:
        ran = standing.steps.get(step.name)
        when = f"{times.minute(int(ran.at))}  {clean_line(ran.told)}" if ran else "never"
        options.say(f"{step.name:<12}{when}")
    if standing.left:
        options.say(f"A run was stopped; still to do: {', '.join(standing.left)}.")
    if following is None:
        options.say("It does not run on its own; `satchel upkeep install` schedules it.")
    else:
        options.say(f"Next: {times.minute(int(following))}.")
    steps = {name: one._asdict() for name, one in standing.steps.items()}
    left = list(standing.left)
    return options.done({"steps": steps, "left": left, "daily_at": at, "next": following})


def _install(options: Options) -> int:
    with options.opened() as workspace:
        home, root = workspace.owner().home, workspace.project.place.root
        schedule = scheduling.schedule_for(home, root, options.at, everything=options.every_project)
        if options.remove:
            plans = scheduling.plan_removal(schedule)
        else:
            by = options.by if options.print and options.by else ""
            by = by or scheduling.scheduler_here(options.by)
            plans = [scheduling.plan_install(schedule, by)]
        due = [plan for plan in plans if plan.changes]
        only_shown = options.print or options.dry_run
        if only_shown or due:
            shown = plans if only_shown else due
            for plan in shown:
                lines = scheduling.describe_plan(plan, removes=options.remove)
                options.aside("\n".join(line.expandtabs() for line in lines))
        if only_shown:
            return options.done(_installed(plans, schedule.at, changed=False))
        if due:
            options.agree("\nDo this?", "Nothing was changed.")
        for plan in due:
            scheduling.apply(home, plan, removes=options.remove)
    if not due:
        options.say("Nothing to remove." if options.remove else "That is installed already.")
    else:
        options.say("Removed." if options.remove else "Installed.")
    return options.done(_installed(plans, schedule.at, changed=bool(due)))


def _installed(plans: Iterable[Installation], at: str, *, changed: bool) -> dict[str, object]:
    return {"by": [plan.by for plan in plans], "at": at, "changed": changed}
