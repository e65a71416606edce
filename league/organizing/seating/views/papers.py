"""The papers of a round: score sheets, cards, badges and lists, as a page to print and as a PDF file."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from django.conf import settings
from django.contrib import messages
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django_tasks import task

from league.core.access import Access, Can
from league.core.apart import TooHeavy
from league.core.caching import facts_of
from league.core.door import round_code, sheet_code, short_code, shown_code
from league.core.kept_files import FAILED, CannotMake, find_file, keep_file, sent_file, wait_page
from league.core.pages import page, reads
from league.core.pdf import NoPdf, make_pdf
from league.core.qr import coded_address, qr_code
from league.core.tasks import FILES
from league.core.text import reads_han
from league.models import Competition, Role, Round
from league.organizing.seating.queries.lists import (
    ListedSeat,
    SeatingList,
    grid,
    name_order,
    seated_rounds,
    seating_lists,
)
from league.organizing.seating.views.lists import list_size
from league.people.members.queries import PlayerInfo, candidates

PAPERS = {
    "sheets": gettext_lazy("Score sheets"),
    "cards": gettext_lazy("Seat cards for players"),
    "tables": gettext_lazy("Table cards"),
    "badges": gettext_lazy("Name badges"),
    "list": gettext_lazy("Seating list by table"),
    "names": gettext_lazy("Seating list by name"),
    "grid": gettext_lazy("Players and rounds"),
}
USUAL, UNSEATED = ("sheets", "list"), "badges"
ROUNDS_A_CARD, CARDS_A_SHEET = 8, 10
HEAVY = "heavy"  # the code of the refusal of a file that needs more memory or time than it may


@gzip_page  # the score sheets of 250 tables: 960 kB, 90 kB when compressed
@reads(Can.STAFF)
def papers(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Render the papers of ``?paper=sheets&paper=list``, which is the default."""
    return _print_page(request, access, access.round(pk))


@reads(Can.STAFF)
def papers_pdf(request: HttpRequest, access: Access, pk: int) -> HttpResponseBase:
    """Send the same page as a file, made once per revision. Redirect to the page if this machine cannot make
    it.
    """
    round_ = access.round(pk)
    chosen = _asked_papers(request)
    there = request.build_absolute_uri(request.path)
    about = (pk, chosen, there, get_language() or "en")
    file = find_file(request, access, write_papers, *about, facts=facts_of(access)[:-1], public=False)
    if file is None:
        return wait_page(request, access)
    if not file.content:
        messages.error(request, _explain_refusal(file.refusal))
        query = urlencode({"paper": chosen}, doseq=True)
        return HttpResponseRedirect(f"{access.address('seating:papers', pk)}?{query}")
    response = sent_file(request, bytes(file.content), "application/pdf")
    name = f"{access.competition.slug}-{round_.stage.slug}-{round_.number}.pdf"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@task(queue_name=FILES)
def write_papers(
    key: str, pk: int, chosen: list[str], address: str, language: str, *, competition: int
) -> None:
    """Make the PDF file of the page that staff see at this address."""

    def write(found: Competition) -> bytes:
        request = _request_to(address, chosen)
        access = Access(found, frozenset({Role.Kind.SCORER}))
        try:
            return make_pdf(
                _print_page(request, access, access.round(pk)).content.decode(),
                address=request.build_absolute_uri(),
                static=request.build_absolute_uri(settings.STATIC_URL),
                folders=[*map(str, settings.STATICFILES_DIRS), str(settings.STATIC_ROOT)],
            )
        except TooHeavy as error:
            raise CannotMake(HEAVY) from error
        except NoPdf as error:
            raise CannotMake(*error.args) from error

    with translation.override(language):
        keep_file(key, write)


def _request_to(address: str, chosen: list[str]) -> HttpRequest:
    """Return an anonymous request for these papers, which gives the page the addresses of this server."""
    parts = urlsplit(address)
    query = urlencode({"paper": chosen}, doseq=True)
    return WSGIRequest(
        {
            "REQUEST_METHOD": "GET",
            "HTTP_HOST": parts.netloc,
            "PATH_INFO": unquote(parts.path),
            "QUERY_STRING": query,
            "wsgi.url_scheme": parts.scheme,
            "HTTP_X_FORWARDED_PROTO": parts.scheme,
            "wsgi.input": BytesIO(),
        }
    )


