"""Every code that a hand or a hanchan can speak in has words."""

import pytest
from django.utils import translation

from league.yaku_words import LIMITS, TRANSFERS, YAKU, limit_name, transfer_reason, yaku_name
from scoring.kinds import PAO_YAKU
from scoring.payments import LIMITS as LIMIT_CODES
from scoring.payments import REASONS
from scoring.rules import LOCAL_YAKU


def test_every_yaku_of_a_setting_has_a_name():
    assert [code for code in (*LOCAL_YAKU, *PAO_YAKU) if code not in YAKU] == []


def test_yaku_are_called_as_players_of_each_language_call_them():
    said = {}
    for language in ("en", "zh-hant", "zh-hans", "ja"):
        with translation.override(language):
            said[language] = [yaku_name(code) for code in ("menzen_tsumo", "tanyao", "kokushi", "ura_dora")]

    assert said == {
        "en": [
            "Menzen tsumo (closed self-draw)",
            "Tanyao (all simples)",
            "Kokushi (thirteen orphans)",
            "Ura dora",
        ],
        "zh-hant": ["門前清自摸和", "斷么九", "國士無雙", "裏寶牌"],
        "zh-hans": ["门前清自摸和", "断幺九", "国士无双", "里宝牌"],
        "ja": ["門前清自摸和", "断么九", "国士無双", "裏ドラ"],
    }


@pytest.mark.parametrize("language", ["en", "zh-hant", "zh-hans", "ja"])
def test_no_two_yaku_have_the_same_name(language):
    with translation.override(language):
        names = [yaku_name(code) for code in YAKU]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_every_limit_has_a_name():
    assert tuple(LIMITS) == LIMIT_CODES
    assert [limit_name("yakuman", multiples) for multiples in (1, 2, 3, 4)] == [
        "Yakuman",
        "Double yakuman",
        "Triple yakuman",
        "4 times yakuman",
    ]
    assert limit_name("counted_yakuman", 0) == "Counted yakuman"


def test_every_reason_of_a_payment_has_words():
    assert tuple(TRANSFERS) == REASONS
    assert [transfer_reason(code) for code in REASONS if "_" in transfer_reason(code)] == []
