from league.play.hands.words.results import TRANSFERS
from scoring.payments import REASONS


def test_every_reason_of_a_payment_has_words():
    assert tuple(TRANSFERS) == REASONS
    assert [words for words in map(str, TRANSFERS.values()) if "_" in words] == []
