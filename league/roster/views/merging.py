"""Two records of one person: suggested, chosen, held against each other, merged."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.access import Access, Can, enter, organized_by
from league.core.forms import attempt
from league.core.pages import show
from league.roster.forms import MergeForm, PairForm, describe
from league.roster.queries import club_names, competitions_of, games_of, people, suggested_pairs
from league.roster.services.merging import merge_players, shared_round
from players.matching import Person

UNPROCESSABLE = 422


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, slug: str) -> HttpResponse:
    """`?a=` and `?b=` name two records: both are shown and can be merged; without them they are chosen."""
    access = enter(request.user, slug, Can.ORGANIZE)
    known = {person.pk: person for person in people(access.competition)}
    asked = PairForm(request.GET)
    asked.is_valid()
    one, other = (known.get(asked.cleaned_data.get(name, 0)) for name in ("a", "b"))
    if request.method == "POST" and (one is None or other is None):
        return _merged_before(request, access, one or other)
    if one is None or other is None or one.pk == other.pk:
        return _choose_pair(request, access, list(known.values()), one or other)
    return _merge_pair(request, access, (one, other))


def _merge_pair(request: HttpRequest, access: Access, pair: tuple[Person, Person]) -> HttpResponse:
    if request.method != "POST":
        return _pair_page(request, access, pair, MergeForm(initial=_merged_values(pair), pair=pair))
    form = MergeForm(request.POST, pair=pair)
    if form.is_valid() and attempt(form, lambda: _merge(form, access, pair)):
        messages.success(request, _("%(name)s is one record now.") % {"name": form.cleaned_data["name"]})
        return redirect("roster:index", access.competition.slug)
    return _pair_page(request, access, pair, form, UNPROCESSABLE)


def _merge(form: MergeForm, access: Access, pair: tuple[Person, Person]) -> object:
    keep = form.chosen()
    gone = next(person.pk for person in pair if person.pk != keep)
    return merge_players(
        competition=access.competition,
        keep=keep,
        gone=gone,
        values=form.player_values,
        by=access.by,
        form=form.submission("merge", sorted(person.pk for person in pair)),
    )


def _merged_values(pair: tuple[Person, Person]) -> dict[str, object]:
    """The older record stays, and what it lacks comes from the other."""
    keep, gone = sorted(pair, key=lambda person: person.pk)
    federations = {federation for federation, _number in keep.numbers}
    extra = tuple(number for number in gone.numbers if number[0] not in federations)
    return {
        "keep": str(keep.pk),
        "name": keep.name,
        "romanized": keep.romanized or gone.romanized,
        "country": keep.country or gone.country,
        "club": keep.club or gone.club,
        "numbers": keep.numbers + extra,
    }


def _merged_before(request: HttpRequest, access: Access, left: Person | None) -> HttpResponse:
    """One of the two is gone: the same form came twice, or somebody else merged them."""
    if left is None:
        raise Http404
    messages.info(request, _("These two records are one already."))
    return redirect("roster:index", access.competition.slug)


def _pair_page(
    request: HttpRequest, access: Access, pair: tuple[Person, Person], form: MergeForm, status: int = 200
) -> HttpResponse:
    ids = [person.pk for person in pair]
    touched = competitions_of(ids)
    own = [competition.pk for competition in organized_by(access.by, touched)]
    foreign = len(touched) - len(own)
    games = games_of(ids, own)
    context = {
        "pair": [(person, games[person.pk]) for person in pair],
        "form": form,
        "clash": None if foreign else shared_round(*ids),
        "foreign": foreign,
        "clubs": club_names(access.competition),
    }
    return show(request, access, "roster/merge_pair.html", context, status)


def _choose_pair(
    request: HttpRequest, access: Access, register: Sequence[Person], first: Person | None
) -> HttpResponse:
    context = {
        "register": sorted(((p.pk, describe(p)) for p in register), key=lambda option: option[1]),
        "first": first,
        "pairs": [] if first else suggested_pairs(access.competition),
    }
    return show(request, access, "roster/merge.html", context)
