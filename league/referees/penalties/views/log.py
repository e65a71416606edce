"""A penalty logged in four taps: table, seat, offence, confirm.

Without script each tap is a page or a choice in a form. The page of a table holds all choices, so that its
script needs no network before it sends. A POST redirects only if the penalty is logged; otherwise its status
is 422. The script relies on this: it keeps the form on the phone until a redirect, and sends it once.
"""

from collections.abc import Callable, Sequence

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.numbers import number_tenths
from league.core.pages import Answer, save, writes
from league.core.text import listed, sentences
from league.models import Penalty
from league.play.hands.queries import RULES
from league.play.hands.words.names import hand_words
from league.play.hands.words.penalties import Wordings
from league.referees.penalties.queries.penalties import with_facts
from league.referees.penalties.queries.places import unlisted_name
from league.referees.penalties.queries.referee import has_hand
from league.referees.penalties.services.log import log_offence, log_penalty
from league.referees.penalties.views.place import PenaltyPlace, choose_place, place_of
from league.referees.penalties.views.steps import steps_page
from league.referees.penalties.words import counts_words
from players.models import Player

MOST_REASON = 300  # characters


@gzip_page  # the cases of all offences for four players: 150 kB, 12 kB when compressed
@writes(Can.REFEREE)
def penalty_new(request: HttpRequest, access: Access) -> HttpResponse:
    place = place_of(access, request.GET)
    if place is None:
        return choose_place(request, access)
    if request.method != "POST":
        return steps_page(request, place, place.chosen_player, request.GET.get("offence", ""))
    by_rules = "infraction" in request.POST
    form = place.offence_form(request.POST) if by_rules else place.penalty_form(request.POST)
    service: Callable[..., object] = log_offence if by_rules else log_penalty
    answer = save(
        request,
        form,
        lambda sent: service(
            stage=place.stage,
            table=place.table,
            round_=place.round_counted(form),
            dispute=place.dispute,
            by=access.by,
            approves=access.can_approve,
            form=sent,
            **form.values(),
        ),
        about=(place.query,),
        done=_sentence,
        then=access.address("penalties:desk"),
    )
    if answer is None:
        player = place.player_named(form.data.get("player"))
        finished = access.competition.finished_at is not None
        if place.closed and not place.mine and not finished and player is not None:
            return _offer_without_table(request, place, player)
        return steps_page(request, place, player, form.code, form)
    if request.accepts("text/html"):
        return answer
    # The script learns where to go on: the message waits there.
    return JsonResponse({"then": answer["Location"]})


def _sentence(answer: Answer) -> str:
    alike: dict[tuple[str, int, str], list[str]] = {}
    penalties = with_facts(Penalty.objects.filter(pk__in=answer["penalties"])).select_related(RULES)
    lines = Wordings().lines(penalties.order_by("pk"))
    for line in lines:
        penalty = line.penalty
        alike.setdefault((penalty.status, penalty.score, line.level), []).append(penalty.player.name)
    said = [
        _log_words(status, tenths, level, names)
        % {"player": listed(names), "score": number_tenths(tenths), "level": level}
        for (status, tenths, level), names in alike.items()
    ]
    meanings = [line.means(in_hand=has_hand(line.penalty.table, line.penalty.hand)) for line in lines]
    effects = dict.fromkeys(words for meaning in meanings for words in meaning.sentences)
    counting = [
        counts_words(line.penalty, unlisted=unlisted_name(line.penalty))
        for line in lines
        if line.penalty.score and not line.penalty.waits
    ]
    return sentences([*said, *counting[:1], *effects])


def _offer_without_table(request: HttpRequest, place: PenaltyPlace, player: Player) -> HttpResponse:
    """Show the penalty of a phone that was late, filled in to be logged without its table.

    The remark names the place, because the round was closed before the phone sent the penalty.
    """
    away = place_of(place.access, place.without_table(player))
    assert away is not None
    typed = request.POST.copy()
    hand = typed.get("deal") and hand_words(f"{typed['deal']}.{typed.get('honba') or 0}")
    where = listed([each for each in (place.words, hand) if each])
    typed["reason"] = f"{typed.get('reason', '').strip()} ({where})".strip()[:MOST_REASON]
    others = [each.name for each in map(place.player_named, typed.getlist("others")) if each]
    for name in ("deal", "honba", "others"):
        typed.pop(name, None)
    if away.round is not None:
        typed["counts"] = str(away.round.pk)
    by_rules = "infraction" in typed
    form = away.offence_form(typed) if by_rules else away.penalty_form(typed)
    form.add_error(None, _("This round has closed. Not logged yet: log it here, without a table."))
    if others:
        form.add_error(None, _("Then log it for the others, too: %(names)s.") % {"names": listed(others)})
    return steps_page(request, away, player, form.code, form)


def _log_words(status: str, score: int, level: str, names: Sequence[str]) -> str:
    if status == Penalty.Status.REQUESTED:
        return _("Requested for %(player)s. The chief referee decides.")
    if score == 0:
        if level:
            return _("Logged for %(player)s: %(level)s.")
        return _("Logged for %(player)s.")
    if len(names) > 1:
        return _("Logged for %(player)s: %(score)s each.")
    return _("Logged for %(player)s: %(score)s.")
