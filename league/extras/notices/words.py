"""Notices in words, in the reader's language: a title, and a few sentences."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.core.numbers import number, number_tenths
from league.core.rounds import where_words
from league.core.text import labelled, listed, sentences
from league.core.zones import zone_of
from league.extras.notices.about import About
from league.models import Appointment, Ban, Call, Competition, Dispute, Penalty, Round, Seat, Sheet, Table
from league.play.hands.words.penalties import penalty_line
from league.rules.penalty_rules.words.rulings import penalty_rules_of

Words = tuple[str, str]


def seat_words(seat: Seat, others: Sequence[Seat], about: About) -> Words:
    """Return the words about a seat. `seat`: with its table, round and competition."""
    table, round_ = seat.table, seat.table.round
    title = _("Table %(table)s, %(wind)s") if about == About.SEATED else _("Next: table %(table)s, %(wind)s")
    rivals = listed(labelled(other.get_wind_display(), other.player.name) for other in others)
    where = _("%(stage)s, round %(round)s.") % {"stage": round_.stage.name, "round": round_.number}
    begun = _("The round has started.") if about == About.SEATED else ""
    if table.meets_at is not None:
        when = _moment_words(table)
    else:
        when = _("Day: %(day)s.") % {"day": date_format(round_.date)} if round_.date else ""
    place = {"table": table.number, "wind": seat.get_wind_display()}
    return title % place, _joined([where, begun, when, rivals])


def _moment_words(table: Table) -> str:
    assert table.meets_at is not None
    competition = table.competition
    at = date_format(timezone.localtime(table.meets_at, zone_of(competition)), "DATETIME_FORMAT")
    return _("Time: %(time)s (%(zone)s).") % {"time": at, "zone": competition.zone_city}


def _joined(words: Iterable[str]) -> str:
    return sentences(filter(None, words))


def _table_words(table: Table) -> str:
    return f"{where_words(table.round.stage, table.round, table)}."


def result_words(sheet: Sheet, wind: int, *, late: Collection[int]) -> Words:
    found = sheet.settled(sheet.table.round.stage.division.rules, late=late)[wind]
    said = {"place": found.place, "score": number_tenths(found.score)}
    points = _("%(points)s points.") % {"points": number(sheet.points[wind])}
    return _("Your result: place %(place)s, %(score)s") % said, _joined([_table_words(sheet.table), points])


def _time(said: Appointment) -> Words:
    kinds, table = Appointment.Kind, said.table
    titles = {
        kinds.PROPOSED: _("A time is proposed for your table"),
        kinds.POSTPONED: _("Your table is postponed"),
    }
    table.meets_at = said.meets_at
    when = _moment_words(table) if said.meets_at else ""
    answer = _("Agree or decline on your page.") if said.kind == kinds.PROPOSED else ""
    title = titles.get(kinds(said.kind), _("Time of your table"))
    return title, _joined([when, said.place and f"{said.place}.", _table_words(table), answer])


def _penalty(penalty: Penalty) -> Words:
    """Return the words about a penalty that is in force or was revoked."""
    line = penalty_line(penalty, penalty_rules_of(penalty.stage.division.rule_set))
    where = _place_words(penalty)
    if penalty.revoked_at is not None:
        return _("Your penalty is revoked"), _joined([where, line.offence, penalty.revoke_reason])
    named = listed(filter(None, (line.level, number_tenths(penalty.score) if penalty.score else "")))
    title = pgettext("notice", "Penalty")
    return labelled(title, named) if named else title, _joined([where, line.offence, penalty.reason])


def _place_words(penalty: Penalty) -> str:
    """Name the table of the penalty, or the stage alone while the round is hidden."""
    round_ = penalty.round
    if round_ is None or round_.visibility == Round.Visibility.HIDDEN:
        return f"{where_words(penalty.stage)}."
    return f"{where_words(penalty.stage, round_, penalty.table)}."


def _ban(ban: Ban) -> Words:
    if ban.lifted_at is not None:
        return _("Your ban is lifted"), ban.lift_reason
    if ban.until is None:
        return _("You are banned permanently"), ban.reason
    return _("You are banned until %(day)s") % {"day": date_format(ban.until)}, ban.reason


def _answer(answered: Call | Dispute) -> Words:
    is_call = isinstance(answered, Call)
    title = (
        _("A referee has answered your objection") if is_call else _("The dispute at your table is decided")
    )
    return title, _table_words(answered.table)


WORDS: dict[About, Callable[[Any], Words]] = {
    About.TIME: _time,
    About.PENALTY: _penalty,
    About.REVOKED: _penalty,
    About.BAN: _ban,
    About.LIFTED: _ban,
    About.OBJECTION: _answer,
    About.RULING: _answer,
}


def confirm_words(competition: Competition) -> Words:
    text = _(
        "Somebody turned on notices by mail for %(name)s with this address. If it was you, open this link. "
        "Otherwise ignore this mail."
    )
    return _("Confirm your address"), text % {"name": competition.name}


def test_words(competition: Competition) -> Words:
    return _("Notices are on"), _("This is a test for %(name)s.") % {"name": competition.name}
