"""Forms of the roster's pages: one player, a list, its preview, two records to merge."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.changes import Sent
from league.core.files.list_forms import ListFields, ListTextField, ReadingFields, choices_of_columns
from league.core.forms import (
    CountryField,
    DespiteFields,
    KeyedForm,
    TidyCharField,
    changes_field,
    choice_of,
    from_model,
)
from league.core.search import sole
from league.core.text import clauses
from league.models import Competition, Entrant
from league.organizing.roster.queries import PERSON_LABELS, describe, words_of_changes
from league.people.register.services import PlayerValues
from players.matching import Facts, Match, Number, Person, by_federation, exact_key
from players.models import Club, FederationNumber, Player
from players.roster import LONGEST, ORDERS, REST

NEW_PERSON = "new"
PLAYER, GUEST, SUBSTITUTE = "player", "guest", "substitute"
PLAYS_AS = [
    (PLAYER, _("Player: in the standings and in all rankings")),
    (GUEST, _("Guest: in the standings, but without a rank in the rankings of the club")),
    (SUBSTITUTE, _("Substitute: fills empty seats, is not in the standings")),
]
ORDER_WORDS = {
    ("first", "last"): _("First name, last name"),
    ("last", "first"): _("Last name, first name"),
    ("name", "club"): _("Name, club"),
    ("name", "country"): _("Name, country"),
    ("name", "team"): _("Name, team"),
    ("name", "romanized"): _("Name, romanized name"),
    ("name", ""): _("Name. The second column is not used."),
}
ASK = _("A similar player already exists. Choose who this is, then save again.")


class FederationNumbersField(TidyCharField):
    """Federation numbers as “EMA 04010023, ARA 55”, converted to (federation, number) pairs."""

    def clean(self, value: object) -> tuple[Number, ...]:
        text = super().clean(value)
        return tuple(
            self._number(part.strip()) for part in text.replace("，", ",").split(",") if part.strip()
        )

    def _number(self, text: str) -> Number:
        federation, _space, number = text.rpartition(" ")
        if not federation:
            raise ValidationError(
                _("Put the federation before the number: “EMA %(number)s”."), params={"number": number}
            )
        if len(federation) > LONGEST["federation"] or len(number) > LONGEST["number"]:
            raise ValidationError(_("“%(text)s” is too long."), params={"text": text[:60]})
        return (federation.upper() if federation.isascii() else federation, number)

    def prepare_value(self, value: object) -> object:
        if isinstance(value, tuple):
            return ", ".join(f"{federation} {number}" for federation, number in value)
        return value


class PlayerFields(KeyedForm):
    name = from_model(Player, "name")
    romanized = from_model(Player, "romanized")
    country = CountryField(required=False)
    club = from_model(
        Club,
        "name",
        label=PERSON_LABELS["club"],
        required=False,
        widget=forms.TextInput(attrs={"list": "clubs", "autocomplete": "off"}),
        help_text=_("A new name creates a new club."),
    )
    numbers = FederationNumbersField(
        label=_("Federation numbers"), max_length=300, required=False, help_text=_("For example EMA 04010023")
    )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not exact_key(name):
            raise ValidationError(_("The name is missing."))
        return name

    def clean_numbers(self) -> tuple[Number, ...]:
        numbers: tuple[Number, ...] = self.cleaned_data["numbers"]
        if len(by_federation(numbers)) != len(numbers):
            raise ValidationError(_("A player can have only one number per federation."))
        return numbers

    @property
    def player_values(self) -> PlayerValues:
        return PlayerValues(**{name: self.cleaned_data[name] for name in PlayerValues.__slots__})

    def values(self) -> dict[str, Any]:
        typed = {n: value for n, value in super().values().items() if n not in PlayerValues.__slots__}
        return typed | {"values": self.player_values}


class EntrantForm(PlayerFields):
    """A player and their division. ``AFTER``: fields that the page shows only if needed."""

    AFTER: ClassVar[frozenset[str]] = frozenset()

    division = choice_of(from_model(Entrant, "division"), empty_value=None)

    def __init__(self, *args: object, competition: Competition, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.divisions = {division.slug: division for division in competition.divisions.all()}
        field = cast("forms.TypedChoiceField", self.fields["division"])
        named = ((slug, division.name) for slug, division in self.divisions.items())
        field.choices = [("", _("none yet")), *named]
        field.coerce = self.divisions.__getitem__
        if len(self.divisions) < 2:
            field.widget = forms.HiddenInput()


class EditEntrantForm(EntrantForm):
    previous_rank = from_model(Entrant, "previous_rank")
    # On a form "guest" alone does not say whose.
    is_guest = from_model(Entrant, "is_guest", label=_("Guest of the club"))


class NewEntrantForm(DespiteFields, EntrantForm):
    """A new player. If the register has similar people, ``who`` asks who this is.

    ``changes``: a tick changes the record of the chosen person to what is typed.
    """

    AFTER = frozenset({"who", "changes", "despite", "despite_reason"})

    plays_as = forms.ChoiceField(
        label=_("Plays as"), choices=PLAYS_AS, initial=PLAYER, widget=forms.RadioSelect
    )

    field_order = ("name", "plays_as")

    def __init__(self, *args: object, competition: Competition, **kwargs: object) -> None:
        super().__init__(*args, competition=competition, **kwargs)
        if self.divisions:
            self.fields["division"].initial = next(iter(self.divisions))

    def ask_who(self, matches: Sequence[Match], said: Facts) -> None:
        """Add the question. A sole exact match that is not entered yet is the initial choice."""
        choices = [(str(m.person.pk), describe(m.person)) for m in matches if not m.person.entered]
        exact = [str(m.person.pk) for m in matches if m.exact and not m.person.entered]
        entered = clauses(describe(m.person) for m in matches if m.person.entered)
        self.fields["who"] = forms.ChoiceField(
            label=pgettext_lazy("of the register", "Person"),
            choices=[*choices, (NEW_PERSON, _("New person"))],
            widget=forms.RadioSelect,
            initial=sole(exact),
            help_text=_("Already entered: %(people)s.") % {"people": entered} if entered else "",
            error_messages={"required": ASK},
        )
        if words := words_of_changes(matches, said):
            self.fields["changes"] = changes_field(words)

    def known(self) -> list[int]:
        who = self.fields.get("who")
        choices = cast("Iterable[tuple[str, object]]", getattr(who, "choices", ()))
        return [int(value) for value, _words in choices if value != NEW_PERSON]

    def values(self) -> dict[str, Any]:
        typed = super().values()
        who, plays_as = typed.pop("who", NEW_PERSON), typed.pop("plays_as")
        return typed | {
            "same_as": None if who == NEW_PERSON else int(who),
            "is_guest": plays_as == GUEST,
            "is_substitute": plays_as == SUBSTITUTE,
        }

    def submission(self, *context: object) -> Sent:
        """Ignore whether the question was asked, so that a saved form does not ask again."""
        typed = {name: str(value) for name, value in self.cleaned_data.items() if name != "key"}
        typed |= {name: str(self.data.get(name)) for name in ("who", "changes")}
        return Sent.of(self.cleaned_data["key"], type(self).__name__, typed, *context)


class DivisionChoice(forms.Form):
    division = choice_of(from_model(Entrant, "division", help_text=_("For lines without a division.")))

    def __init__(self, *args: object, competition: Competition, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.divisions = list(competition.divisions.all())
        choices = [(d.slug, d.name) for d in self.divisions]
        self.fields["division"].choices = choices  # type: ignore[attr-defined]
        if self.divisions:
            self.fields["division"].initial = self.divisions[0].slug
        if len(self.divisions) < 2:
            self.fields["division"].widget = forms.HiddenInput()
        else:
            self.fields["division"].required = True


class ListForm(ListFields, DivisionChoice):
    MISSING = _("Paste the players’ names, one per line, or choose a file.")

    text = ListTextField(
        label=_("Players, one per line"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 12, "autofocus": True, "spellcheck": "false"}),
    )

    field_order = ("text", "file", "encoding", "division")

    def __init__(self, *args: object, competition: Competition, **kwargs: object) -> None:
        super().__init__(*args, competition=competition, **kwargs)
        if competition.team_play != Competition.TeamPlay.NONE:
            # The headings that make teams of the list.
            self.fields["text"].widget.attrs["placeholder"] = "name, team\n陳大文, Dragons\n山田太郎, Winds"


class RosterPreviewForm(ReadingFields, DespiteFields, KeyedForm, DivisionChoice):
    """The list with the organizer's ticks, which the server reads again.

    ``order``: what the first two columns are, if the list asks it.
    """

    FIRST_ROW = _("is a player")

    text = ListTextField(
        label=_("List"), widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "wrap": "off"})
    )
    order = forms.ChoiceField(
        label=_("What are the first two columns?"),
        required=False,
        choices=[(",".join(fields), ORDER_WORDS[fields]) for fields in ORDERS],
        widget=forms.RadioSelect,
    )
    as_is = forms.BooleanField(label=_("I have checked these numbers: save them as they are"), required=False)

    field_order = ("text", "division")

    def reading(self) -> dict[str, Any]:
        """Return how to read the text, as ``read_roster`` takes it."""
        if not self.is_bound:
            return {}
        return {**super().reading(), "said": self.said_columns(), "as_is": "as_is" in self.data}

    def said_columns(self) -> list[str]:
        """Return the fields of the columns as sent, of which an answer to `order` says the first two."""
        data = cast("QueryDict", self.data)
        order = data.get("order", "") if self.is_bound else ""
        return [*order.split(","), REST] if order else data.getlist("columns") if self.is_bound else []

    def values(self) -> dict[str, Any]:
        typed = {n: value for n, value in super().values().items() if n not in {"order", "read_as"}}
        return typed | {"columns": self.said_columns()}


def column_choices(columns: Sequence[tuple[str, str]]) -> list[tuple[str, list[tuple[str, Any, bool]]]]:
    numbers = {field for _title, field in columns if field.startswith("#")} | {f"#{FederationNumber.EMA}"}
    words = [
        ("", _("not used")),
        ("name", PERSON_LABELS["name"]),
        ("first", _("First name")),
        ("last", _("Last name")),
        *((name, PERSON_LABELS[name]) for name in ("romanized", "country", "club")),
        ("team", _("Team")),
        ("division", _("Division")),
        ("tenhou", _("Name on Tenhou")),
        *((each, _("%(federation)s number") % {"federation": each[1:]}) for each in sorted(numbers)),
    ]
    return choices_of_columns(columns, dict(words))


class PairForm(forms.Form):
    a = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    b = forms.IntegerField(min_value=1, max_value=2**63 - 1)


class MergeForm(PlayerFields):
    keep = forms.ChoiceField(label=_("Record to keep"), widget=forms.RadioSelect)

    field_order = ("keep", "name", "romanized", "country", "club", "numbers")

    def __init__(self, *args: object, pair: tuple[Person, Person], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.offer(keep=((str(person.pk), describe(person)) for person in pair))
        self.pair = pair

    def values(self) -> dict[str, Any]:
        typed = super().values()
        keep = int(typed.pop("keep"))
        return typed | {"keep": keep, "gone": next(each.pk for each in self.pair if each.pk != keep)}
