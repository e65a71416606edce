"""The hand calculator. Its address holds the whole hand. A script sends the form for the value."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from league.calculator.forms import CalculatorForm
from league.calculator.panels import USUAL, USUAL_RULES, hand_address
from league.calculator.queries import HandQuestion, hand_of
from league.calculator.views.hand_words import Page, Under, empty_page, page_of, refused_page, shown_tiles
from league.calculator.words.hands import hand_problem
from league.core.caching import ANY, Among, answer, settle_address
from league.rule_sets.queries.rule_sets import (
    FoundRules,
    find_rules,
    preset_rules,
    rule_set_choices,
    rules_of,
)
from scoring.hands import CLOSED_KAN, Situation, TileHand
from scoring.presets import preset, presets
from scoring.tiles import TILES, HandError, in_order, parse_tiles

MOST_PROBLEMS: Final = 5  # shown at once for one field: the others follow when these are corrected
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


Read = TypeVar("Read")


@require_safe
def hand(request: HttpRequest) -> HttpResponseBase:
    published = Among(each.slug for each in presets())
    may_keep = settle_address(request, dict.fromkeys(CalculatorForm.base_fields, ANY) | {"rules": published})
    typed = {
        name: value for name in CalculatorForm.base_fields if (value := request.GET.get(name, "")).strip()
    }
    found = find_rules(request.user, typed.get("rules", USUAL_RULES))

    def make() -> HttpResponse:
        asked = AskedHand(typed, found)
        context = {"page": page_asked_for(asked), "found": asked.found}
        if request.headers.get("HX-Request"):
            return render(request, "calculator/_answer.html", context)
        return render(request, "calculator/hand.html", context | board(request, asked))

    facts = found.state if found else ("no such rules",)
    response = answer(request, facts, make, may_keep=may_keep)
    patch_vary_headers(response, ("HX-Request",))  # going back must not show the fragment alone
    return response


def board(request: HttpRequest, asked: "AskedHand") -> dict[str, object]:
    return {
        "form": asked.form,
        "places": PLACES,
        "keys": in_order(TILES),
        "words": WORDS,
        "plain": json.dumps(USUAL),
        "samples": samples(asked.found.key),
        "drawn": drawn_hand(asked),
        "share": request.build_absolute_uri(hand_address(asked.typed)) if asked.typed.get("hand") else "",
    }


def page_asked_for(asked: "AskedHand") -> Page:
    question = asked.question
    if question is not None:
        return page_of(question, asked.under)
    return refused_page(asked.problems) if asked.problems else empty_page()


# --- what was asked


class AskedHand:
    """The form, rule set and tiles of an address, with every problem."""

    def __init__(self, typed: Mapping[str, str], found: FoundRules | None) -> None:
        self.typed = typed
        self.found = found or preset_rules(preset(USUAL_RULES))
        self.form = CalculatorForm(typed, self.found.key, rule_set_choices(self.found))
        self.problems: list[str] = []
        if found is None:
            self.problems.append(_("Unknown rule set. Choose one from the list."))
        self.problems += form_problems(self.form)
        text = {name: str(self.form.cleaned_data.get(name, "")) for name in ("hand", "win", "dora", "ura")}
        self.hand = self._read("hand", lambda: hand_of(text["hand"], text["win"]))
        self.dora = self._read("dora", lambda: parse_tiles(text["dora"])) or ()
        self.ura = self._read("ura", lambda: parse_tiles(text["ura"])) or ()

    def _read(self, field: str, read: Callable[[], Read]) -> Read | None:
        try:
            return read()
        except HandError as error:
            sentences = dict.fromkeys(hand_problem(each) for each in error.problems[:MOST_PROBLEMS])
            self.problems += [self._of(field, each) for each in sentences]
            return None

    def _of(self, field: str, sentence: str) -> str:
        """Prefix the sentence with its field unless that is the hand."""
        return sentence if field == "hand" else of_field(self.form, field, sentence)

    @property
    def question(self) -> HandQuestion | None:
        """Return None if the hand is empty or cannot be read."""
        if self.problems or self.hand is None or not self.typed.get("hand"):
            return None
        facts = self.form.cleaned_data
        situation = Situation(
            seat_wind=int(facts["seat"]),
            round_wind=int(facts["round"]),
            tsumo=facts["how"] == "tsumo",
            riichi=int(facts["riichi"] or 0),
            ippatsu=facts["ippatsu"],
            last_tile=facts["last"],
            rinshan=facts["rinshan"],
            chankan=facts["chankan"] or None,
            first_turn=facts["first"],
            dora=self.dora,
            ura=self.ura,
            riichi_discard=facts["riichi_discard"],
            kan_discard=facts["kan_discard"],
            dealer_wins=facts["dealer_wins"] or 0,
        )
        return HandQuestion(
            hand=self.hand,
            situation=situation,
            honba=facts["honba"] or 0,
            sticks=facts["sticks"] or 0,
            liable=tuple(self.form.liable.items()),
        )

    @property
    def under(self) -> Under:
        return Under(
            found=self.found,
            rules=rules_of(self.found),
            address_of=lambda **changed: hand_address({**self.typed, **changed}),
        )


def form_problems(form: CalculatorForm) -> list[str]:
    return [of_field(form, name, error) for name, errors in form.errors.items() for error in errors]


def of_field(form: CalculatorForm, name: str, sentence: object) -> str:
    return _("%(field)s: %(sentence)s") % {"field": form[name].label, "sentence": sentence}


# --- the hand as it is drawn


def drawn_hand(asked: AskedHand) -> dict[str, Any]:
    """Return the board with its indicators. It is empty while the hand cannot be read."""
    indicators = (
        ("dora", _("Dora indicators"), asked.dora),
        ("ura", _("Ura indicators"), asked.ura),
    )
    return drawn_tiles(asked.hand or TileHand(())) | {"indicators": indicators}


def drawn_tiles(hand: TileHand) -> dict[str, Any]:
    melds = [(each.kind == CLOSED_KAN, shown_tiles(each.kind, each.tiles)) for each in hand.melds]
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