def _explain_refusal(refusal: str) -> str:
    if refusal in (HEAVY, FAILED):
        return _("The PDF file could not be created. Choose fewer papers, or print with your browser.")
    words = _(
        "This server cannot create PDF files because %(package)s is missing. Print with your browser instead."
    )
    return words % {"package": refusal}


def _asked_papers(request: HttpRequest) -> list[str]:
    return [each for each in PAPERS if each in request.GET.getlist("paper")] or list(USUAL)


def _print_page(request: HttpRequest, access: Access, round_: Round) -> HttpResponse:
    competition = access.competition
    first, *later = seating_lists([round_, *_rounds_after(access, round_)], competition, public=False)
    chosen = _asked_papers(request) if first.tables else [UNSEATED]

    def code(name: str, *arguments: object) -> SafeString:
        return qr_code(request.build_absolute_uri(access.address(name, *arguments)))

    values: dict[str, Any] = {"typed_at": coded_address(request, reverse("calls:type_code"))["address"]}
    if {"sheets", "tables"} & set(chosen):
        coded = []
        for each in first.tables:
            number, each.table.round = each.table.number, round_
            short = shown_code(short_code(round_.stage.division, number))
            coded.append((each, code("calls:door_code", number, sheet_code(each.table)), short))
        values |= {name: coded for name in ("sheets", "tables") if name in chosen}
    if "cards" in chosen:
        values["cards"] = _divide(_cards(first, later))
    if "grid" in chosen:
        values |= _grid(access, round_)
    if "badges" in chosen:
        values["badges"] = _divide(_badges(competition, round_))
    return page(
        request,
        access,
        "seating/papers.html",
        round=round_,
        list=first,
        papers=[
            (each, words, each in chosen)
            for each, words in PAPERS.items()
            if first.tables or each == UNSEATED
        ],
        chosen=chosen,
        lines=first.by_name(reads_han=reads_han()),
        size=list_size(first),
        total=round_.stage.division.rules.total_points,
        round_code=round_code(round_),
        **values,
        **coded_address(request, access.address("seating:my_seat")),
    )


def _divide(cards: Sequence[Any]) -> list[Sequence[Any]]:
    """Return the cards of each sheet."""
    return [cards[at : at + CARDS_A_SHEET] for at in range(0, len(cards), CARDS_A_SHEET)]


def _badges(competition: Competition, round_: Round) -> list[PlayerInfo]:
    """Return the players of the round's division and the substitutes, by name."""
    people = [
        each.info
        for each in candidates(competition).values()
        if not each.withdrawn and (each.substitute or each.division == round_.stage.division_id)
    ]
    return sorted(people, key=lambda info: name_order(info, reads_han()))


def _grid(access: Access, round_: Round) -> dict[str, Any]:
    """Return the table and wind of each player in this round and the published ones of its stage."""
    published = access.rounds().filter(stage=round_.stage_id).exclude(visibility=Round.Visibility.HIDDEN)
    rounds = seated_rounds(published | access.rounds().filter(pk=round_.pk))
    listed = seating_lists(rounds, access.competition, public=False)
    seats = [
        [(seat.player, seat.table.number, seat.wind) for seat in each.seats if seat.player] for each in listed
    ]
    return {"grid": grid(seats, reads_han=reads_han()), "grid_rounds": [each.round.number for each in listed]}


def _rounds_after(access: Access, round_: Round) -> list[Round]:
    """Return the next rounds of its division whose seating is published."""
    rounds = access.rounds().filter(stage__division=round_.stage.division_id)
    rounds = rounds.exclude(visibility=Round.Visibility.HIDDEN)
    here = (round_.stage.position, round_.stage_id, round_.number)
    after = [
        each for each in seated_rounds(rounds) if (each.stage.position, each.stage_id, each.number) > here
    ]
    return after[: ROUNDS_A_CARD - 1]


def _cards(
    first: SeatingList, later: Iterable[SeatingList]
) -> list[tuple[ListedSeat, list[tuple[Round, ListedSeat]]]]:
    """Return the seats of the first round by name, each with the player's later seats."""
    coming: dict[int, list[tuple[Round, ListedSeat]]] = defaultdict(list)
    for listed in later:
        for seat in listed.seats:
            if seat.player:
                coming[seat.player.player].append((listed.round, seat))
    return [
        (seat, coming[seat.player.player]) for seat in first.by_name(reads_han=reads_han()) if seat.player
    ]
