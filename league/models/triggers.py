"""The triggers that refuse rows contradicting rows of other tables, and changes of fixed values. Constraints
see one row only.

A rule has a name, which states it, the model, and paths of foreign keys from the row. `SAME`: both paths lead
to the same row, unless one ends early. `ENTERED`: the player is entered in the competition, and the entry
stays as long as the row. `KEPT`: the value stays as inserted, because other rows were checked against it,
except for rows moving to and from a draft. `LOGGED`: rows are only inserted.

SQLite drops the triggers of a table that a migration remakes, and cannot rename a table that a trigger reads.
So every migration that changes tables removes the triggers first (`league.models.trigger_steps`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from django.apps import apps as current
from django.apps.registry import Apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import ForeignKey, Model

SAME = (
    ("adjustment_in_a_round_of_its_stage", "Adjustment", "round.stage", "stage"),
    ("ban_of_a_player_of_its_league", "Ban", "player.register", "league.register"),
    ("ban_for_a_penalty_of_its_player", "Ban", "penalty.player", "player"),
    ("ban_for_a_penalty_of_its_league", "Ban", "penalty.competition.league", "league"),
    ("ceremony_of_a_stage_of_its_competition", "Ceremony", "stage.division.competition", "competition"),
    ("season_before_of_the_same_league", "Competition", "previous.league", "league"),
    ("dispute_in_its_tables_competition", "Dispute", "table.round.stage.division.competition", "competition"),
    ("division_plays_rules_of_its_league", "Division", "rule_set.book.league", "competition.league"),
    (
        "division_punishes_by_a_catalogue_of_its_league",
        "Division",
        "rule_set.own_catalogue.league",
        "competition.league",
    ),
    ("drawn_team_of_its_competition", "Lot", "team.competition", "lots.stage.division.competition"),
    ("entrant_in_a_division_of_its_competition", "Entrant", "division.competition", "competition"),
    ("entrant_in_a_team_of_its_competition", "Entrant", "team.competition", "competition"),
    ("entrant_of_its_leagues_register", "Entrant", "player.register", "competition.league.register"),
    (
        "invitation_of_a_player_of_its_leagues_register",
        "Invitation",
        "player.register",
        "competition.league.register",
    ),
    ("invitation_for_a_team_of_its_competition", "Invitation", "team.competition", "competition"),
    (
        "line_up_of_a_team_of_its_competition",
        "LineUp",
        "team.competition",
        "round.stage.division.competition",
    ),
    ("penalty_in_a_stage_of_its_competition", "Penalty", "stage.division.competition", "competition"),
    ("penalty_in_a_round_of_its_stage", "Penalty", "round.stage", "stage"),
    ("penalty_in_its_tables_round", "Penalty", "table.round", "round"),
    ("penalty_by_a_dispute_of_its_competition", "Penalty", "dispute.competition", "competition"),
    ("penalty_revoked_by_a_dispute_of_its_competition", "Penalty", "revoked_in.competition", "competition"),
    ("present_in_its_competition", "Presence", "entrant.competition", "stage.division.competition"),
    ("player_in_a_club_of_their_register", "players.Player", "club.register", "register"),
    ("proposal_of_its_sheets_table", "Proposal", "sheet.table", "table"),
    (
        "registrant_is_a_player_of_its_competition",
        "Registrant",
        "entrant.competition",
        "registration.competition",
    ),
    ("role_plays_as_one_of_its_leagues_register", "Role", "player.register", "competition.league.register"),
    ("role_for_a_team_of_its_competition", "Role", "team.competition", "competition"),
    ("edition_punishes_by_a_catalogue_of_its_league", "RuleSet", "own_catalogue.league", "book.league"),
    ("screen_of_a_division_of_its_competition", "Screen", "division.competition", "competition"),
    (
        "game_log_in_its_tables_competition",
        "GameLog",
        "table.round.stage.division.competition",
        "competition",
    ),
    ("game_name_in_its_players_register", "GameName", "player.register", "league.register"),
    ("seat_in_its_tables_round", "Seat", "table.round", "round"),
    ("sheet_corrected_by_a_dispute_of_its_table", "Sheet", "dispute.table", "table"),
    (
        "team_penalty_in_its_teams_competition",
        "TeamPenalty",
        "team.competition",
        "stage.division.competition",
    ),
    (
        "team_seat_in_its_teams_competition",
        "TeamSeat",
        "team.competition",
        "round.stage.division.competition",
    ),
    ("waiver_in_a_competition_of_its_league", "Waiver", "ban.league", "competition.league"),
)
ENTERED = (
    ("adjusted_player_is_entered", "Adjustment", "player", "stage.division.competition"),
    (
        "consenting_player_is_entered",
        "Consent",
        "player",
        "appointment.table.round.stage.division.competition",
    ),
    ("drawn_player_is_entered", "Lot", "player", "lots.stage.division.competition"),
    ("named_player_is_entered", "LineUp", "player", "round.stage.division.competition"),
    ("punished_player_is_entered", "Penalty", "player", "competition"),
    ("qualified_player_is_entered", "StageEntrant", "player", "stage.division.competition"),
    ("player_sitting_out_is_entered", "SittingOut", "player", "round.stage.division.competition"),
    ("seated_player_is_entered", "Seat", "player", "round.stage.division.competition"),
    ("substituted_player_is_entered", "Seat", "stands_for", "round.stage.division.competition"),
)
KEPT = (
    ("Appointment", "table"),
    ("Ban", "league"),
    ("Competition", "league"),
    ("Dispute", "competition"),
    ("Dispute", "table"),
    ("Division", "competition"),
    ("Entrant", "competition"),
    ("League", "register"),
    ("Lots", "stage"),
    ("OwnCatalogue", "league"),
    ("Penalty", "competition"),
    ("players.Club", "register"),
    ("players.Player", "register"),
    ("Registration", "competition"),
    ("Round", "stage"),
    ("Proposal", "table"),
    ("RuleBook", "league"),
    ("RuleSet", "book"),
    ("Stage", "division"),
    ("Table", "round"),
    ("Team", "competition"),
)
LOGGED = ("AuditEntry", "LeagueEntry")
REFUSAL = "the audit log only grows"


@dataclass(frozen=True)
class Trigger:
    name: str
    table: str
    wrong: str  # SQL over {row}, inserted or with updated `columns`. Without INSERT, over NEW and OLD
    sentence: str
    columns: str
    events: tuple[str, ...] = ("INSERT", "UPDATE")


def install(connection: BaseDatabaseWrapper, apps: Apps = current) -> None:
    remove(connection)
    statements = _postgresql if connection.vendor == "postgresql" else _sqlite
    with connection.cursor() as cursor:
        for trigger in all_triggers(apps):
            for statement in statements(trigger):
                cursor.execute(statement)


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the triggers that this database lacks, or that PostgreSQL has disabled."""
    with connection.cursor() as cursor:
        cursor.execute(_NAMES[connection.vendor])
        found = {name for (name,) in cursor.fetchall()}
    wanted = {
        f"{trigger.name}_{event.lower()}" for trigger in all_triggers(current) for event in trigger.events
    }
    return sorted(wanted - found)


