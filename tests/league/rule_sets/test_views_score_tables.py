"""The score table of a rule set as it is printed."""

from league.rule_sets.views.score_tables import score_page
from scoring.presets import resolve


def test_the_score_table_is_printed_by_fu_with_the_limits_below():
    page = score_page(resolve("tenhou"))
    assert [row.fu for row in page.dealer.rows] == [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110]
    thirty = page.other.rows[2]
    assert [(price.ron, price.tsumo, price.is_limit) for price in thirty.prices] == [
        ("1000", "300/500", False),
        ("2000", "500/1000", False),
        ("3900", "1000/2000", False),
        ("7700", "2000/3900", False),
    ]
    twenty = page.dealer.rows[0]
    assert [(price.ron, price.tsumo) for price in twenty.prices] == [
        ("", ""),
        ("", "700"),
        ("", "1300"),
        ("", "2600"),
    ]
    assert [(limit.name, limit.han, limit.price.ron) for limit in page.other.limits] == [
        ("Mangan", "5 han", "8000"),
        ("Haneman", "6–7 han", "12000"),
        ("Baiman", "8–10 han", "16000"),
        ("Sanbaiman", "11–12 han", "24000"),
        ("Kazoe yakuman", "13+ han", "32000"),
        ("Yakuman", "", "32000"),
        ("Double yakuman", "", "64000"),
        ("Triple yakuman", "", "96000"),
    ]
    assert score_page(resolve("mleague")).other.rows[2].prices[3].is_limit
