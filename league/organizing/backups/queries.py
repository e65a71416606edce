"""Write a backup, and check a database."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

from django.apps import apps as current
from django.apps.registry import Apps
from django.conf import settings
from django.db import DatabaseError, connection, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from league import VERSION
from league.core.changes import GENESIS, canonical
from league.models import Competition, Evidence, Stage, triggers
from league.organizing.audit_log import queries as audit_log
from league.organizing.backups.archive import BackupWriter, Manifest, State
from league.organizing.backups.places import last_id, snapshot
from league.ranking.standings.queries.standings import compute_standings_of

ROWS, PHOTOGRAPHS = "rows/", "photographs/"
# Sessions, failed passwords, tasks, files, outgoing messages: of the moment, and some of them personal.
_LEFT_OUT = {"sessions", "axes", "django_tasks_database", "league.keptfile", "league.outgoing"}
_OURS = {"league", "players"}
NO_TABLES = (
    "This database is empty. Run manage.py upgrade, which makes the tables, or name another one in"
    " DATABASE_URL."
)


class NotWhole(Exception):
    """The faults of a database, one sentence each."""

    def __init__(self, *faults: str) -> None:
        super().__init__(*faults)
        self.faults = faults


# --- tables


def kept_models(apps: Apps = current) -> list[type[models.Model]]:
    """Return the models in a backup, including the one of the applied migrations."""
    return [
        *(
            model
            for model in apps.get_models(include_auto_created=True)
            if model._meta.managed
            and not model._meta.proxy
            and not {model._meta.app_label, model._meta.label_lower} & _LEFT_OUT
        ),
        MigrationRecorder.Migration,
    ]


def member_of(model: type[models.Model]) -> str:
    return f"{ROWS}{model._meta.label_lower}.jsonl"


def names_of(migrations: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(sorted(f"{app}.{name}" for app, name in migrations))


def apps_of_database() -> Apps:
    """Return the models that match the database, which are older before an upgrade.

    Raises ``NotWhole`` for newer tables.
    """
    executor = MigrationExecutor(connection)
    graph, applied = executor.loader.graph, executor.loader.applied_migrations
    ours = {(app, name) for app, name in applied if app in _OURS}
    if newer := [f"{app}.{name}" for app, name in ours - executor.loader.disk_migrations.keys()]:
        raise NotWhole(f"A newer version than {VERSION} made these tables ({min(newer)}). Use that version.")
    if not executor.migration_plan(graph.leaf_nodes()):
        return current
    nodes = [node for node in applied if node in graph.nodes]
    if not any(app == "league" for app, _name in nodes):
        raise NotWhole(NO_TABLES)
    return executor.loader.project_state(nodes).apps


# --- a backup


def write_backup(file: IO[bytes], *, at: datetime, despite_faults: bool = False) -> Manifest:
    """Write all rows and photographs of one moment.

    Raises ``NotWhole`` for a damaged database or missing photographs, unless ``despite_faults``. The manifest
    then lists them.
    """
    with snapshot():
        apps = apps_of_database()
        wrong = tuple(_faults(apps))
        if wrong and not despite_faults:
            raise NotWhole(*wrong)
        with BackupWriter(file) as writer:
            for model in kept_models(apps):
                columns = [each.attname for each in model._meta.concrete_fields]
                rows = model._base_manager.order_by("pk").values_list(*columns).iterator(chunk_size=2000)
                writer.add_rows(member_of(model), columns, rows, last_id=last_id(model))
            for name in photographs(apps):
                if (photograph := Path(settings.EVIDENCE_DIR) / name).is_file() or not despite_faults:
                    writer.add_file(f"{PHOTOGRAPHS}{name}", photograph)
            manifest = Manifest(
                version=VERSION if apps is current else f"before {VERSION}",
                made_at=at.isoformat(),
                # With the migration that replaces those of older databases, whether it is recorded or not.
                migrations=names_of(MigrationLoader(connection).applied_migrations),
                states=states() if apps is current else _heads(apps),
                faults=wrong,
            )
            writer.close(manifest)
    return manifest


def photographs(apps: Apps = current) -> list[str]:
    """Return the names of files that rows name. Other files in the folder are ignored."""
    evidence = apps.get_model("league", Evidence.__name__)._base_manager
    return list(evidence.exclude(file="").order_by("pk").values_list("file", flat=True))


def states() -> dict[str, State]:
    """Return the head of each log, and the standings computed from the facts."""
    found = {}
    for address, owner in audit_log.owners_of_logs():
        chain = audit_log.verify_chain(owner)
        standings = _standings(owner) if isinstance(owner, Competition) else ""
        found[address] = State(entries=chain.entries, head=chain.head, standings=standings)
    return found


def _standings(competition: Competition) -> str:
    stages = list(
        Stage.objects.of(competition)
        .select_related("division__rule_set", "division__competition")
        .order_by("division__position", "division_id", "position", "pk")
    )
    computed = compute_standings_of(stages, public=False, every=stages) if stages else {}
    # Sorted here: databases order equal players by name each in their own way.
    lines = [
        [
            stage.pk,
            sorted([each.row.player, each.row.rank, each.row.total] for each in computed[stage.pk].rows),
        ]
        for stage in stages
    ]
    return hashlib.sha256(canonical(lines).encode()).hexdigest()


def _heads(apps: Apps) -> dict[str, State]:
    """Return the heads of older tables, whose standings the program cannot compute."""
    found = {}
    for path, owner, entry in (("c", "competition", "auditentry"), ("leagues", "league", "leagueentry")):
        if entry in apps.all_models["league"]:
            log = apps.get_model("league", entry)._base_manager.order_by("-sequence")
            for pk, slug in apps.get_model("league", owner)._base_manager.values_list("pk", "slug"):
                newest = log.filter(**{owner: pk}).values_list("sequence", "hash").first()
                entries, head = newest or (0, GENESIS)
                found[f"{path}/{slug}"] = State(entries, head, standings="")
    return found


# --- is this database whole?


@contextmanager
def errors_in_words() -> Iterator[None]:
    """Raise ``NotWhole`` with a remedy if the database or a file cannot be used."""
    try:
        yield
    except (DatabaseError, OSError) as error:
        raise NotWhole(_in_words(error)) from error


def _in_words(error: Exception) -> str:
    said = " ".join(str(error).split())
    if any(words in said for words in ("full", "No space", "too large", "I/O")):
        return f"The disk is full or fails ({said}). Free some space and try again."
    if "malformed" in said or "not a database" in said:
        return (
            f"The database is damaged ({said}). Restore the newest backup: manage.py restore --replace FILE."
        )
    if "readonly" in said or "read-only" in said or "unable to open" in said or "Permission" in said:
        return f"This account may not write there ({said}). Use the account of the server."
    return f"The database or a file cannot be used ({said}). Look at the disk and the database server."


def faults(kept: Iterable[audit_log.Head] = ()) -> Iterator[str]:
    """Yield the faults of the database, triggers, audit logs and photographs, one sentence each.

    ``kept``: heads of audit logs that were stored elsewhere.
    """
    try:
        with errors_in_words():
            apps = apps_of_database()
            if apps is not current:
                yield "Its tables are of an older version. Run manage.py upgrade."
            yield from _faults(apps, kept)
    except NotWhole as wrong:
        yield from wrong.faults


def _faults(apps: Apps, kept: Iterable[audit_log.Head] = ()) -> Iterator[str]:
    yield from _damage()
    if apps is current:
        if missing := triggers.missing(connection):
            yield f"Triggers are missing: {', '.join(missing)}. Run manage.py verify --install-triggers."
        for address, owner in audit_log.owners_of_logs():
            if (broken := audit_log.verify_chain(owner).broken_at) is not None:
                yield f"{address}: the log is broken at entry {broken}."
        for head in audit_log.missing_heads(kept):
            yield f"No audit log holds this head: {head}. It was cut or rewritten."
    for name in photographs(apps):
        if not (Path(settings.EVIDENCE_DIR) / name).is_file():
            yield f"{name}: this photograph is not in the folder EVIDENCE_DIR."


def _damage() -> Iterator[str]:
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for pragma in ("integrity_check", "foreign_key_check"):
            cursor.execute(f"PRAGMA {pragma}")
            if found := [row for row in cursor.fetchmany(3) if row != ("ok",)]:
                yield f"The database is damaged ({pragma}: {found[0]}). Restore the newest backup."
