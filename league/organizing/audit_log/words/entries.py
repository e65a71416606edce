"""Entries of the audit log in words, with current names instead of ids. Unknown fields appear as stored."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Model, TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from league.core.numbers import number, number_tenths
from league.core.text import listed
from league.models import (
    Adjustment,
    ApiToken,
    Ban,
    Call,
    Competition,
    Dispute,
    DisputeStep,
    Division,
    Entrant,
    League,
    LogEntry,
    OwnCatalogue,
    Penalty,
    Role,
    Round,
    RuleBook,
    Screen,
    Seat,
    Sheet,
    Signature,
    Stage,
    Table,
    Team,
)
from league.organizing.audit_log.words.actions import audit_action
from league.play.hands.words.names import hand_words
from league.ranking.standings.words import tie_break_label
from league.rules.penalty_rules.words.catalogues import catalogue_name, entry_words
from league.rules.rule_sets.kinds import setting_value
from league.rules.rule_sets.words.settings import setting_label
from players.models import Club, Player

MOST_NAMES = 12  # in one line
NOTHING = "–"

Names = Mapping[str, Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A field with its old and new text, or None if the entry lacks that side."""

    label: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class AuditLine:
    entry: LogEntry
    action: str
    target: str
    changes: tuple[ChangedField, ...]

    @property
    def short_hash(self) -> str:
        return self.entry.hash[:10]


def in_words(entry: LogEntry, names: Names) -> AuditLine:
    """Return the entry in words. ``names``: the names of its ``ids_in``."""
    kind, pk = _target_of(entry.target)
    return AuditLine(
        entry=entry,
        action=audit_action(entry.action),
        target="" if pk is None else _name(kind, pk, names),
        changes=tuple(_changes(entry.before, entry.after, names)),
    )


# --- names


KINDS: Mapping[str, type[Model]] = {
    "player": Player,
    "user": User,
    "club": Club,
    "round": Round,
    "table": Table,
    "stage": Stage,
    "division": Division,
    "entrant": Entrant,
    "penalty": Penalty,
    "book": RuleBook,
    "dispute": Dispute,
    "call": Call,
    "catalogue": OwnCatalogue,
    "team": Team,
    "league": League,
    "token": ApiToken,
}
_PLAYERS = {"players", "moved_up", "moved_down", "by_hand", "sitting_out"}  # fields that list players
_OTHERS = {"teams": "team", "owners": "user"}  # fields that list these
_NAMED: Mapping[str, Callable[[Any], str]] = {
    "round": lambda found: _("round %(number)s") % {"number": found.number},
    "table": lambda found: (
        _("round %(round)s, table %(table)s") % {"round": found.round.number, "table": found.number}
    ),
    "entrant": lambda found: str(found.player),
    "penalty": lambda found: _("penalty of %(name)s") % {"name": found.player},
    "dispute": lambda found: _("dispute: %(table)s") % {"table": _NAMED["table"](found.table)},
    "call": lambda found: _NAMED["table"](found.table),
}


def ids_in(entry: LogEntry) -> Iterator[tuple[str, list[int]]]:
    kind, pk = _target_of(entry.target)
    if pk is not None:
        yield kind, [pk]
    for side in (entry.before, entry.after):
        for name, value in (side or {}).items():
            if name in KINDS and isinstance(value, int):
                yield name, [value]
            elif name in _PLAYERS or name.isdecimal():
                yield "player", _integers(value)
            elif name in _OTHERS:
                yield _OTHERS[name], _integers(value)


def _target_of(target: str) -> tuple[str, int | None]:
    kind, _colon, pk = target.partition(":")
    return kind, int(pk) if kind in KINDS and pk.isdecimal() else None


def _integers(value: object) -> list[int]:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [item for item in items if isinstance(item, int)]


def name_of(kind: str, thing: Model) -> str:
    return _NAMED.get(kind, str)(thing)


def _name(kind: str, pk: int, names: Names) -> str:
    return names.get(kind, {}).get(pk) or _("no. %(id)s (deleted)") % {"id": pk}


# --- fields

