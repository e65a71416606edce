"""Registration for a competition: the form of a division, the people who registered, known numbers."""

import datetime
from collections.abc import Sequence
from typing import ClassVar

from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.competitions import Competition
from league.models.entrants import Entrant
from league.models.stages import Division
from players.models import COUNTRY, FederationNumber
from players.text import validate_visible

TO_CONFIRM = datetime.timedelta(hours=48)
MOST_PLACES = 10_000


class Registration(models.Model):
    """The registration form of a division, whose slug it names, so that it survives the import of a file.

    It takes entries from `opens_at` until `closes_at`. Without `opens_at` it is closed. `places` None: no
    limit. If it `is_moderated`, an organizer accepts each entry. `terms` and `privacy` are what a person
    agrees to. An empty `privacy` stands for the product's own text. All entries are deleted after
    `kept_until`. `languages`: codes among which a person chooses the language of the mails.
    """

    class Asked(models.TextChoices):
        NO = "no", _("not asked")
        OPTIONAL = "optional", pgettext_lazy("a question of a form", "optional")
        REQUIRED = "required", pgettext_lazy("a question of a form", "required")

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="registrations")
    division = models.SlugField(max_length=60)
    opens_at = models.DateTimeField(
        _("opens"), null=True, blank=True, help_text=_("Leave empty to keep registration closed.")
    )
    closes_at = models.DateTimeField(
        _("closes"),
        null=True,
        blank=True,
        help_text=_("A tournament’s form also closes when its first round is seated."),
    )
    places = models.PositiveSmallIntegerField(
        _("places"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_PLACES)],
        help_text=_("Leave empty for no limit. Players whom you add by hand take none of these places."),
    )
    has_waiting_list = models.BooleanField(_("waiting list when all places are taken"), default=True)
    is_moderated = models.BooleanField(_("who gets a place"), default=False)
    club = models.CharField(_("club"), max_length=10, choices=Asked, default=Asked.OPTIONAL)
    country = models.CharField(_("country"), max_length=10, choices=Asked, default=Asked.OPTIONAL)
    number = models.CharField(_("EMA number"), max_length=10, choices=Asked, default=Asked.NO)
    phone = models.CharField(_("phone number"), max_length=10, choices=Asked, default=Asked.NO)
    question = models.CharField(
        _("another question"),
        max_length=200,
        blank=True,
        validators=[validate_visible],
        help_text=_("For example “Do you need a vegetarian lunch?”"),
    )
    fee = models.CharField(
        _("fee"),
        max_length=120,
        blank=True,
        validators=[validate_visible],
        help_text=_("For example “HK$300, students HK$200”."),
    )
    payment = models.TextField(
        _("how to pay"),
        blank=True,
        validators=[MaxLengthValidator(1000)],
        help_text=_("Also in the email to accepted players."),
    )
    shows_registrants = models.BooleanField(
        _("visitors see the accepted players"),
        default=True,
        help_text=_("Name, country and club. Accepted players are in the list of players in any case."),
    )
    terms = models.TextField(_("terms"), blank=True, validators=[MaxLengthValidator(5000)])
    privacy = models.TextField(
        _("personal data"),
        blank=True,
        validators=[MaxLengthValidator(2000)],
        help_text=_("Leave empty for the text of Umaoka, in the language of the reader."),
    )
    kept_until = models.DateField(
        _("delete all registrations after"), help_text=_("The players and their results stay.")
    )
    languages = models.JSONField(default=list)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "division"], name="one_registration_a_division"),
            models.CheckConstraint(
                condition=Q(closes_at__isnull=True) | Q(closes_at__gt=F("opens_at")),
                name="registration_closes_after_it_opens",
                violation_error_message=_("Registration must close after it opens."),
            ),
            models.CheckConstraint(condition=~Q(places=0), name="registration_has_places"),
        ]

    def __str__(self) -> str:
        return f"{self.competition_id} {self.division}"

    def is_open(self, at: datetime.datetime) -> bool:
        opened = self.opens_at is not None and self.opens_at <= at
        return opened and (self.closes_at is None or at < self.closes_at)

    # The rest needs the queries of `league.extras.registration.queries`.
    part: Division
    accepted: int
    waiting: int
    has_begun: bool  # the first round of a tournament is seated; players join a season at any time

    @property
    def takes_entries(self) -> bool:
        return self.is_open(timezone.now()) and not self.has_begun

    @property
    def opens_later(self) -> bool:
        return self.opens_at is not None and self.opens_at > timezone.now()

    @property
    def free(self) -> int | None:
        """Return the number of free places, or None if unlimited."""
        return None if self.places is None else max(0, self.places - self.accepted)

    @property
    def is_full(self) -> bool:
        """Return whether a confirmed entry would find neither a place nor a waiting list."""
        return self.free == 0 and not self.has_waiting_list


