"""People who play, in the register of one league. No other league reads it."""

from typing import ClassVar

from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.text import validate_visible

LONGEST_NAME, LONGEST_FEDERATION, LONGEST_NUMBER = 120, 20, 40

COUNTRY = RegexValidator(
    r"^[A-Z]{2}$", _("Enter the country as two capital letters (ISO 3166), for example HK or JP.")
)


class Register(models.Model):
    name = models.CharField(_("name"), max_length=LONGEST_NAME, validators=[validate_visible])

    def __str__(self) -> str:
        return self.name


class Club(models.Model):
    register = models.ForeignKey(Register, models.CASCADE, related_name="clubs")
    name = models.CharField(_("name"), max_length=LONGEST_NAME, validators=[validate_visible])

    class Meta:
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["register", "name"],
                name="club_name_once_a_register",
                violation_error_message=_("This club already exists."),
            )
        ]

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """A person with the name in their own script. ``romanized`` helps other readers.

    ``profile_since``: when the player let visitors read the page that sums up all their competitions, if so.
    """

    register = models.ForeignKey(Register, models.CASCADE, related_name="players")
    name = models.CharField(
        pgettext_lazy("of a person", "name"),
        max_length=LONGEST_NAME,
        validators=[validate_visible],
        help_text=_("In the player’s own script, as shown on pages."),
    )
    romanized = models.CharField(
        _("romanized name"), max_length=LONGEST_NAME, blank=True, validators=[validate_visible]
    )
    country = models.CharField(_("country"), max_length=2, blank=True, validators=[COUNTRY])
    club = models.ForeignKey(
        Club, models.SET_NULL, null=True, blank=True, related_name="players", verbose_name=_("club")
    )
    profile_since = models.DateTimeField(_("public profile since"), null=True, blank=True, editable=False)

    class Meta:
        ordering: ClassVar = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class FederationNumber(models.Model):
    """A player's number in a federation (EMA, ARA, …) as text, because leading zeros count."""

    EMA = "EMA"

    player = models.ForeignKey(Player, models.CASCADE, related_name="federation_numbers")
    federation = models.CharField(
        _("federation"), max_length=LONGEST_FEDERATION, validators=[validate_visible]
    )
    number = models.CharField(_("number"), max_length=LONGEST_NUMBER, validators=[validate_visible])

    class Meta:
        ordering: ClassVar = ["federation"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player", "federation"],
                name="one_number_a_federation",
                violation_error_message=_("This player already has a number of this federation."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.federation} {self.number}"