# Models whose fields are logged. The label of a field is that of the first of them that has one.
_SETTINGS: tuple[type[Model], ...] = (Competition, Stage, Round)
_ROWS: tuple[type[Model], ...] = (
    *(Table, Entrant, Player, Penalty),
    *(Dispute, DisputeStep, Ban, Call, ApiToken),
)
_FIELDS = [field for model in reversed((*_SETTINGS, *_ROWS)) for field in model._meta.concrete_fields]
MODEL_LABELS: Mapping[str, str | Promise] = {
    field.name: field.verbose_name for field in _FIELDS if isinstance(field.verbose_name, Promise)
}
# Labels of other facts, of fields without a label, and of fields that need another one in a log
OTHER_LABELS: Mapping[str, str | Promise] = {
    "adjustment": gettext_lazy("points for sitting out"),
    "after": gettext_lazy("after"),
    "book": gettext_lazy("own rules"),
    "by_hand": gettext_lazy("by hand"),
    "bytes": gettext_lazy("photograph, bytes"),
    "carried_in": gettext_lazy("points carried in"),
    "carry": gettext_lazy("carried over"),
    "calls": gettext_lazy("referee calls"),
    "came_late": gettext_lazy("came after the start"),
    "catalogue": gettext_lazy("penalty rules"),
    "changed": gettext_lazy("also changed"),
    "condition": gettext_lazy("condition"),
    "counts_for_teams": gettext_lazy("counts for the teams"),
    "days": gettext_lazy("days"),
    "dispute": gettext_lazy("dispute"),
    "disputes": gettext_lazy("disputes"),
    "down": gettext_lazy("relegation"),
    "down_by": gettext_lazy("relegation unit"),
    "down_play_off": gettext_lazy("relegation play-off places"),
    "edition": gettext_lazy("edition"),
    "entrant": gettext_lazy("entry"),
    "chips": gettext_lazy("chips, east first"),
    "extra_seconds": gettext_lazy("time added, in seconds"),
    "entry": gettext_lazy("penalty"),
    "filled": gettext_lazy("rounds that existed"),
    "games": gettext_lazy("games"),
    "has_profile": gettext_lazy("public profile"),
    "head_starts": gettext_lazy("head starts"),
    "key": gettext_lazy("Key"),
    "method": gettext_lazy("seating method"),
    "moved_down": gettext_lazy("relegated"),
    "moved_up": gettext_lazy("promoted"),
    "next_season": gettext_lazy("next season"),
    "numbers": gettext_lazy("federation numbers"),
    "penalties": gettext_lazy("penalties"),
    "penalty": gettext_lazy("penalty"),
    "penalties_moved": gettext_lazy("penalties"),
    "own_case": gettext_lazy("own case, no one else could decide"),
    "owners": gettext_lazy("owners"),
    "photographs": gettext_lazy("photographs"),
    "player": gettext_lazy("player"),
    "players": gettext_lazy("players"),
    "points": gettext_lazy("raw points, east first"),
    "token": gettext_lazy("API token"),
    "presences": gettext_lazy("attendance"),
    "preset": gettext_lazy("rule set"),
    "ranks_changed": gettext_lazy("ranks changed"),
    "repeats": gettext_lazy("repeated meetings"),
    "revision": gettext_lazy("Revision"),
    "round": gettext_lazy("round"),
    "rounds": gettext_lazy("rounds"),
    "scores_changed": gettext_lazy("scores changed"),
    "seats": gettext_lazy("seats"),
    "seed": gettext_lazy("seed of the draw"),
    "sheets": gettext_lazy("score sheets"),
    "sitting_out": gettext_lazy("sit out"),
    "stage": gettext_lazy("stage"),
    "started": gettext_lazy("clock started"),
    "step": gettext_lazy("step"),
    "steps": gettext_lazy("search steps"),
    "drawn_in_hall": gettext_lazy("numbers drawn in the hall"),
    "sticks": gettext_lazy("riichi deposits"),
    "substitute": gettext_lazy("substitute"),
    "superseded_by": gettext_lazy("replaced by"),
    "wind": pgettext_lazy("at a table", "seat"),
    "how": gettext_lazy("signed"),
    "revealed": gettext_lazy("places revealed"),
    "shows": gettext_lazy("screen shows"),
    "suggested": gettext_lazy("level according to the rules"),
    "table": gettext_lazy("table"),
    "tables": gettext_lazy("tables"),
    "team": gettext_lazy("team"),
    "teams": gettext_lazy("teams"),
    "mistake": gettext_lazy("the old team was a mistake"),
    "together": gettext_lazy("penalized together with others"),
    "up": gettext_lazy("promotion"),
    "up_by": gettext_lazy("promotion unit"),
    "up_play_off": gettext_lazy("promotion play-off places"),
    "user": gettext_lazy("person"),
    "vacancies": gettext_lazy("places of players who left"),
    "version": gettext_lazy("version"),
    "visibility": gettext_lazy("visible"),
    "win_ban": gettext_lazy("win ban for this hand"),
}
_LABELS = {**MODEL_LABELS, **OTHER_LABELS}
_OTHER_CHOICES: Mapping[str, type[TextChoices]] = {
    "adjustment": Adjustment.Kind,
    "shows": Screen.Shows,
    "role": Role.Kind,
    "how": Signature.How,
    "status": Sheet.Status,
    "step": Dispute.Step,
}


