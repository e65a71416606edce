"""Forms of a league's own penalty rules: their name, the published ones they extend, and their entries.

An entry has fields for its conditions and some empty ones, which are ignored if left empty. Conditions of the
published rules, and conditions that penalties refer to, keep their words.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.forms import KeyedForm, TidyCharField, number_field
from league.core.messages import in_language
from league.rules.penalty_rules.services import LONGEST_CODE, Entry
from league.rules.penalty_rules.words.catalogues import REPEATS, WHO, offences_count
from scoring.infractions import Catalogue, Names, catalogues
from scoring.presets import LANGUAGES
from scoring.units import decimal_text, parse_score

CODE = re.compile(r"[A-Za-z0-9][-A-Za-z0-9.+]*", re.ASCII)
LONGEST_TYPED: Final = 20  # characters of a code; one that came with a file may be longer
MOST_CONDITIONS: Final = 12
MORE_CONDITIONS: Final = 1  # empty ones offered below those that there are
LEVELS_TOGETHER: Final = 3
MOST_DEDUCTION: Final = 10_000  # tenths: 1,000.0; more are points, typed instead of a score
MOST_PAYMENT: Final = 100_000  # points
LANGUAGE_NAMES: Final = dict(settings.LANGUAGES)
FIRST_LANGUAGE: Final = LANGUAGES[0]  # whose field is marked if each of them is empty
UNITS: Final = [("", _("as a whole")), ("minute", _("for each minute")), ("tile", _("for each tile"))]


class CatalogueForm(KeyedForm):
    name = TidyCharField(label=_("Name of the penalty rules"), max_length=120)
    base = forms.ChoiceField(
        label=pgettext_lazy("label", "Extends"),
        help_text=_(
            "Your penalty rules contain all entries and levels of these rules. You can add "
            "entries and change penalties."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose_from(self, "base", catalogue_choices())


class RenameForm(KeyedForm):
    name = TidyCharField(label=_("Name of the penalty rules"), max_length=120)


class CodeForm(KeyedForm):
    code = forms.CharField(max_length=LONGEST_CODE, widget=forms.HiddenInput)


class SupersedeForm(CodeForm):
    by_code = forms.ChoiceField(label=_("Replacement entry"))

    def __init__(self, *args: Any, catalogue: Catalogue, code: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose_from(
            self,
            "by_code",
            [
                (infraction.code, f"{infraction.code} {in_language(infraction.names)}")
                for infraction in catalogue.infractions.values()
                if infraction.code != code and not infraction.superseded_by
            ],
        )


def catalogue_choices() -> list[tuple[str, str]]:
    return [
        (catalogue.slug, f"{in_language(catalogue.names)} · {offences_count(len(catalogue.infractions))}")
        for catalogue in catalogues()
    ]


def choose_from(form: forms.Form, name: str, choices: Iterable[Any]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


# --- an entry


class AmountField(forms.CharField):
    """A deduction in score: tenths, or None if empty."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(required=False, max_length=12, widget=widget, **kwargs)

    def clean(self, value: object) -> int | None:
        typed = super().clean(value)
        if not typed:
            return None
        try:
            tenths = parse_score(typed)
        except ValueError:
            raise forms.ValidationError(
                _("Enter a score with at most one decimal, for example 2 or 8.5.")
            ) from None
        if not 0 <= tenths <= MOST_DEDUCTION:
            raise forms.ValidationError(_("Enter a number from 0 to 1,000 without a minus, for example 2."))
        return tenths


