"""What a league hands in and out on paper: the forms of federations, and its logo."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.competitions import League
from players.text import validate_visible


class FederationForm(models.Model):
    """A workbook of a federation in which markers say what goes where (`reports.exports.filling`).

    `changed_at`: when its present content was uploaded.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="forms")
    name = models.CharField(
        _("name"),
        max_length=60,
        validators=[validate_visible],
        help_text=_("A form with the same name is replaced."),
    )
    content = models.BinaryField()
    changed_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["league", "name"],
                name="form_name_once_a_league",
                violation_error_message=_("This league already has a form with this name."),
            )
        ]

    def __str__(self) -> str:
        return self.name


class Logo(models.Model):
    """The logo of a league as a PNG file, as `league.extras.reports.logos` writes it."""

    league = models.OneToOneField(League, models.CASCADE, related_name="logo")
    content = models.BinaryField()
    changed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.league_id}"
