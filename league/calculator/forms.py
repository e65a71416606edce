"""The hand calculator's form, stored in the address. ``DEFAULTS`` hold for what an address leaves out."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.calculator.queries import DEALER, DISCARDER, OTHER
from league.core.forms import TidyCharField

MOST_COUNTED: Final = 99  # honba or deposits: more than any game has seen
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


def _buttons(choices: Sequence[tuple[str, object]], label) -> forms.ChoiceField:
    widget = forms.RadioSelect(attrs={"class": "btn-check"})
    return forms.ChoiceField(choices=choices, label=label, widget=widget, required=False)


def _tiles(label, *, most: int, **attrs: str) -> TilesField:
    plain = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false", "enterkeyhint": "go"}
    return TilesField(
        label=label,
        max_length=most,
        required=False,
        widget=forms.TextInput(attrs=plain | attrs | {"maxlength": None}),
    )


def _count(label) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=MOST_COUNTED, required=False)


def _liability_field() -> forms.ChoiceField:
    choices = [("", ""), *((role, role) for role in (DISCARDER, DEALER, OTHER))]
    return forms.ChoiceField(
        choices=choices, label=gettext_lazy("Liable player"), widget=forms.HiddenInput, required=False
    )


def _tick(label) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, widget=forms.CheckboxInput(attrs={"value": "1"}))


class CalculatorForm(forms.Form):
    """A hand, how it was won, and the rule set. All fields are optional."""

    use_required_attribute = False

    rules = forms.CharField(label=gettext_lazy("Rule set"), required=False, widget=forms.Select)
    hand = _tiles(pgettext_lazy("tiles", "Hand"), most=120, placeholder="123m406p77z (555s)")
    win = _tiles(gettext_lazy("Winning tile"), most=10)
    dora = _tiles(gettext_lazy("Dora indicators"), most=40)
    ura = _tiles(gettext_lazy("Ura indicators"), most=40)
    how = _buttons((("ron", gettext_lazy("Ron")), ("tsumo", gettext_lazy("Tsumo"))), gettext_lazy("Won by"))
    seat = _buttons(SEATS, gettext_lazy("Seat wind"))
    round = _buttons(ROUNDS, gettext_lazy("Wind of the round"))
    riichi = _buttons(
        (
            ("", pgettext_lazy("riichi", "None")),
            ("1", pgettext_lazy("riichi", "Riichi")),
            ("2", pgettext_lazy("riichi", "Double")),
        ),
        gettext_lazy("Riichi"),
    )
    ippatsu = _tick(gettext_lazy("Within one turn of riichi (ippatsu)"))
    last = _tick(gettext_lazy("On the last tile (haitei, houtei)"))
    rinshan = _tick(gettext_lazy("On the tile after a kan (rinshan)"))
    first = _tick(gettext_lazy("In the first turn, without calls"))
    chankan = _buttons(
        (
            ("", pgettext_lazy("robbing a kan", "No")),
            ("added", gettext_lazy("Added kan")),
            ("concealed", gettext_lazy("Closed kan")),
        ),
        gettext_lazy("Robbing a kan (chankan)"),
    )
    riichi_discard = _tick(gettext_lazy("Ron on the riichi tile"))
    kan_discard = _tick(gettext_lazy("Ron on the tile discarded after a kan"))
    dealer_wins = _count(gettext_lazy("Consecutive dealer wins before this hand"))
    honba = _count(gettext_lazy("Honba"))
    sticks = _count(gettext_lazy("Riichi deposits on the table"))
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

    @property
    def texts(self) -> list[BoundField]:
        return [self[name] for name in ("hand", "win", "dora", "ura")]

    @property
    def choices(self) -> list[BoundField]:
        return [self[name] for name in ("how", "seat", "round", "riichi", "chankan")]

    @property
    def ticks(self) -> list[BoundField]:
        return [self[name] for name in ("ippatsu", "last", "rinshan", "first")]

    @property
    def local(self) -> list[BoundField]:
        """Return the fields for local yaku."""
        return [self[name] for name in ("riichi_discard", "kan_discard", "dealer_wins")]

    @property
    def has_local(self) -> bool:
        return any(self.data.get(name) for name in ("riichi_discard", "kan_discard", "dealer_wins"))

    @property
    def liable(self) -> dict[str, str]:
        """Return yaku → role of the liable player. Needs a valid form."""
        said = {name: self.cleaned_data[name] for name in self.fields if name.startswith(LIABLE)}
        return {name.removeprefix(LIABLE): role for name, role in said.items() if role}

    @property
    def numbers(self) -> list[BoundField]:
        return [self[name] for name in ("honba", "sticks")]
