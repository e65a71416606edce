"""Words of the standings."""

from league.ranking.standings.words import _TIE_BREAKS
from scoring.standings import TIE_BREAKS


def test_every_tie_break_has_its_words():
    without = set(TIE_BREAKS) - set(_TIE_BREAKS)

    assert not without, (
        f"Give {sorted(without)} a label and an explanation in league/ranking/standings/words.py."
    )
    assert set(_TIE_BREAKS) == set(TIE_BREAKS)
