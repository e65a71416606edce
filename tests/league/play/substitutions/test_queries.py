"""From which round to which one a substitute sits for a player who is away."""

from league.models import Round, Seat
from league.play.substitutions.queries.substitutes import lasting_sittings


def test_a_lasting_substitute_sits_from_their_first_round_until_the_player_sits_again():
    begun = Seat(round=Round(number=2), stands_for_id=4, player_id=9, until_back=True)
    for_one_round = Seat(round=Round(number=1), stands_for_id=5, player_id=8)
    back = Seat(round=Round(number=3), player_id=4)

    found = [lasting_sittings([for_one_round, begun, back], number) for number in (1, 2, 3)]

    assert found == [{}, {4: begun}, {}]
