"""The addresses of a page, with what they need."""

from urllib.parse import urlencode

from django.urls import reverse

from league.rules.rule_sets.queries.rule_sets import division_key
from tests.pages.things import Things


def final_of(here: Things) -> dict[str, object]:
    """What is asked for in the address of a cut."""
    more = {"first": 1, "wild_cards": 1, "wild_card_by": "best_score", "picked": "", "head_starts": "40, 30"}
    asked = {"name": "Final", "source": here.club.stage.pk, "top": 3, "carry": "half", "hanchan": 2}
    return asked | {"seated": "now"} | more


def _last_hand(here: Things) -> dict[str, object]:
    """A last hand of the competition's players with a rank as the goal."""
    points = here.club.division.rules.start_points // 100
    names = {f"n{seat}": player.name[:40] for seat, player in enumerate(here.club.players[:4])}
    asked = {"goal": "rank", "rank": 2, "t1": "12.5", "rivals": "30 -2.5"}
    return names | asked | {f"p{seat}": points for seat in range(4)}


def addresses(name: str, here: Things) -> list[str]:
    """The page's address, and its variants where parameters lead to another form."""
    address = reverse(name, kwargs=here.arguments(name))
    if name == "embeds:oembed":  # asks about a page
        return [f"{address}?{urlencode({'url': f'http://testserver/c/{here.club.slug}/'})}"]
    first, second = (player.pk for player in here.club.players[-2:])
    more = {
        "embeds:standings": ["?theme=dark&rows=3&language=ja"],
        "embeds:site": [f"?show=players/{here.entrant}&theme=dark&language=zh-hant&rows=4", "?show=nothing"],
        "results:enter_round": ["?table=2"],
        "roster:merge": [f"?a={first}&b={second}"],
        "penalties:new": [
            f"?table={here.table}",
            f"?table={here.table}&player={here.entrant}",
            f"?table={here.table}&player={here.entrant}&offence=A-II",
            f"?table={here.table}&player={here.entrant}&offence=other",
            f"?player={here.entrant}",
            f"?player={here.entrant}&stage={here.club.stage.pk}",
        ],
        "seating:by_hand": ["?how=random", "?how=hand", "?how=paste"],
        "results:practice": ["?points=450.350.250.150&signed=01&wrong=2"],
        "seating:my_seat": ["?q=p", f"?player={here.entrant}"],
        "seating:list": ["?by=name"],
        "seating:screen": ["?by=name"],
        "stages:cut": [f"?{urlencode(final_of(here))}"],
        "stages:team_cut": [f"?{urlencode({**final_of(here), 'picked': here.team})}"],
        "seasons:end": [f"?name=Autumn&player_1={first}&to_1=leaves&reason=moved"],
        "seating:plan": ["?new=1", f"?round={here.round}&new=1"],
        "calculator:hand": [
            "?hand=55m234s789p(777z)[1111s]&win=9p",
            "?hand=2345678m456p678s&riichi=1&rules=tenhou",
            f"?hand=234m678p44s(789s)(111p)&rules={division_key(here.club.division)}",
        ],
        "needs:hand": [
            "?rules=mleague&p0=300&p1=253&p2=245&p3=202&me=1",
            "?rules=tenhou&p0=300&p1=253&p2=245&p3=192&sticks=1&me=0&r2=1&honba=1&double=3",
            "?rules=tenhou&p0=300&p1=253&p2=245&p3=192",
            f"?rules={division_key(here.club.division)}&{urlencode(_last_hand(here))}",
        ],
        "needs:chances": ["?of=teams"],
        "statistics:race": ["?by=rank", "?of=teams", f"?p={here.entrant}&p=x&p=999999&by=rank"],
        "statistics:records": ["?of=league"],
        "statistics:ratings": ["?by=mers"],
        "statistics:hands": ["?of=league", "?by=dealt_in"],
        "penalty_rules:index": ["?q=食替"],
        "penalty_rules:published": ["?q=A-II"],
        "penalty_rules:house_rule": ["?q=smoking"],
        "penalty_rules:entry": ["?code=H-1", "?code=A-II"],
        "rule_sets:house_rule_new": [
            "?from=hkma-a-2025-04",
            f"?from=own:{here.club.league.slug}:{here.book.slug}:1",
        ],
        "rule_sets:compare": [
            f"?set={division_key(here.club.division)}&set=tenhou",
            "?set=nowhere&set=tenhou&set=kanto&differences=1&sources=1",
        ],
    }
    return [address, *(address + query for query in more.get(name, []))]
