"""The page that revokes a penalty."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.core.access import Access, Can, enter
from league.core.forms import RevokeForm, attempt
from league.core.pages import sent
from league.models import Penalty
from league.penalties.services import revoke_penalty
from league.penalties.words.penalties import Books, with_facts
from league.people.queries import players_of

# --- revoking


@require_http_methods(["GET", "POST"])
def penalty_revoke(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    access = enter(request.user, slug, Can.REFEREE)
    penalty = access.penalty(pk)
    form = RevokeForm(sent(request))
    if request.method == "POST" and form.is_valid() and attempt(form, lambda: _revoke(access, penalty, form)):
        messages.success(request, _("The penalty is revoked. It stays on record and counts no more."))
        return redirect("penalties:index", access.competition.slug)
    found = with_facts(Penalty.objects.filter(pk=penalty.pk)).get()
    people = players_of(access.competition)
    context = {
        "access": access,
        "competition": access.competition,
        "line": Books([found.stage.division.rule_set]).line(found, people.get(found.player_id)),
        "form": form,
    }
    return render(request, "penalties/revoke.html", context)


def _revoke(access: Access, penalty: Penalty, form: RevokeForm) -> Penalty:
    reason = form.cleaned_data["reason"]
    return revoke_penalty(penalty=penalty, reason=reason, by=access.by, form=form.submission(penalty.pk))
