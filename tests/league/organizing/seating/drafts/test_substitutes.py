"""Players with a substitute while rounds are seated."""

import pytest

from league.core.errors import OutOfDate
from league.models import Adjustment, Round, Seat
from league.organizing.seating.queries.seating import LOTS, RANDOM, SCHEDULE, SUBSTITUTES, SWISS
from league.play.substitutions.services.substitutions import substitute_player
from tests.factories import Club
from tests.league.organizing.seating.drafts.planning import accept, begin, codes, ids, play, said, withdraw

pytestmark = pytest.mark.django_db


def test_a_substitution_ends_when_its_round_is_seated_again(here):
    """Otherwise who sits there in their own right would still play for someone else, and score nothing."""
    here.add_players(1)
    round_ = here.add_round(opened=False)
    seat = Seat.objects.get(round=round_, player=here.players[3])
    instead = here.players[16].pk
    substitute_player(seat=seat, substitute=instead, late=False, score=-300, reason="ill", by=here.alice)
    withdraw(here, 3)

    assert ("away", False) in codes(here, method=LOTS, first=round_.pk)
    begin(here, method=LOTS, first=round_.pk)
    accept(here)

    assert Seat.objects.get(round=round_, player=instead).stands_for is None
    assert not Adjustment.objects.filter(revoked_at__isnull=True).exists()


def send_in(here: Club, round_: Round, position: int, substitute: int) -> None:
    """Until the player is back."""
    seat = Seat.objects.get(round=round_, player=here.players[position])
    substitute_player(
        seat=seat,
        substitute=here.players[substitute].pk,
        late=False,
        score=-300,
        reason="ill",
        onwards=True,
        by=here.alice,
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", [SWISS, SCHEDULE])
def test_a_substitute_until_the_player_is_back_sits_in_every_round_that_is_seated(here, method):
    """The absent player keeps rank and history. Only the chair is the substitute's."""
    here.add_players(1)
    here.competition.entrants.filter(key="p17").update(is_substitute=True)
    first = here.add_round(opened=False)
    send_in(here, first, 3, 16)
    play(here, first)

    wanted = {"method": method, "rounds": 1 if method == SWISS else 3, "fill": SUBSTITUTES}
    assert said(here, "sent_in", **wanted) == ["Substitutes again, as before: Player 17 for 張志強."]
    assert said(here, "away", **wanted) == []
    begin(here, **wanted)
    made = accept(here)

    for round_ in made:
        seats = Seat.objects.filter(round=round_)
        assert seats.count() == 16
        instead = seats.filter(stands_for__isnull=False)
        assert list(instead.values_list("player", "stands_for", "until_back")) == [
            (here.players[16].pk, here.players[3].pk, True)
        ]
        assert Adjustment.objects.get(round=round_).score == -300


def test_a_substitute_until_the_player_is_back_stays_when_the_round_is_seated_again(here):
    here.add_players(1)
    round_ = here.add_round(opened=False)
    send_in(here, round_, 3, 16)

    begin(here, method=LOTS, first=round_.pk, out=frozenset(ids(here, 16)), fill=SUBSTITUTES)
    assert said(here, "unable", method=LOTS, first=round_.pk, out=frozenset(ids(here, 16))) == [
        "These substitutes cannot continue: Player 17 for 張志強. The absent player gets the "
        "seat. Choose another substitute afterwards."
    ]
    accept(here)

    assert not Seat.objects.filter(stands_for__isnull=False).exists()
    assert not Adjustment.objects.filter(revoked_at__isnull=True).exists()
    here.competition.entrants.filter(key="p17").update(is_substitute=True)
    send_in(here, round_, 3, 16)
    begin(here, method=LOTS, first=round_.pk)
    accept(here)

    assert Seat.objects.get(round=round_, player=here.players[16]).stands_for == here.players[3]
    assert [a.score for a in Adjustment.objects.filter(revoked_at__isnull=True)] == [-300]


def test_a_substitute_who_comes_or_goes_meanwhile_is_noticed(here):
    here.add_players(1)
    here.competition.entrants.filter(key="p17").update(is_substitute=True)
    first = here.add_round(opened=False)
    begin(here, method=RANDOM)
    send_in(here, first, 3, 16)

    with pytest.raises(OutOfDate):
        accept(here)