def _find_choices() -> dict[str, dict[str, str | Promise]]:
    """Return field → value → label."""
    found: dict[str, dict[str, str | Promise]] = {
        name: dict(each.choices) for name, each in _OTHER_CHOICES.items()
    }
    for model in _SETTINGS:
        for field in model._meta.concrete_fields:
            if field.choices:
                labels = {str(value): label for value, label in field.flatchoices}
                found[field.name] = found.get(field.name, {}) | labels
    return found


_CHOICES = _find_choices()


_PENALTIES_MOVED: Mapping[str, str | Promise] = {
    "follow": gettext_lazy("move with the players"),
    "stay": gettext_lazy("stay with the seats"),
}


def _changes(
    before: Mapping[str, object] | None, after: Mapping[str, object] | None, names: Names
) -> Iterator[ChangedField]:
    """Yield the differences in the order of the entry. A missing side is None."""
    old, new = before or {}, after or {}
    for field in dict.fromkeys([*new, *old]):
        sides = [side[field] for side in (old, new) if field in side]
        match sides:
            case [earlier, later] if earlier == later:
                continue
            case [only] if _is_empty(only):
                continue  # an entry with one side says what was there, not what was missing
        if field == "values":
            yield from _settings(old.get(field), new.get(field))
            continue
        yield ChangedField(
            label=_label(field),
            before=_text(field, old[field], names) if field in old else None,
            after=_text(field, new[field], names) if field in new else None,
        )


def _settings(old: object, new: object) -> Iterator[ChangedField]:
    """Yield the changed settings of a rule set. The settings of a new one are on the page of the rules."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            yield ChangedField(str(setting_label(name)), _setting(name, old), _setting(name, new))


def _setting(name: str, values: Mapping[str, object]) -> str:
    return str(setting_value(name, values[name])) if name in values else NOTHING


def _label(field: str) -> str:
    if field.isdecimal():
        return _("table %(number)s") % {"number": field}
    return str(_LABELS.get(field, field.replace("_", " ")))


def _text(field: str, value: object, names: Names) -> str:
    if _is_empty(value):
        return NOTHING
    if field in KINDS and isinstance(value, int):
        return _name(field, value, names)
    if (field in _PLAYERS or field.isdecimal()) and isinstance(value, dict | list):
        return _name_list(_integers(value), names)
    if field in _OTHERS:
        return listed(_name(_OTHERS[field], pk, names) for pk in _integers(value))
    if field in _CHOICES:
        return _choice(field, str(value))
    if field == "entry" and isinstance(value, dict):
        return entry_words(value)
    if field == "catalogue":
        return catalogue_name(str(value))
    if field == "wind" and isinstance(value, int):
        return str(Seat.Wind(value).label)
    if field == "hand":
        return hand_words(str(value))
    if field == "condition" and isinstance(value, int):
        return _("no. %(number)s of the offence") % {"number": value + 1}
    if field == "together":
        return _("yes")
    if field == "penalties_moved":
        return str(_PENALTIES_MOVED.get(str(value), value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if field == "score" and isinstance(value, int):
        return number_tenths(value)
    if field in {"points", "sticks", "chips"}:
        return " / ".join(map(number, [value] if isinstance(value, int) else _integers(value)))
    if isinstance(value, list):
        return _items(field, value)
    return str(value)


def _is_empty(value: object) -> bool:
    return value is None or value in ("", [], {})


def _items(field: str, items: Sequence[object]) -> str:
    if field in {"seats", "penalties"}:
        return ngettext("%(count)s moved", "%(count)s moved", len(items)) % {"count": len(items)}
    if field == "head_starts":
        return " / ".join(number_tenths(item) for item in items if isinstance(item, int))
    if field == "tie_breaks":
        return listed(tie_break_label(str(item)) for item in items)
    if field == "changed":
        return listed(_label(str(item)) for item in items)
    return listed(map(str, items))


def _name_list(ids: Sequence[int], names: Names) -> str:
    named = listed(_name("player", pk, names) for pk in ids[:MOST_NAMES])
    rest = len(ids) - MOST_NAMES
    return _("%(names)s and %(count)s more") % {"names": named, "count": rest} if rest > 0 else named


def _choice(field: str, value: str) -> str:
    return str(_CHOICES[field].get(value, value))