def remove(connection: BaseDatabaseWrapper) -> None:
    """Drop every trigger, for migrations, and for test databases that are emptied between tests."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_FUNCTIONS)
            statements = [f"DROP FUNCTION {name}() CASCADE" for (name,) in cursor.fetchall()]
        else:
            cursor.execute(_NAMES["sqlite"])
            statements = [f"DROP TRIGGER {name}" for (name,) in cursor.fetchall()]
        for statement in statements:
            cursor.execute(statement)


_NAMES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": """SELECT tgname FROM pg_trigger
        WHERE pg_table_is_visible(tgrelid) AND NOT tgisinternal AND tgenabled <> 'D'""",
}
_FUNCTIONS = """SELECT proname FROM pg_proc
    WHERE prorettype = 'trigger'::regtype AND pronamespace = current_schema()::regnamespace"""


def _sqlite(trigger: Trigger) -> Iterator[str]:
    for event in trigger.events:
        of = f"OF {trigger.columns}" if event == "UPDATE" and trigger.columns else ""
        yield f"""CREATE TRIGGER {trigger.name}_{event.lower()} BEFORE {event} {of} ON {trigger.table}
            WHEN {trigger.wrong.format(row="NEW")} BEGIN SELECT RAISE(ABORT, '{trigger.sentence}'); END"""


def _postgresql(trigger: Trigger) -> Iterator[str]:
    """Check inserted rows in one query per statement, because a function call per row makes imports slow."""
    together = "INSERT" in trigger.events
    wrong = trigger.wrong.format(row="line")
    yield f"""CREATE FUNCTION {trigger.name}() RETURNS trigger AS $$ BEGIN
        IF {f"EXISTS (SELECT 1 FROM line WHERE {wrong})" if together else wrong} THEN
            RAISE EXCEPTION '{trigger.sentence}' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NULL;
        END $$ LANGUAGE plpgsql"""
    each = "REFERENCING NEW TABLE AS line FOR EACH STATEMENT" if together else "FOR EACH ROW"
    for event in trigger.events:
        yield f"""CREATE TRIGGER {trigger.name}_{event.lower()} AFTER {event} ON {trigger.table}
            {each} EXECUTE FUNCTION {trigger.name}()"""


def all_triggers(apps: Apps) -> Iterator[Trigger]:
    def rule(name: str, model: type[Model], wrong: str, *paths: str) -> Trigger:
        columns = ", ".join(sorted({_column(model, path) for path in paths}))
        return Trigger(name, model._meta.db_table, wrong, name.replace("_", " "), columns)

    if not _exists(apps, "Entrant"):
        return  # a migration of players, before the league's tables are made
    entrant = _model(apps, "Entrant")._meta.db_table
    naming = []
    for name, label, one, other in SAME:
        if not _exists(apps, label, one, other):
            continue
        model = _model(apps, label)
        yield rule(name, model, f"{_value(model, one)} <> {_value(model, other)}", one, other)
    for name, label, player, competition in ENTERED:
        if not _exists(apps, label):
            continue
        model = _model(apps, label)
        who, where = _value(model, player), _value(model, competition)
        entry = f"SELECT 1 FROM {entrant} WHERE competition_id = {where} AND player_id = {who}"
        # Not EXISTS: PostgreSQL would join and read all entries of the competition for each row.
        yield rule(name, model, f"{who} IS NOT NULL AND ({entry}) IS NULL", player, competition)
        same = f"{who} = OLD.player_id AND {where} = OLD.competition_id".format(row="line")
        naming.append(f"EXISTS (SELECT 1 FROM {model._meta.db_table} AS line WHERE {same})")
    sentence = "an entry stays as long as its player is named in the competition"
    yield Trigger("entry_stays", entrant, " OR ".join(naming), sentence, "", ("DELETE",))
    drafts = _drafts(apps)
    for label, name in KEPT:
        if not _exists(apps, label):
            continue
        model = _model(apps, label)
        table, column = model._meta.db_table, _column(model, name)
        wrong = f"COALESCE(NEW.{column}, 0) <> COALESCE(OLD.{column}, 0)"
        if name == "competition" and drafts:
            wrong += f" AND NOT EXISTS ({drafts} AND id IN (NEW.{column}, OLD.{column}))"
        yield Trigger(f"{table}_keeps_its_{name}", table, wrong, f"{name} never changes", column, ("UPDATE",))
    for label in LOGGED:
        if not _exists(apps, label):
            continue
        table = _model(apps, label)._meta.db_table
        yield Trigger(f"{table}_only_grows", table, "1 = 1", REFUSAL, "", ("UPDATE", "DELETE"))


def _drafts(apps: Apps) -> str:
    competition = _model(apps, "Competition")._meta
    known = any(field.name == "is_draft" for field in competition.get_fields())
    return f"SELECT 1 FROM {competition.db_table} WHERE is_draft" if known else ""


def _exists(apps: Apps, label: str, *paths: str) -> bool:
    """Return whether the model and the first key of each path exist in this migration."""
    if "." not in label and label.lower() not in apps.all_models["league"]:
        return False
    columns = {field.name for field in _model(apps, label)._meta.get_fields()}
    return columns >= {_first_key(path) for path in paths}


def _first_key(path: str) -> str:
    key, *_rest = path.split(".")
    return key


def _model(apps: Apps, label: str) -> type[Model]:
    return apps.get_model(label if "." in label else f"league.{label}")


def _key(model: type[Model], name: str) -> "ForeignKey[Model, Model]":
    return cast("ForeignKey[Model, Model]", model._meta.get_field(name))


def _column(model: type[Model], path: str) -> str:
    return _key(model, _first_key(path)).column


def _value(model: type[Model], path: str) -> str:
    """Return SQL of the id at the end of a path of foreign keys from `{row}`, or NULL if it ends early."""
    sql = ""
    for name in path.split("."):
        key = _key(model, name)
        sql = (
            f"(SELECT {key.column} FROM {model._meta.db_table} WHERE id = {sql})"
            if sql
            else f"{{row}}.{key.column}"
        )
        model = key.related_model
    return sql
