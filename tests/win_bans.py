"""Who may not win the hand that is played, as the product's lists of penalties say."""

from league.models import Competition, Penalty, Table
from league.play.hands.queries import penalties_of_hand
from league.referees.desk.queries import penalties_in_hand


def bans_at(table: Table) -> list[Penalty]:
    """The penalties that forbid their players to win the hand that this table plays."""
    return [penalty for penalty in penalties_of_hand(table) if penalty.win_ban]


def active_bans(competition: Competition) -> list[Penalty]:
    """The bans on winning of the hands that tables of open rounds play, by table."""
    return [penalty for penalty in penalties_in_hand(competition) if penalty.win_ban]
