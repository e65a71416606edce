from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from league.core.access import Access
from league.models import Round, Stage
from league.play.hands.queries import games_of
from league.play.open_play.forms import FeeForm, GuestForm
from league.play.open_play.queries import (
    draws_on_the_spot,
    evening_days,
    evening_of,
    evening_players,
    missing_players,
    next_seated_round,
    sum_fees,
    tables_of_day,
    unfinished_evenings,
)
from league.play.results.panels import kept_by, panel, slip_panel
from league.play.results.queries.tables import table_results

EVENING = "open_play/evening.html"
NEAR_DAYS = 6  # other evenings to choose from


def evening_address(access: Access, stage: int, day: str) -> str:
    return access.address("open_play:evening", stage, day)


def evening_page(
    access: Access,
    stage: Stage,
    on: date,
    *,
    pays: bool = False,
    for_guest: bool = False,
    sheet: Any = None,
    guest: Any = None,
    fee: Any = None,
) -> dict[str, Any]:
    """Return the values of the page `EVENING`. `sheet`, `guest` and `fee`: a form with its errors.

    `pays`: the players are listed for payment. `for_guest`: the name of the next guest is typed first.
    """
    guest = guest or GuestForm()
    if for_guest:
        guest.fields["name"].widget.attrs["autofocus"] = True
    draws, evening = draws_on_the_spot(stage), evening_of(stage, on)
    results = table_results(tables_of_day(access.rounds(), stage, on), access.competition) if draws else []
    players, round_ = evening_players(stage, on, results), next_seated_round(stage)
    refused = sheet.data.get("table") if sheet else None
    kept = games_of([each.table for each in results])
    panels = [
        panel(
            each,
            sheet if refused == str(each.table.pk) else None,
            typed=kept_by(kept[each.table.pk].game),
        )
        for each in results
        if refused == str(each.table.pk)
        or (each.sheet is None and each.table.round.status == Round.Status.OPEN)
    ]
    days = [day for day in evening_days(stage) if day != on] if draws else []
    by_arrival = sorted(players, key=lambda each: each.presence.pk if each.presence else 0)
    came = [each for each in by_arrival if each.presence]
    return {
        "heading": _("Evening") if draws else _("Attendance"),
        "stage": stage,
        "day": on,
        "draws": draws,
        "days": sorted(days, key=lambda day: abs(day - on))[:NEAR_DAYS],
        "here": [each for each in came if each.here],
        "absent": [each for each in players if each.may_play and not each.here],
        "came": came,
        "pays": pays,
        "seated": sum(each.here and each.seated for each in players),
        "free": sum(each.here and not each.seated for each in players),
        "ranking": sorted((each for each in players if each.games), key=lambda each: -each.score),
        "panels": panels,
        "unfinished": unfinished_evenings(stage, on) if draws else [],
        "blank": slip_panel(stage.division.rules, None if refused else sheet),
        "focus": "" if for_guest or pays else refused or (sheet and "blank") or "first",
        "fees": sum_fees((on, each.presence) for each in came),
        "guest": guest,
        "fee": fee
        or FeeForm(initial={name: _plain(getattr(evening, name)) for name in ("fee", "guest_fee")}),
        "round": round_,
        "missing": missing_players(players, round_),
    }


def _plain(amount: Decimal | None) -> str | None:
    """Write an amount as typed: 50, 12.50."""
    return None if amount is None else str(amount).removesuffix(".00")
