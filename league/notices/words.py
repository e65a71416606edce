"""Notices in words, in the reader's language."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.core.notices import About
from league.core.numbers import number, number_tenths
from league.core.text import labelled, listed, sentences
from league.core.zones import zone_of
from league.models import Appointment, Ban, Competition, Dispute, Penalty, Round, Seat, Sheet, Table
from league.penalties.words import penalty_line, where_words
from league.penalty_rules.words.rulings import penalty_rules_of


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice: one line, a few sentences, and the page that has more."""

    title: str
    text: str
    address: str


def seat_words(seat: Seat, others: Sequence[Seat], about: About) -> tuple[str, str]:
    """Return title and text about a seat. `seat`: with its table, round and competition."""
    table = seat.table
    place = {"table": table.number, "wind": seat.get_wind_display()}
    title = _("Table %(table)s, %(wind)s") if about == About.SEATED else _("Next: table %(table)s, %(wind)s")
    rivals = listed(labelled(each.get_wind_display(), each.player.name) for each in others)
    begun = [_("The round has started.")] if about == About.SEATED else []
    return title % place, _joined([_round_words(table), *begun, _time_words(table), rivals])


def _round_words(table: Table) -> str:
    round_ = table.round
    return _("%(stage)s, round %(round)s.") % {"stage": round_.stage.name, "round": round_.number}


def _time_words(table: Table) -> str:
    if table.meets_at is not None:
        return _moment_words(table)
    day = table.round.date
    return _("Day: %(day)s.") % {"day": date_format(day)} if day else ""


def _moment_words(table: Table) -> str:
    assert table.meets_at is not None
    competition = table.round.stage.division.competition
    at = date_format(timezone.localtime(table.meets_at, zone_of(competition)), "DATETIME_FORMAT")
    return _("Time: %(time)s (%(zone)s).") % {"time": at, "zone": competition.timezone}


def _joined(words: Sequence[str]) -> str:
    return sentences(each for each in words if each)


def result_words(sheet: Sheet, wind: int, *, late: Collection[int]) -> tuple[str, str]:
    table = sheet.table
    found = sheet.settled(table.round.stage.division.rules, late=late)[wind]
    said = {"place": found.place, "score": number_tenths(found.score)}
    title = _("Your result: place %(place)s, %(score)s") % said
    points = _("%(points)s points.") % {"points": number(sheet.points[wind])}
    return title, sentences([_table_words(table), points])


def _table_words(table: Table) -> str:
    return f"{where_words(table.round.stage, table.round, table)}."


def time_words(said: Appointment) -> tuple[str, str]:
    """Return title and text about the time of a table."""
    kinds = Appointment.Kind
    titles = {
        kinds.PROPOSED: _("A time is proposed for your table"),
        kinds.POSTPONED: _("Your table is postponed"),
    }
    table = said.table
    table.meets_at = said.meets_at
    when = _moment_words(table) if said.meets_at else ""
    answer = _("Agree or decline on your page.") if said.kind == kinds.PROPOSED else ""
    title = titles.get(kinds(said.kind), _("Time of your table"))
    return title, _joined([when, said.place and f"{said.place}.", _table_words(table), answer])


def penalty_words(penalty: Penalty) -> tuple[str, str]:
    line = penalty_line(penalty, penalty_rules_of(penalty.stage.division.rule_set))
    score = number_tenths(penalty.score) if penalty.score else ""
    named = listed(each for each in (line.level, score) if each)
    title = labelled(pgettext("notice", "Penalty"), named) if named else pgettext("notice", "Penalty")
    return title, _joined([_place_words(penalty), line.offence, penalty.reason])


def revoked_words(penalty: Penalty) -> tuple[str, str]:
    offence = penalty_line(penalty, penalty_rules_of(penalty.stage.division.rule_set)).offence
    return _("Your penalty is revoked"), _joined([_place_words(penalty), offence, penalty.revoke_reason])


def _place_words(penalty: Penalty) -> str:
    """Name the table of the penalty, or the stage alone while the round is hidden."""
    round_ = penalty.round
    if round_ is None or round_.visibility == Round.Visibility.HIDDEN:
        return f"{where_words(penalty.stage)}."
    return f"{where_words(penalty.stage, round_, penalty.table)}."


def ban_notice_words(ban: Ban) -> tuple[str, str]:
    until = date_format(ban.until) if ban.until else ""
    title = _("You are banned until %(day)s") % {"day": until} if until else _("You are banned permanently")
    return title, ban.reason


def lifted_words(ban: Ban) -> tuple[str, str]:
    return _("Your ban is lifted"), ban.lift_reason


def objection_words(table: Table) -> tuple[str, str]:
    return _("A referee has answered your objection"), _table_words(table)


def ruling_words(dispute: Dispute) -> tuple[str, str]:
    title = _("The dispute at your table is decided")
    return title, _table_words(dispute.table) if dispute.table else ""


def confirm_words(competition: Competition) -> tuple[str, str]:
    title = _("Confirm your address")
    text = _(
        "Somebody turned on notices by mail for %(name)s with this address. If it was you, open this link. "
        "Otherwise ignore this mail."
    )
    return title, text % {"name": competition.name}


def test_words(competition: Competition) -> tuple[str, str]:
    return _("Notices are on"), _("This is a test for %(name)s.") % {"name": competition.name}
