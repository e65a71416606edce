"""From which round to which one a substitute sits for a player who is away."""

from league.play.substitutions.queries.substitutes import Sitting, lasting_sittings


def test_a_lasting_substitute_sits_from_their_first_round_until_the_player_sits_again():
    begun = Sitting(2, 12, player=4, sits=9, until_back=True)
    for_one_round = Sitting(1, 11, player=5, sits=8)
    back = Sitting(3, 13, player=4, sits=4)

    found = [lasting_sittings([for_one_round, begun, back], number) for number in (1, 2, 3)]

    assert found == [{}, {4: begun}, {}]
