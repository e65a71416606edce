"""A round and its tables as they are under the lock of a change."""

from django.db.models import Prefetch
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, reread
from league.core.errors import Refused
from league.models import Round, Seat, Table
from scoring.hand_codes import parse_hand_code
from scoring.rules import Rules


def seating(round_: Round) -> dict[int, list[int]]:
    """Table number → player ids by wind, as seated now."""
    tables: dict[int, list[int]] = {n: [] for n in round_.tables.values_list("number", flat=True)}
    seats = Seat.objects.filter(round=round_).order_by("table__number", "wind")
    for number, player in seats.values_list("table__number", "player_id"):
        tables[number].append(player)
    return tables


def seats_with_players() -> "Prefetch[str]":
    """Prefetches the seats of tables, and their players by a join: ``seats__player`` makes a condition for
    each player, and SQLite takes 1,000.
    """
    return Prefetch("seats", Seat.objects.select_related("player"))


def reread_round(round_: Round) -> Round:
    """The round as it is under the lock, with rules and competition. Raises ``Refused`` if it was deleted."""
    related = ("stage__division__competition", "stage__division__rule_set")
    return reread(Round.objects.select_related(*related), pk=round_.pk)


def rules_at(table: Table) -> Rules:
    """The rules that the table plays under."""
    return table.round.stage.division.rules


def check_hand(table: Table, hand: str) -> None:
    """Raise ``Refused`` for a hand that the rules of the table do not play."""
    try:
        parse_hand_code(hand, rules_at(table))
    except ValueError:
        raise Refused(
            _("This hand is not possible under these rules. Choose the current hand."), field="hand"
        ) from None


def write_hand(done: Change, table: Table, hand: str) -> None:
    """Part of a change: the table plays this hand now, so that the bans of the one before have ended."""
    before, table.hand = table.hand, hand
    table.save(update_fields=["hand"])
    done.log("table.hand", f"table:{table.pk}", before={"hand": before}, after={"hand": hand})
