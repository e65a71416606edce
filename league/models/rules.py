"""A league's own rules and penalty rules, and the rule set of a division."""

import json
from functools import cached_property, lru_cache
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.competitions import League
from players.text import validate_visible
from scoring.rules import Rules


class RuleBook(models.Model):
    """A league's own rules, in numbered editions. An edition in use never changes."""

    league = models.ForeignKey(League, models.CASCADE, related_name="rule_books")
    slug = models.SlugField(_("address"), max_length=60)
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["league", "slug"],
                name="rule_book_slug_once_a_league",
                violation_error_message=_(
                    "Other rules of this league have this address. Choose another one."
                ),
            ),
            models.UniqueConstraint(
                fields=["league", "name"],
                name="rule_book_name_once_a_league",
                violation_error_message=_(
                    "This league already has rules with this name. Choose another one."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class OwnCatalogue(models.Model):
    """A league's own penalty rules. `base`: the slug of the rules that they extend, or empty. `entries`: the
    added or changed offences (`scoring.infractions`).
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="catalogues")
    slug = models.SlugField(_("address"), max_length=60)
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])
    base = models.CharField(max_length=40, blank=True)
    entries = models.JSONField(default=list, blank=True)
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["league", "slug"],
                name="catalogue_slug_once_a_league",
                violation_error_message=_("Other penalty rules of this league have this address."),
            )
        ]

    def __str__(self) -> str:
        return self.name


class RuleSet(models.Model):
    """The chosen values of a rule set. A later edition of the preset never changes them.

    It is an edition of a book, with its `number`, or a copy for one division, made from `preset` and
    `edition`. `readings` says which text was chosen where the preset's sources contradict each other
    (`league.rules.rule_sets.readings`). The penalty rules are the preset's, or those of `catalogue` (a slug
    of `scoring.infractions`) or `own_catalogue`.
    """

    preset = models.CharField(max_length=40)
    edition = models.CharField(max_length=40, blank=True)
    values = models.JSONField()
    book = models.ForeignKey(RuleBook, models.CASCADE, null=True, blank=True, related_name="editions")
    number = models.PositiveIntegerField(_("edition"), null=True, blank=True)
    readings = models.JSONField(default=list, blank=True)
    catalogue = models.CharField(max_length=40, blank=True)
    own_catalogue = models.ForeignKey(
        OwnCatalogue, models.PROTECT, null=True, blank=True, related_name="rule_sets"
    )
    created_by = models.ForeignKey("auth.User", models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["book", "number"],
                name="edition_number_once_a_book",
                violation_error_message=_("These rules already have an edition with this number."),
            ),
            models.CheckConstraint(
                condition=Q(book__isnull=True, number__isnull=True)
                | Q(book__isnull=False, number__isnull=False, number__gte=1),
                name="edition_of_a_book_has_its_number",
                violation_error_message=_("Editions of a league’s own rules are numbered from 1."),
            ),
        ]

    def __str__(self) -> str:
        made_from = f"{self.preset} {self.edition}".strip()
        return made_from if self.book_id is None else f"{made_from}, {self.book_id}#{self.number}"

    @cached_property
    def rules(self) -> Rules:
        return _rules_of(json.dumps(self.values))


@lru_cache(maxsize=64)
def _rules_of(values: str) -> Rules:
    """Parse the rules of these values in JSON once, because that costs more than the rest of a short page."""
    return Rules.from_values(json.loads(values))
