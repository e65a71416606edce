from django.db.models import Prefetch
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.changes import reread
from league.core.errors import Refused
from league.models import Round, Seat, Stage, Table
from scoring.hand_codes import parse_hand_code


def seating(round_: Round) -> dict[int, list[int]]:
    tables: dict[int, list[int]] = {n: [] for n in round_.tables.values_list("number", flat=True)}
    seats = Seat.objects.filter(round=round_).order_by("table__number", "wind")
    for number, player in seats.values_list("table__number", "player_id"):
        tables[number].append(player)
    return tables


def seats_with_players() -> "Prefetch[str]":
    """Prefetch the seats of tables with their players in a join, because `seats__player` makes a condition
    per player, and SQLite takes 1,000.
    """
    return Prefetch("seats", Seat.objects.select_related("player"))


def reread_round(round_: Round) -> Round:
    """Return the round as it is under the lock, with rules and competition."""
    related = ("stage__division__competition", "stage__division__rule_set")
    return reread(Round.objects.select_related(*related), pk=round_.pk)


def closed_words(round_: Round) -> str:
    """Say why the codes of the tables open nothing, or "" while the round is open."""
    return {
        Round.Status.PLANNED: gettext(
            "This round has not started yet. The codes open its tables when it starts."
        ),
        Round.Status.OPEN: "",
        Round.Status.CLOSED: gettext(
            "This round is closed, so codes no longer open its tables. If a result is wrong, tell the staff."
        ),
    }[Round.Status(round_.status)]


def where_words(stage: Stage, round_: Round | None = None, table: Table | None = None) -> str:
    """Return "Division A, Season, round 3, table 2", without round or table if they are None."""
    named: dict[str, object] = {"division": stage.division.name, "stage": stage.name}
    if round_ is None:
        return gettext("%(division)s, %(stage)s") % named
    named["round"] = round_.number
    if table is None:
        return gettext("%(division)s, %(stage)s, round %(round)s") % named
    named["table"] = table.number
    return gettext("%(division)s, %(stage)s, round %(round)s, table %(table)s") % named


def check_hand(table: Table, hand: str) -> None:
    try:
        parse_hand_code(hand, table.rules)
    except ValueError:
        raise Refused(
            _("This hand is not possible under these rules. Choose the current hand."), field="hand"
        ) from None