class EntryForm(KeyedForm):
    """An offence, with a form for each of its ``conditions``.

    ``before``: the present entry, or None. Its first ``fixed`` conditions keep their words. ``is_base``: the
    extended rules have this entry, with its names and category.
    """

    code = forms.CharField(
        label=_("Code"),
        max_length=LONGEST_TYPED,
        help_text=_("Letters, digits, hyphens and full stops, for example H-1."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    category = forms.ChoiceField(label=_("Category"))
    who = forms.ChoiceField(label=_("Applies to"))
    escalates = forms.BooleanField(
        label=_("Repeat offences raise the level according to the rules"), required=False, initial=True
    )
    article = TidyCharField(
        label=_("Article"),
        required=False,
        max_length=120,
        help_text=_("Article of your rules, shown to referees and players with every penalty."),
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        catalogue: Catalogue,
        before: Entry | None,
        fixed: int = 0,
        is_base: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(data, initial=_initial(before) | kwargs.pop("initial", {}), **kwargs)
        self.catalogue, self.before, self.is_base = catalogue, before, is_base
        choose_from(
            self, "category", [(code, in_language(names)) for code, names in catalogue.categories.items()]
        )
        choose_from(self, "who", list(WHO.items()))
        for language in LANGUAGES:
            self.fields[name_field(language)] = TidyCharField(
                label=LANGUAGE_NAMES[language], required=False, max_length=200
            )
        if before is not None:
            del self.fields["code"]
        if is_base:
            for name in ("category", *map(name_field, LANGUAGES)):
                del self.fields[name]
        self.conditions = ConditionForms(data, catalogue=catalogue, before=before, fixed=fixed)

    @property
    def own_name(self) -> str:
        return in_language(self.before["names"]) if self.before else ""

    @property
    def name_fields(self) -> list[forms.BoundField]:
        return [self[name_field(language)] for language in LANGUAGES if name_field(language) in self.fields]

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"].strip()
        if not CODE.fullmatch(code):
            raise forms.ValidationError(
                _("A code consists of letters, digits, hyphens and full stops, for example H-1.")
            )
        return code

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.is_base and not any(data.get(name_field(language)) for language in LANGUAGES):
            self.add_error(name_field(FIRST_LANGUAGE), _("Name the offence in at least one language."))
        if not self.conditions.is_valid():
            self.add_error(None, _("Correct the conditions below: at least one is incomplete or wrong."))
        elif not self.conditions.typed_forms:
            self.add_error(None, _("Fill in at least one condition with its penalty."))
        return data

    def entry(self) -> dict[str, Any]:
        """Return the typed entry. Parts that the form lacks stay as they were."""
        data, before = self.cleaned_data, dict(self.before or {})
        names = {language: data[name_field(language)] for language in LANGUAGES} if not self.is_base else {}
        entry = {
            **before,
            "code": before.get("code") or data["code"],
            "category": before["category"] if self.is_base else data["category"],
            "names": {language: name for language, name in names.items() if name} or before["names"],
            "who": data["who"],
            "article": data["article"],
            "lines": before.get("lines", "") if data["article"] == before.get("article") else "",
            "variants": self.conditions.variants(data["who"]),
        }
        if data["escalates"]:
            entry.pop("escalates", None)
        else:
            entry["escalates"] = False
        return entry


def name_field(language: str) -> str:
    return f"name_{language}"


def _initial(before: Entry | None) -> dict[str, Any]:
    if before is None:
        return {}
    names = {name_field(language): before["names"].get(language, "") for language in LANGUAGES}
    facts = {name: before[name] for name in ("category", "who", "article")}
    return names | facts | {"escalates": before.get("escalates", True)}


# --- its conditions


class ConditionForm(forms.Form):
    unit = forms.ChoiceField(label=_("Amounts apply"), choices=UNITS, required=False)
    repeat = forms.ChoiceField(label=_("Applicable"), required=False)
    who = forms.ChoiceField(label=_("Applies to"), required=False)
    handling = forms.ChoiceField(label=_("Effect on the hand"), required=False)
    payment = forms.ChoiceField(label=_("Further payment"), required=False)
    pay_each = number_field(_("Points to each other player"), 0, MOST_PAYMENT)
    win_ban = forms.BooleanField(label=_("Win ban for the hand"), required=False)
    redeal = forms.BooleanField(label=_("Hand replayed"), required=False)
    remove = forms.BooleanField(label=_("Remove this condition"), required=False)

    def __init__(
        self, *args: Any, catalogue: Catalogue, before: Mapping[str, Any] | None, fixed: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.catalogue, self.before, self.fixed = catalogue, before, fixed
        self.initial = _condition_initial(before)
        self._make_texts()
        self._make_costs()
        choose_from(self, "repeat", [("", _("always")), *REPEATS.items()])
        choose_from(self, "who", [("", _("as for the entry")), *WHO.items()])
        handlings, payments = _texts_of(catalogue, before)
        choose_from(self, "handling", [("", _("not stated in the rules")), *handlings.items()])
        choose_from(self, "payment", [("", _("nothing")), *payments.items()])
        if fixed or before is None:
            del self.fields["remove"]

    def _make_texts(self) -> None:
        if self.fixed:
            return
        for language in LANGUAGES:
            label = _("Condition (%(language)s)") % {"language": LANGUAGE_NAMES[language]}
            self.fields[condition_field(language)] = TidyCharField(
                label=label, required=False, max_length=200
            )

    def _make_costs(self) -> None:
        levels = [(code, in_language(level.names)) for code, level in self.catalogue.levels.items()]
        for number in range(1, LEVELS_TOGETHER + 1):
            label = _("Level") if number == 1 else _("and also")
            none = _("no level") if number == 1 else _("nothing else")
            self.fields[f"level_{number}"] = forms.ChoiceField(
                label=label, choices=[("", none), *levels], required=False
            )
        self.fields["least"] = AmountField(
            label=_("Deduction"),
            help_text=_("Score: 2 deducts 2.0. Leave empty to deduct what the levels say."),
        )
        self.fields["most"] = AmountField(
            label=_("Maximum deduction"),
            help_text=_("Fill in only if the referee may choose an amount."),
        )

    @property
    def words(self) -> str:
        return in_language(self.before.get("condition", {})) if self.before else ""

    @property
    def text_fields(self) -> list[forms.BoundField]:
        return [
            self[condition_field(language)]
            for language in LANGUAGES
            if condition_field(language) in self.fields
        ]

    @property
    def more_errors(self) -> bool:
        """Return whether the folded part has an error."""
        return any(name in self.errors for name in ("who", "repeat", "handling", "payment", "pay_each"))

    @property
    def level_fields(self) -> list[forms.BoundField]:
        return [self[f"level_{number}"] for number in range(1, LEVELS_TOGETHER + 1)]

    @property
    def is_typed(self) -> bool:
        """Return whether this is an old condition that stays, or a new one."""
        if self.cleaned_data.get("remove"):
            return False
        ignored = {"remove"}
        return self.before is not None or any(v for n, v in self.cleaned_data.items() if n not in ignored)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        least, most = data.get("least"), data.get("most")
        if most is not None and least is None and "least" not in self.errors:
            self.add_error("least", _("Enter the minimum deduction, too."))
        if least is not None and most is not None and most < least:
            self.add_error("most", _("The maximum is lower than the minimum. Swap them."))
        return data

    def variant(self, who: str) -> dict[str, Any]:
        """Return the condition as a catalogue stores it. An empty amount is that of the levels together."""
        data, before = self.cleaned_data, dict(self.before or {})
        levels = [data[f"level_{n}"] for n in range(1, LEVELS_TOGETHER + 1) if data[f"level_{n}"]]
        least, most = self._amounts(levels)
        known = [self.catalogue.levels[code] for code in levels]
        made: dict[str, Any] = {
            "condition": self.condition(),
            "levels": levels,
            "deduction": least,
            "deduction_max": most,
            "win_ban": data["win_ban"] or any(level.win_ban for level in known),
            "unit": data["unit"],
            "repeat": data["repeat"],
            "redeal": data["redeal"],
            "pay_each": data["pay_each"] or 0,
            "hand_handling": self._text("handling", "hand_handling"),
            "payment": self._text("payment", "payment"),
            "who": data["who"] if data["who"] != who else "",
        }
        same = levels == before.get("levels")
        names = ("restriction", "forfeits", "judged_as", "note", *(["options"] if same else []))
        unchanged = {name: before[name] for name in names if before.get(name)}
        return {name: value for name, value in made.items() if _says_something(name, value)} | unchanged

    def _amounts(self, levels: list[str]) -> tuple[int | None, int | None]:
        """Return (least, most). An exact amount without levels that name one is both."""
        least, most = self.cleaned_data["least"], self.cleaned_data["most"]
        named = [self.catalogue.levels[code].deduction for code in levels]
        amounts = [amount for amount in named if amount is not None]
        whole = sum(amounts) if named and len(amounts) == len(named) else None
        if least is None or (least == whole and most is None):
            return whole, None
        return least, least if most is None else most

    def condition(self) -> dict[str, str]:
        if self.fixed:
            return dict((self.before or {}).get("condition", {}))
        typed = {language: self.cleaned_data[condition_field(language)] for language in LANGUAGES}
        return {language: words for language, words in typed.items() if words}

    def _text(self, field: str, name: str) -> dict[str, str]:
        key = self.cleaned_data[field]
        if not key:
            return {}
        variants = [
            variant for infraction in self.catalogue.infractions.values() for variant in infraction.variants
        ]
        own = (self.before or {}).get(name, {})
        texts: list[Names] = [own, *(getattr(variant, name) for variant in variants)]
        return dict(next(text for text in texts if text_key(text) == key))


class ConditionForms:
    def __init__(
        self, data: QueryDict | None, *, catalogue: Catalogue, before: Entry | None, fixed: int
    ) -> None:
        entries: list[Mapping[str, Any] | None] = list(before["variants"]) if before else []
        room = max(MOST_CONDITIONS, len(entries)) - len(entries)
        every = entries + [None] * min(MORE_CONDITIONS if entries else MORE_CONDITIONS + 1, room)
        self.forms = [
            ConditionForm(data, catalogue=catalogue, before=each, fixed=index < fixed, prefix=f"c{index}")
            for index, each in enumerate(every)
        ]

    def __iter__(self):
        return iter(self.forms)

    @property
    def typed_forms(self) -> list[ConditionForm]:
        return [form for form in self.forms if form.is_typed]

    def is_valid(self) -> bool:
        if not all([form.is_valid() for form in self.forms]):  # every one, so that all say what is wrong
            return False
        self._want_words()
        return all(form.is_valid() for form in self.forms)

    def _want_words(self) -> None:
        """Add an error to each of several conditions without words or with duplicate words."""
        if len(self.typed_forms) < 2:
            return
        seen: list[dict[str, str]] = []
        for form in self.typed_forms:
            words = form.condition()
            if not form.fixed and not words:
                form.add_error(condition_field(FIRST_LANGUAGE), _("Enter when this condition applies."))
            elif not form.fixed and words in seen:
                form.add_error(condition_field(FIRST_LANGUAGE), _("Another condition has the same text."))
            seen.append(words)

    def variants(self, who: str) -> list[dict[str, Any]]:
        return [form.variant(who) for form in self.typed_forms]


def condition_field(language: str) -> str:
    return f"condition_{language}"


def _condition_initial(before: Mapping[str, Any] | None) -> dict[str, Any]:
    if before is None:
        return {}
    condition = before.get("condition", {})
    levels = before["levels"]
    return {
        **{condition_field(language): condition.get(language, "") for language in LANGUAGES},
        **{f"level_{n}": levels[n - 1] if n <= len(levels) else "" for n in range(1, LEVELS_TOGETHER + 1)},
        "least": _decimal(before.get("deduction")),
        "most": _decimal(before.get("deduction_max")),
        **{name: before.get(name, "") for name in ("unit", "repeat", "who")},
        "handling": text_key(before.get("hand_handling", {})),
        "payment": text_key(before.get("payment", {})),
        "pay_each": before.get("pay_each") or None,
        "win_ban": before["win_ban"],
        "redeal": before.get("redeal", False),
    }


def _says_something(name: str, value: object) -> bool:
    """Return whether a catalogue stores the value. It stores an amount of 0, but no empty or False values."""
    if name in {"levels", "win_ban"}:
        return True
    return value is not None if name.startswith("deduction") else bool(value)


def _decimal(tenths: int | None) -> str:
    return "" if tenths is None else decimal_text(tenths)


def text_key(texts: Names) -> str:
    """Return the key of a text in a form: its English words, or else any."""
    return texts.get("en") or next(iter(texts.values()), "")


def _texts_of(
    catalogue: Catalogue, before: Mapping[str, Any] | None
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the catalogue's texts about the hand and about payments, by key."""
    handlings: dict[str, str] = {}
    payments: dict[str, str] = {}
    for infraction in catalogue.infractions.values():
        for variant in infraction.variants:
            handlings.setdefault(text_key(variant.hand_handling), in_language(variant.hand_handling))
            payments.setdefault(text_key(variant.payment), in_language(variant.payment))
    for texts, name in ((handlings, "hand_handling"), (payments, "payment")):
        own = (before or {}).get(name, {})
        texts.setdefault(text_key(own), in_language(own))
        texts.pop("", None)
    return handlings, payments
