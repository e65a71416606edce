"""What a player gets for a session that somebody else played, in points and tenths."""

from scoring.absence import Substituted


def test_a_substituted_player_loses_15000_points_and_15000_of_uma() -> None:
    assert (Substituted().points, Substituted().uma, Substituted().score) == (-15000, -15000, -300)
