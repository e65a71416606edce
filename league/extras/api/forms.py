from django import forms
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, TidyCharField
from league.extras.api.services import ROLES
from league.models import Role


class TokenForm(KeyedForm):
    name = TidyCharField(label=_("Name"), max_length=60, help_text=_("The program or site that uses it."))
    role = forms.ChoiceField(
        label=_("Role"),
        choices=[(role.value, role.label) for role in ROLES],
        initial=Role.Kind.PLAYER,
        help_text=_("Choose “player” for a program that reads only what players of this competition see."),
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        coerce=int,
        choices=[(1, _("one day")), (7, _("one week")), (90, _("90 days")), (365, _("one year"))],
        initial=90,
    )
