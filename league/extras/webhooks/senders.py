"""Send events: their facts and words are read at the moment of sending, as visitors see them then."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, timedelta
from typing import Any

import httpcore
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from standardwebhooks import Webhook as Signer

from league.core.counted import shown_penalties
from league.core.errors import Refused
from league.core.outbox import NotSent, sender
from league.core.rounds import where_words
from league.core.stages import stages_of
from league.core.tags import score
from league.core.text import labelled, listed
from league.extras.webhooks.delivery import post
from league.extras.webhooks.services import key_of
from league.models import Competition, Outgoing, Penalty, Round, Webhook
from league.models.webhooks import Event as Kind
from league.play.hands.queries import RULES
from league.play.hands.words.penalties import penalty_line
from league.play.results.queries.tables import table_results
from league.ranking.boards.panels import newest_standings
from league.referees.penalties.queries.penalties import with_facts
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from scoring.units import WINDS, decimal_text

MOST_FAILING = timedelta(days=3)  # of failures without a success, after which an address is turned off
GONE = 410
MISSING = 404  # the answer of Discord and Slack for an address that was deleted there
LINES = 5
_MARKDOWN = str.maketrans({mark: f"\\{mark}" for mark in r"\*_~`|>#[]()<:@-"})
_SLACK = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
SEALED = gettext_noop("Visitors can no longer read this.")
_PROBLEMS = (OSError, httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError)


@dataclass(frozen=True)
class Event:
    """An event in words and as data. ``address``: of its page, absolute. ``picture``: of the standings."""

    title: str
    text: str
    address: str
    lines: Sequence[str] = ()
    picture: str = ""
    data: dict[str, Any] = field(default_factory=dict)


@sender(Outgoing.Kind.WEBHOOK)
def send(outgoing: Outgoing) -> None:
    """Call the address once. Raise ``NotSent`` unless it answers with success."""
    related = Webhook.objects.select_related("competition__league")
    webhook = related.filter(pk=outgoing.payload["webhook"]).first()
    if webhook is None or not webhook.is_on:
        raise NotSent(gettext_noop("This address is paused or turned off."), again=False)
    with translation.override(webhook.language):
        event = _MAKERS[outgoing.payload["event"]](webhook, outgoing)
        body = json.dumps(_BODIES[webhook.kind](event, outgoing), ensure_ascii=False).encode()
    try:
        answer = post(webhook.address, body, _signature(webhook, outgoing, body))
    except Refused as refusal:
        _note_failure(webhook)
        with translation.override(None):  # the page translates it
            raise NotSent(str(refusal)) from None
    except _PROBLEMS as error:
        _note_failure(webhook)
        raise NotSent(f"{type(error).__name__}: {error}".rstrip(": ")) from None
    said = {"status": answer.status, "answer": answer.line}
    Outgoing.objects.filter(pk=outgoing.pk).update(payload=outgoing.payload | said)
    if answer.is_success:
        Webhook.objects.filter(pk=webhook.pk).update(failing_since=None)
        return
    is_deleted = answer.status == MISSING and webhook.kind != Webhook.Kind.EVENTS
    is_gone = answer.status == GONE or is_deleted
    _note_failure(webhook, is_gone=is_gone)
    raise NotSent(f"{answer.status} {answer.line}".rstrip(), again=not is_gone, after=answer.after)


def _note_failure(webhook: Webhook, *, is_gone: bool = False) -> None:
    """Turn the address off if it ``is_gone`` or has failed for too long."""
    now, same = timezone.now(), Webhook.objects.filter(pk=webhook.pk)
    same.filter(failing_since=None).update(failing_since=now)
    over = same if is_gone else same.filter(failing_since__lt=now - MOST_FAILING)
    over.filter(turned_off_at=None).update(turned_off_at=now)


def message_id(outgoing: Outgoing) -> str:
    """Return the id of the event, which is the same for every address and every attempt."""
    event, _colon, _address = outgoing.key.partition(":")
    return event


def _signature(webhook: Webhook, outgoing: Outgoing, body: bytes) -> dict[str, str]:
    """Return the headers of Standard Webhooks 1.0. Discord and Slack have their key in the address."""
    if webhook.kind != Webhook.Kind.EVENTS:
        return {}
    now, name = timezone.now().astimezone(UTC), message_id(outgoing)
    return {
        "webhook-id": name,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Signer(key_of(webhook)).sign(name, now, body.decode()),
    }


# --- events


def _event(
    webhook: Webhook, outgoing: Outgoing, text: str, *where: str, lines: Sequence[str] = (), **data: object
) -> Event:
    """Return an event of the competition or its part ``where``, with the standings, their page and picture.

    The picture has a new address for each event, and none if the competition is private.
    """
    competition = webhook.competition
    address, picture = _address(webhook, "standings:competition"), ""
    if competition.visibility != Competition.Visibility.PRIVATE:
        picture = f"{_address(webhook, 'standings:picture')}?event={message_id(outgoing)}"
    facts = {
        "slug": competition.slug,
        "name": competition.name,
        "league": competition.league.name,
        "address": address,
    }
    title = labelled(competition.name, *where) if where else competition.name
    return Event(title, text, address, lines, picture, {"competition": facts, **data})


def _address(webhook: Webhook, page: str, *ids: int) -> str:
    return webhook.site + reverse(page, args=[webhook.competition.slug, *ids])


def _round_published(webhook: Webhook, outgoing: Outgoing) -> Event:
    competition = webhook.competition
    round_ = Round.objects.filter(pk=outgoing.payload["target"], visibility=Round.Visibility.RESULTS).first()
    stages = {choice.stage.pk: choice.stage for choice in stages_of(competition, public=True)}
    if round_ is None or round_.stage_id not in stages:
        raise NotSent(SEALED, again=False)
    round_.stage = stages[round_.stage_id]
    address = _address(webhook, "rounds:round", round_.pk)
    facts = {
        "id": round_.pk,
        "number": round_.number,
        "date": round_.date and round_.date.isoformat(),
        "division": round_.stage.division.name,
        "stage": round_.stage.name,
        "address": address,
    }
    event = _event(
        webhook,
        outgoing,
        _("The results of round %(round)s are published.") % {"round": round_.number},
        where_words(round_.stage, round_),
        lines=_top(newest_standings(competition, division=round_.stage.division_id)),
        round=facts,
        tables=_tables(competition, round_),
    )
    return replace(event, address=address)


def _tables(competition: Competition, round_: Round) -> list[dict[str, Any]]:
    return [
        {
            "number": result.table.number,
            "seats": [
                {
                    "wind": WINDS[wind],
                    "player": info.key if info else None,
                    "name": info.name if info else None,
                    "points": seat.points,
                    "place": seat.place,
                    "score": decimal_text(seat.score),
                }
                for wind, info, seat in result.lines
                if seat
            ],
        }
        for result in table_results(round_.tables.all(), competition, rounds=[round_])
        if result.status in competition.counted_statuses
    ]


def _final(webhook: Webhook, outgoing: Outgoing) -> Event:
    if webhook.competition.finished_at is None:
        raise NotSent(SEALED, again=False)
    parts = newest_standings(webhook.competition)
    standings = [
        {
            "division": part["stage"].division.name,
            "stage": part["stage"].name,
            "rows": [
                {"rank": line.row.shown_rank, "name": _name(line), "total": decimal_text(line.row.total)}
                for line in part["rows"]
            ],
        }
        for part in parts
    ]
    text = _("The competition is over. These are the final standings.")
    return _event(webhook, outgoing, text, lines=_top(parts), standings=standings)


def _penalty(webhook: Webhook, outgoing: Outgoing) -> Event:
    is_revoked = outgoing.payload["event"] == Kind.REVOKED
    asked = Penalty.objects.filter(pk=outgoing.payload["target"], competition=webhook.competition)
    shown = with_facts(shown_penalties(asked, public=True)).select_related(RULES).first()
    if shown is None or (shown.revoked_at is not None) != is_revoked:
        raise NotSent(SEALED, again=False)
    line = penalty_line(shown, penalty_rules_of(shown.stage.division.rule_set))
    offence = line.offence or line.penalty.reason
    what = listed(filter(None, [line.level, offence, score(shown.score) if shown.score else ""]))
    facts = {
        "id": shown.pk,
        "player": shown.player.name,
        "level": line.level,
        "offence": offence,
        "score": decimal_text(shown.score),
        "round": shown.round and shown.round.number,
        "table": shown.table and shown.table.number,
    }
    event = _event(
        webhook,
        outgoing,
        _("This penalty was revoked.") if is_revoked else _("A penalty was logged."),
        where_words(shown.stage, shown.round, shown.table),
        lines=[labelled(shown.player.name, what)],
        penalty=facts,
    )
    return replace(event, address=_address(webhook, "penalties:index"), picture="")


def _test(webhook: Webhook, outgoing: Outgoing) -> Event:
    return _event(webhook, outgoing, _("This is a test. Published results will appear here."))


_MAKERS: dict[str, Callable[[Webhook, Outgoing], Event]] = {
    Kind.ROUND: _round_published,
    Kind.FINAL: _final,
    Kind.PENALTY: _penalty,
    Kind.REVOKED: _penalty,
    Kind.TEST: _test,
}


def _top(parts: Sequence[dict[str, Any]]) -> list[str]:
    """Return the first lines of the sole division, or the winner of each division."""
    if len(parts) != 1:
        return [labelled(part["stage"].division.name, _name(part["rows"][0])) for part in parts]
    (part,) = parts
    rows = part["rows"][:LINES]
    return [f"{line.row.shown_rank or '–'}. {_name(line)} {score(line.row.total)}" for line in rows]


def _name(line: Any) -> str:
    team = getattr(line, "team", None)
    return str(team.name if team else line.player.name)


# --- bodies


def _discord(event: Event, _found: Outgoing) -> dict[str, Any]:
    """Return an embed. Names are escaped, and none of them can call people."""
    words = "\n".join(text.translate(_MARKDOWN) for text in (event.text, *event.lines))
    embed: dict[str, Any] = {"title": event.title[:256], "url": event.address, "description": words[:4000]}
    if event.picture:
        embed["image"] = {"url": event.picture}
    return {"embeds": [embed], "allowed_mentions": {"parse": []}}


def _slack(event: Event, _found: Outgoing) -> dict[str, Any]:
    """Return blocks, and the text that notifications show. Names are plain text."""
    words = "\n".join((event.text, *event.lines))[:3000]
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": {"type": "plain_text", "text": event.title[:150], "emoji": False}},
        {"type": "section", "text": {"type": "plain_text", "text": words, "emoji": False}},
    ]
    if event.picture:
        blocks.append({"type": "image", "image_url": event.picture, "alt_text": _("Standings")})
    link = {"type": "mrkdwn", "text": f"<{event.address}>"}
    blocks.append({"type": "context", "elements": [link]})
    return {"text": f"{event.title} – {event.text}".translate(_SLACK), "blocks": blocks}


def _signed(event: Event, outgoing: Outgoing) -> dict[str, Any]:
    return {
        "type": outgoing.payload["event"],
        "timestamp": outgoing.created_at.astimezone(UTC).isoformat(),
        "data": event.data,
    }


_BODIES: dict[str, Callable[[Event, Outgoing], dict[str, Any]]] = {
    Webhook.Kind.DISCORD: _discord,
    Webhook.Kind.SLACK: _slack,
    Webhook.Kind.EVENTS: _signed,
}
