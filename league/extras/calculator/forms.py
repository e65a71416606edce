"""The hand calculator's form, stored in the address. ``DEFAULTS`` hold for what an address leaves out."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.core.forms import TidyCharField, buttons_field, number_field, tick_field
from league.extras.calculator.queries import DEALER, DISCARDER, OTHER, HandQuestion, hand_of
from league.extras.calculator.rules import Situation, TileHand
from league.extras.calculator.rules.tiles import HandError, parse_tiles
from league.extras.calculator.words import hand_problem

MOST_COUNTED: Final = 99  # honba or deposits: more than any game has seen
MOST_PROBLEMS: Final = 5  # shown at once for one field: the others follow when these are corrected
UNREADABLE: Final = "unreadable"  # the code of errors in the tiles, whose sentences name the hand
LIABLE: Final = "liable_"  # before the code of what a player made sure
DEFAULTS: Final[Mapping[str, str]] = {"how": "ron", "seat": "0", "round": "0", "honba": "0", "sticks": "0"}
SEATS: Final = (
    ("0", pgettext_lazy("seat wind", "East")),
    ("1", pgettext_lazy("seat wind", "South")),
    ("2", pgettext_lazy("seat wind", "West")),
    ("3", pgettext_lazy("seat wind", "North")),
)
ROUNDS: Final = (
    ("0", pgettext_lazy("wind of the round", "East")),
    ("1", pgettext_lazy("wind of the round", "South")),
    ("2", pgettext_lazy("wind of the round", "West")),
    ("3", pgettext_lazy("wind of the round", "North")),
)
# Brackets as Chinese and Japanese keyboards write them, beyond those that Unicode folds by itself.
_BRACKETS: Final = str.maketrans("【】〔〕「」", "[][][]")


class TilesField(TidyCharField):
    """Tiles as text, with wide characters folded: １２３ｍ is 123m."""

    def to_python(self, value: object) -> str:
        return unicodedata.normalize("NFKC", super().to_python(value)).translate(_BRACKETS).lower()


def _tiles(label: Any, *, most: int, **attrs: str) -> TilesField:
    plain = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false", "enterkeyhint": "go"}
    return TilesField(
        label=label,
        max_length=most,
        required=False,
        widget=forms.TextInput(attrs=plain | attrs | {"maxlength": None}),
    )


def _liability_field() -> forms.ChoiceField:
    choices = [("", ""), *((role, role) for role in (DISCARDER, DEALER, OTHER))]
    return forms.ChoiceField(
        choices=choices, label=gettext_lazy("Liable player"), widget=forms.HiddenInput, required=False
    )


class CalculatorForm(forms.Form):
    """A hand, how it was won, and the rule set. All fields are optional."""

    use_required_attribute = False

    rules = forms.CharField(label=gettext_lazy("Rule set"), required=False, widget=forms.Select)
    hand = _tiles(pgettext_lazy("tiles", "Hand"), most=120, placeholder="123m406p77z (555s)")
    win = _tiles(gettext_lazy("Winning tile"), most=10)
    dora = _tiles(gettext_lazy("Dora indicators"), most=40)
    ura = _tiles(gettext_lazy("Ura indicators"), most=40)
    how = buttons_field(
        gettext_lazy("Won by"), [("ron", gettext_lazy("Ron")), ("tsumo", gettext_lazy("Tsumo"))]
    )
    seat = buttons_field(gettext_lazy("Seat wind"), SEATS)
    round = buttons_field(gettext_lazy("Wind of the round"), ROUNDS)
    riichi = buttons_field(
        gettext_lazy("Riichi"),
        [
            ("", pgettext_lazy("riichi", "None")),
            ("1", pgettext_lazy("riichi", "Riichi")),
            ("2", pgettext_lazy("riichi", "Double")),
        ],
    )
    ippatsu = tick_field(gettext_lazy("Within one turn of riichi (ippatsu)"))
    last = tick_field(gettext_lazy("On the last tile (haitei, houtei)"))
    rinshan = tick_field(gettext_lazy("On the tile after a kan (rinshan)"))
    first = tick_field(gettext_lazy("In the first turn, without calls"))
    chankan = buttons_field(
        gettext_lazy("Robbing a kan (chankan)"),
        [
            ("", pgettext_lazy("robbing a kan", "No")),
            ("added", gettext_lazy("Added kan")),
            ("concealed", gettext_lazy("Closed kan")),
        ],
    )
    riichi_discard = tick_field(gettext_lazy("Ron on the riichi tile"))
    kan_discard = tick_field(gettext_lazy("Ron on the tile discarded after a kan"))
    dealer_wins = number_field(gettext_lazy("Consecutive dealer wins before this hand"), 0, MOST_COUNTED)
    honba = number_field(gettext_lazy("Honba"), 0, MOST_COUNTED)
    sticks = number_field(gettext_lazy("Riichi deposits on the table"), 0, MOST_COUNTED)
    # Who is liable is asked beside the answer, where the hand may have a liability.
    liable_daisangen = _liability_field()
    liable_daisuushii = _liability_field()
    liable_suukantsu = _liability_field()
    liable_rinshan = _liability_field()

    def __init__(self, typed: Mapping[str, str], rules: str, rule_sets: Iterable[tuple[str, str]]) -> None:
        """``rules``: the key of the rule set in use, among ``rule_sets`` (key, name)."""
        super().__init__({**DEFAULTS, **typed, "rules": rules})
        self.fields["rules"].widget.choices = list(rule_sets)
        for field in ("dora", "ura", "hand"):
            self.fields[field].widget.attrs["aria-describedby"] = "notation"

        self.fieldsets = {
            "texts": [self[name] for name in ("hand", "win", "dora", "ura")],
            "choices": [self[name] for name in ("how", "seat", "round", "riichi", "chankan")],
            "ticks": [self[name] for name in ("ippatsu", "last", "rinshan", "first")],
            "numbers": [self[name] for name in ("honba", "sticks")],
            "local": [self[name] for name in ("riichi_discard", "kan_discard", "dealer_wins")],
        }

    @property
    def has_local(self) -> bool:
        return any(field.data for field in self.fieldsets["local"])

    # The tiles, which are empty where they cannot be read.
    hand_tiles = TileHand(())
    dora_tiles: tuple[str, ...] = ()
    ura_tiles: tuple[str, ...] = ()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self._read("hand", lambda: hand_of(data.get("hand", ""), data.get("win", "")))
        self._read("dora", lambda: parse_tiles(data.get("dora", "")))
        self._read("ura", lambda: parse_tiles(data.get("ura", "")))
        return data

    def _read(self, name: str, read: Callable[[], object]) -> None:
        try:
            setattr(self, f"{name}_tiles", read())
        except HandError as error:
            sentences = dict.fromkeys(map(hand_problem, error.problems[:MOST_PROBLEMS]))
            self.add_error(name, [ValidationError(sentence, code=UNREADABLE) for sentence in sentences])

    @property
    def question(self) -> HandQuestion:
        """Return the hand and how it was won. Needs a valid form."""
        facts = self.cleaned_data
        liable = {name.removeprefix(LIABLE): facts[name] for name in self.fields if name.startswith(LIABLE)}
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
            dora=self.dora_tiles,
            ura=self.ura_tiles,
            riichi_discard=facts["riichi_discard"],
            kan_discard=facts["kan_discard"],
            dealer_wins=facts["dealer_wins"] or 0,
        )
        return HandQuestion(
            hand=self.hand_tiles,
            situation=situation,
            honba=facts["honba"] or 0,
            sticks=facts["sticks"] or 0,
            liable=tuple((yaku, role) for yaku, role in liable.items() if role),
        )
