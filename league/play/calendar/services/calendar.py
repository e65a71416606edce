from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.core.changes import Change, Sent, change
from league.core.errors import Refused
from league.core.zones import day_of, zone_of
from league.models import Competition, Role, Round, Stage, Table
from league.models.competitions import new_token
from league.people.members.services import grant
from league.play.calendar.queries.calendar import MOST_ROUNDS
from league.play.calendar.queries.moves import Moves
from league.play.calendar.queries.table_times import to_make_up
from league.play.calendar.services.table_times import move_times

MOST_WINDOW = 366  # days in which a table may meet


@dataclass(frozen=True, slots=True)
class Day:
    first: date
    until: date | None = None


# --- matchdays


def plan_matchdays(
    *,
    stage: Stage,
    days: Sequence[Day],
    hanchan: int,
    announced: bool = True,
    by: User | None,
    form: Sent | None = None,
) -> list[Round]:
    """Add hidden rounds on each of these days. `announced`: the public sees the days."""
    with change(stage.competition, by=by, form=form) as done:
        if stage.play == Stage.Play.OPEN:
            raise Refused(_("In free play, players create their own tables, so no dates are planned."))
        _check_days(days, hanchan)
        last = stage.rounds.order_by("-number").values_list("number", flat=True).first() or 0
        every = [day for day in days for _hanchan in range(hanchan)]
        made = Round.objects.bulk_create(
            Round(stage=stage, number=number, date=day.first, until=day.until, announced=announced)
            for number, day in enumerate(every, start=last + 1)
        )
        after = {
            "rounds": [each.number for each in made],
            "days": [_day_text(day) for day in days],
            "announced": announced,
        }
        done.log("round.plan", f"stage:{stage.pk}", after=after)
        done.answer = {"rounds": [each.pk for each in made]}
        return made


def _check_days(days: Sequence[Day], hanchan: int) -> None:
    if not days or hanchan < 1:
        raise Refused(_("Enter at least one day and the number of games per day."))
    if len(days) * hanchan > MOST_ROUNDS:
        raise Refused(
            _("At most %(most)s rounds can be planned at once, not %(count)s. Plan the rest afterwards.")
            % {"count": len(days) * hanchan, "most": MOST_ROUNDS}
        )
    for day in days:
        _check_window(day)


def _check_window(day: Day) -> None:
    if day.until is None:
        return
    if day.until < day.first:
        raise Refused(_("The window ends before it begins. Enter the later day second."), field="until")
    if (day.until - day.first).days > MOST_WINDOW:
        raise Refused(_("A window has at most %(days)s days.") % {"days": MOST_WINDOW}, field="until")


def _day_text(day: Day) -> str:
    return "/".join(each.isoformat() for each in (day.first, day.until) if each)


def set_dates(
    *,
    rounds: Collection[Round],
    first: date | None,
    until: date | None = None,
    announced: bool | None = None,
    reason: str = "",
    by: User | None,
    form: Sent | None = None,
) -> None:
    """Set the day of these rounds of one stage, or their window with `until`. None means not known yet.
    `announced`: whether the public sees it, or None to keep it.
    """
    stage = next(iter(rounds)).stage
    with change(stage.competition, by=by, form=form) as done:
        if first is None and until is not None:
            raise Refused(_("A window needs a first day."), field="first")
        if first is not None:
            _check_window(Day(first, until))
        current_rounds = list(Round.objects.filter(stage=stage, pk__in=[each.pk for each in rounds]))
        if len(current_rounds) != len(rounds):
            raise Refused(_("One of these rounds has been deleted. Reload the page."))
        if first is not None:
            _check_times(current_rounds, first, until or first)
        for round_ in current_rounds:
            wanted = round_.announced if announced is None else announced
            _set_dates(done, round_, first, until, wanted, reason)
        done.answer = {"rounds": [each.pk for each in current_rounds]}


def _set_dates(
    done: Change, round_: Round, day: date | None, until: date | None, announced: bool, reason: str
) -> None:
    if (round_.date, round_.until, round_.announced) == (day, until, announced):
        return
    if round_.line_ups_until and round_.date and day:
        local = round_.line_ups_until.astimezone(zone_of(done.competition))
        move_deadline(done, round_, local + (day - round_.date))  # adds days of the clock on the wall
    shows = round_.announced != announced
    before = _logged_dates(round_, shows=shows)
    round_.date, round_.until, round_.announced = day, until, announced
    round_.save(update_fields=["date", "until", "announced"])
    after = _logged_dates(round_, shows=shows) | ({"reason": reason} if reason else {})
    done.log("round.dates", f"round:{round_.pk}", before=before, after=after)


def move_rounds(done: Change, moves: Moves) -> None:
    """Move rounds with their windows, deadlines and the times of their tables, within a change."""
    for move in moves.movable:
        move_times(done, move.round, moves.days)
        _set_dates(done, move.round, move.day, move.until, move.round.announced, "")


def move_deadline(done: Change, round_: Round, until: datetime | None) -> None:
    """Set until when captains name their players of this round, within a change."""
    if (before := round_.line_ups_until) == until:
        return
    round_.line_ups_until = until
    round_.save(update_fields=["line_ups_until"])
    done.log(
        "round.line_ups_until",
        f"round:{round_.pk}",
        before={"until": before.isoformat() if before else None},
        after={"until": until.isoformat() if until else None},
    )


def _logged_dates(round_: Round, *, shows: bool) -> dict[str, object]:
    days = {name: day and day.isoformat() for name, day in (("date", round_.date), ("until", round_.until))}
    return {**days, **({"announced": round_.announced} if shows else {})}


def _check_times(rounds: Collection[Round], first: date, last: date) -> None:
    tables = Table.objects.filter(round__in=rounds, meets_at__isnull=False).exclude(sheets__is_current=True)
    tables = tables.exclude(pk__in=to_make_up(Table.objects.filter(round__in=rounds)).values("pk"))
    for table in tables.with_competition().order_by("round", "number"):
        competition = table.competition
        if table.meets_at and not first <= day_of(competition, table.meets_at) <= last:
            raise Refused(
                _("Table %(table)s of round %(round)s meets on %(day)s. Change its time first.")
                % {
                    "table": table.number,
                    "round": table.round.number,
                    "day": date_format(day_of(competition, table.meets_at)),
                },
                field="first",
            )


# --- addresses of calendars


def renew_feed_key(
    *, competition: Competition, role_id: int | None, by: User, form: Sent | None = None
) -> Role:
    """Replace the secret calendar address of this role of `by`.

    Without `role_id`, `by` is an owner of the league and gets an organizer's role.
    """
    with change(competition, by=by, form=form, even_finished=True) as done:
        if role_id is None:
            role = grant(done, by, Role.Kind.ORGANIZER)
        else:
            role = _own_role(competition, role_id, by)
        role.feed_key = new_token()
        role.save(update_fields=["feed_key"])
        done.log("role.feed", f"user:{by.pk}", after={"role": role.kind})
        done.answer = {"role": role.pk}
        return role


def _own_role(competition: Competition, role_id: int, by: User) -> Role:
    role = Role.objects.filter(competition=competition, user=by, pk=role_id).first()
    if role is None:
        raise Refused(_("You no longer have this role."))
    return role
