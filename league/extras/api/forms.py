from django import forms
from django.utils.translation import gettext_lazy as _

from league.core.forms import FieldsOf, KeyedModelForm, choice_of, from_model
from league.extras.api.services import ROLES
from league.models import ApiToken, Role


class TokenForm(KeyedModelForm):
    class Meta(FieldsOf):
        model = ApiToken
        fields = ("name", "role")

    role = choice_of(
        from_model(ApiToken, "role"),
        [(role.value, role.label) for role in ROLES],
        initial=Role.Kind.PLAYER,
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        coerce=int,
        choices=[(1, _("one day")), (7, _("one week")), (90, _("90 days")), (365, _("one year"))],
        initial=90,
    )