class Registrant(models.Model):
    """A person who registered. `State` is computed from the times at which something happened.

    An entry counts from `confirmed_at`. `waits_since`: an organizer moved it to the waiting list. An accepted
    entry holds a place. `entrant` is its player in the roster, or None if the organizer has to say who it is,
    or has removed the player by hand. `paid_on`, `paid` and `note` are the organizer's.

    Two values are set by queries: `position` in the waiting list, from 1, and how the entry differs from its
    player and from the list of known numbers.
    """

    position = 0
    differences: Sequence[str] = ()

    class State(models.TextChoices):
        """States in the order of lists."""

        PENDING = "pending", pgettext_lazy("registration", "waits for approval")
        ACCEPTED = "accepted", pgettext_lazy("registration", "accepted")
        WAITING = "waiting", pgettext_lazy("registration", "waiting list")
        UNCONFIRMED = "unconfirmed", pgettext_lazy("registration", "not confirmed")
        DECLINED = "declined", pgettext_lazy("registration", "declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("registration", "withdrawn")

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="registrants")
    name = models.CharField(
        pgettext_lazy("of a person", "name"),
        max_length=120,
        validators=[validate_visible],
        help_text=_("As it should appear in the list of players, in your own script."),
    )
    romanized = models.CharField(
        _("name in Latin letters"),
        max_length=120,
        blank=True,
        validators=[validate_visible],
        help_text=_("Only if your name is written in another script."),
    )
    email = models.EmailField(
        _("email"), help_text=_("You get an email with an address to confirm your registration.")
    )
    language = models.CharField(_("language of emails"), max_length=10)
    country = models.CharField(_("country"), max_length=2, blank=True, validators=[COUNTRY])
    club = models.CharField(_("club"), max_length=120, blank=True, validators=[validate_visible])
    number = models.CharField(_("EMA number"), max_length=40, blank=True, validators=[validate_visible])
    phone = models.CharField(_("phone number"), max_length=40, blank=True, validators=[validate_visible])
    answer = models.CharField(max_length=500, blank=True, validators=[validate_visible])
    created_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    waits_since = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    declined_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    paid_on = models.DateField(_("paid on"), null=True, blank=True)
    paid = models.DecimalField(
        _("amount"),
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
    )
    note = models.CharField(
        pgettext_lazy("payment", "note"),
        max_length=300,
        blank=True,
        validators=[validate_visible],
        help_text=_("Only organizers see it."),
    )
    entrant = models.ForeignKey(Entrant, models.SET_NULL, null=True, blank=True, related_name="registrants")

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                Lower("email"),
                "name",
                "registration",
                condition=Q(withdrawn_at__isnull=True),
                name="person_registered_once",
            ),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True) | Q(confirmed_at__isnull=False),
                name="accepted_registrant_is_confirmed",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def state(self) -> State:
        """Return the state. `registration` is loaded."""
        if self.withdrawn_at:
            return self.State.WITHDRAWN
        if self.declined_at:
            return self.State.DECLINED
        if self.confirmed_at is None:
            return self.State.UNCONFIRMED
        if self.accepted_at:
            return self.State.ACCEPTED
        pending = self.registration.is_moderated and self.waits_since is None
        return self.State.PENDING if pending else self.State.WAITING

    @property
    def is_expired(self) -> bool:
        """Return whether the time to confirm is over."""
        return self.confirmed_at is None and timezone.now() > self.created_at + TO_CONFIRM

    @property
    def is_missing(self) -> bool:
        """Return whether an accepted entry has no player in the roster."""
        return self.state == self.State.ACCEPTED and self.entrant_id is None

    @property
    def has_left(self) -> bool:
        """Return whether the player withdrew in the roster and the entry still holds its place."""
        entrant = self.entrant
        return self.state == self.State.ACCEPTED and entrant is not None and entrant.withdrawn_at is not None

    @property
    def numbers(self) -> tuple[tuple[str, str], ...]:
        """Return the number with its federation, as the register keeps numbers."""
        return ((FederationNumber.EMA, self.number),) if self.number else ()

    @property
    def turn(self) -> tuple[datetime.datetime, int]:
        """Return the sort key in the waiting list of a confirmed entry."""
        since = self.waits_since or self.confirmed_at
        assert since is not None
        return since, self.pk

    @property
    def code(self) -> str:
        """Return the secret part of the address in the person's mails, valid for this mail address alone."""
        made = salted_hmac("league.registrant", f"{self.pk}:{self.email}", algorithm="sha256")
        return made.hexdigest()


class KnownNumber(models.Model):
    """A line of a federation's list of members, with which entries are compared."""

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="known_numbers")
    number = models.CharField(max_length=40, validators=[validate_visible])
    name = models.CharField(max_length=250, validators=[validate_visible])
    country = models.CharField(max_length=2, blank=True, validators=[COUNTRY])

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "number"], name="known_number_once")
        ]

    def __str__(self) -> str:
        return self.number
