"""The score table of a rule set as it is printed."""

from league.rules.rule_sets.views.score_tables import score_page
from scoring.presets import resolve


def test_the_score_table_is_printed_by_fu_with_the_limits_below():
    page = score_page(resolve("tenhou"))
    assert [fu for fu, _prices in page["dealer"]["rows"]] == [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110]
    _fu, thirty = page["other"]["rows"][2]
    assert [tuple(price.values()) for price in thirty] == [
        ("1000", "300/500", False),
        ("2000", "500/1000", False),
        ("3900", "1000/2000", False),
        ("7700", "2000/3900", False),
    ]
    _fu, twenty = page["dealer"]["rows"][0]
    assert [(price["ron"], price["tsumo"]) for price in twenty] == [
        ("", ""),
        ("", "700"),
        ("", "1300"),
        ("", "2600"),
    ]
    assert [(name, han, price["ron"]) for name, han, price in page["other"]["limits"]] == [
        ("Mangan", "5 han", "8000"),
        ("Haneman", "6–7 han", "12000"),
        ("Baiman", "8–10 han", "16000"),
        ("Sanbaiman", "11–12 han", "24000"),
        ("Kazoe yakuman", "13+ han", "32000"),
        ("Yakuman", "", "32000"),
        ("Double yakuman", "", "64000"),
        ("Triple yakuman", "", "96000"),
    ]
    assert score_page(resolve("mleague"))["other"]["rows"][2][1][3]["is_limit"]
