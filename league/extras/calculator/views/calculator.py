"""The hand calculator. Its address holds the whole hand. A script sends the form for the value."""

import json
from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from league.extras.calculator.forms import UNREADABLE, CalculatorForm
from league.extras.calculator.panels import USUAL, hand_address
from league.extras.calculator.queries import hand_of
from league.extras.calculator.rules import CLOSED_KAN, TileHand
from league.extras.calculator.rules.tiles import TILES, in_order
from league.extras.calculator.views.hand_words import HandAnswer, shown_tiles
from league.rules.rule_sets.queries.rule_sets import FoundRules, rule_set_choices
from league.rules.rule_sets.typed import answer_address

PLACES: Final = (  # what a tap on a tile adds, in words that fit a phone
    ("hand", pgettext_lazy("tapped tiles go to", "Single tile")),
    ("pair", pgettext_lazy("tapped tiles go to", "Pair")),
    ("run", pgettext_lazy("tapped tiles go to", "Sequence")),
    ("triplet", pgettext_lazy("tapped tiles go to", "Triplet")),
    ("win", pgettext_lazy("tapped tiles go to", "Winning tile")),
    ("chi", pgettext_lazy("tapped tiles go to", "Chi")),
    ("pon", pgettext_lazy("tapped tiles go to", "Pon")),
    ("kan", pgettext_lazy("tapped tiles go to", "Kan")),
    ("closed", pgettext_lazy("tapped tiles go to", "Closed kan")),
    ("added", pgettext_lazy("tapped tiles go to", "Added kan")),
    ("dora", pgettext_lazy("tapped tiles go to", "Dora")),
    ("ura", pgettext_lazy("tapped tiles go to", "Ura")),
)
WORDS: Final = {
    "take-back": gettext_lazy("Remove {tile}"),
    "mark": gettext_lazy("Win with {tile}"),
}


@require_safe
def hand(request: HttpRequest) -> HttpResponseBase:
    def make(typed: dict[str, str], found: FoundRules, problems: list[str]) -> dict[str, Any]:
        form = CalculatorForm(typed, found.key, rule_set_choices(found))
        return {
            "form": form,
            "found": found,
            "page": page_of(form, found, typed, problems),
            "places": PLACES,
            "keys": in_order(TILES),
            "words": WORDS,
            "plain": json.dumps(USUAL),
            "samples": lambda: samples(found.key),
            "drawn": drawn_tiles(form.hand_tiles),
            "indicators": [
                (name, form[name].label, tiles)
                for name, tiles in (("dora", form.dora_tiles), ("ura", form.ura_tiles))
            ],
            "share": request.build_absolute_uri(hand_address(typed)) if typed.get("hand") else "",
        }

    template, part = "calculator/hand.html", "calculator/_answer.html"
    return answer_address(request, CalculatorForm.base_fields, make, template=template, part=part)


def page_of(
    form: CalculatorForm, found: FoundRules, typed: Mapping[str, str], problems: list[str]
) -> dict[str, Any]:
    """Return the answer, as `HandAnswer.page` does, or that the form is `empty` or `refused`."""
    problems = problems + [
        str(error) if name == "hand" and form.has_error(name, UNREADABLE) else _sentence_on(form, name, error)
        for name, errors in form.errors.items()
        for error in errors
    ]
    if problems:
        short = _("This hand cannot be read yet")
        return {"state": "refused", "title": _("Hand calculator"), "short": short, "problems": problems}
    if typed.get("hand"):
        return HandAnswer(form.question, found, typed).page()
    return {"state": "empty", "title": _("Hand calculator"), "short": _("Tap tiles or enter them as text")}


def _sentence_on(form: CalculatorForm, name: str, error: object) -> str:
    return _("%(field)s: %(sentence)s") % {"field": form[name].label, "sentence": error}


def drawn_tiles(hand: TileHand) -> dict[str, Any]:
    melds = [(meld.kind == CLOSED_KAN, shown_tiles(meld.kind, meld.tiles)) for meld in hand.melds]
    is_empty = not (hand.closed or hand.win or hand.melds)
    return {"closed": hand.closed, "win": hand.win, "melds": melds, "is_empty": is_empty}


# --- hands to try


_SAMPLES: Final[tuple[tuple[object, Mapping[str, str]], ...]] = (
    (
        gettext_lazy("Riichi, pinfu and dora"),
        {"hand": "234456m77p345678s", "win": "8s", "how": "tsumo", "riichi": "1", "dora": "2m", "seat": "1"},
    ),
    (gettext_lazy("Open hand with a closed kan"), {"hand": "55m234s789p (777z) [1111s]", "win": "9p"}),
    (gettext_lazy("Two readings"), {"hand": "111222333m99p789s", "win": "9s", "riichi": "1"}),
    (gettext_lazy("Thirteen orphans"), {"hand": "19m19p19s12345677z", "win": "7z", "how": "tsumo"}),
    (gettext_lazy("No yaku"), {"hand": "234m678p44s (789s) (111p)", "win": "8p", "seat": "2"}),
    (gettext_lazy("Nine gates, one tile short"), {"hand": "1112345678999s"}),
)


def samples(rule_set: str) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "drawn": drawn_tiles(hand_of(typed["hand"], typed.get("win", ""))),
            "address": hand_address({**typed, "rules": rule_set}),
        }
        for name, typed in _SAMPLES
    ]
