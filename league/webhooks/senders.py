"""Send events: their facts and words are read at the moment of sending, as visitors see them then."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from typing import Any

import httpcore
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from standardwebhooks import Webhook as Signer

from league.core.counted import shown_penalties
from league.core.outbox import NotSent, sender
from league.core.stages import stages_of
from league.core.text import labelled, listed
from league.models import Competition, Outgoing, Penalty, Round, Webhook
from league.models.webhooks import Event as Kind
from league.penalties.queries.penalties import RULES, with_facts
from league.penalties.words import penalty_line, where_words
from league.penalty_rules.words.rulings import penalty_rules_of
from league.rounds.queries import table_results
from league.standings.panels import standings_parts
from league.templatetags.umaoka import score
from league.webhooks.delivery import Answer, Blocked, post
from league.webhooks.services import key_of, note_failure, note_success
from scoring.units import WINDS, decimal_text

MOST_FAILING = timedelta(days=3)  # of failures without a success, after which an address is turned off
GONE = 410
MISSING = 404  # the answer of Discord and Slack for an address that was deleted there
LINES = 5
_MARKDOWN = str.maketrans({mark: f"\\{mark}" for mark in r"\*_~`|>#[]()<:@-"})
_SLACK = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
SEALED = "Visitors can no longer read this."


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
def send(found: Outgoing) -> None:
    """Call the address once. Raise ``NotSent`` unless it answers with success."""
    webhook = (
        Webhook.objects.select_related("competition__league").filter(pk=found.payload["webhook"]).first()
    )
    if webhook is None or not webhook.is_on:
        raise NotSent("This address is paused or turned off.", again=False)
    with translation.override(webhook.language):
        event = _MAKERS[found.payload["event"]](webhook, found)
    body = json.dumps(_BODIES[webhook.kind](event, found), ensure_ascii=False).encode()
    answer = _call(webhook, body, _signature(webhook, found, body))
    said = {"status": answer.status, "answer": answer.line}
    Outgoing.objects.filter(pk=found.pk).update(payload=found.payload | said)
    if answer.is_success:
        note_success(webhook)
        return
    is_deleted = answer.status == MISSING and webhook.kind != Webhook.Kind.EVENTS
    gone = answer.status == GONE or is_deleted
    note_failure(webhook, is_gone=gone, most=MOST_FAILING)
    raise NotSent(f"{answer.status} {answer.line}".rstrip(), again=not gone, after=answer.after)


def _call(webhook: Webhook, body: bytes, headers: dict[str, str]) -> Answer:
    problem = ""
    try:
        return post(webhook.address, body, headers)
    except Blocked as blocked:
        problem = str(blocked)
    except (OSError, httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
        problem = f"{type(error).__name__}: {error}".rstrip(": ")
    note_failure(webhook, is_gone=False, most=MOST_FAILING)
    raise NotSent(problem)


def message_id(found: Outgoing) -> str:
    """Return the id of the event, which is the same for every address and every attempt."""
    return found.key.partition(":")[0]


def _signature(webhook: Webhook, found: Outgoing, body: bytes) -> dict[str, str]:
    """Return the headers of Standard Webhooks 1.0. Discord and Slack have their key in the address."""
    if webhook.kind != Webhook.Kind.EVENTS:
        return {}
    now, name = timezone.now().astimezone(UTC), message_id(found)
    signature = Signer(key_of(webhook)).sign(name, now, body.decode())
    return {
        "webhook-id": name,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature,
    }


# --- events


def _round_published(webhook: Webhook, found: Outgoing) -> Event:
    competition = webhook.competition
    round_ = Round.objects.select_related("stage").filter(pk=found.payload["target"]).first()
    stages = {choice.stage.pk: choice.stage for choice in stages_of(competition, public=True)}
    if round_ is None or round_.stage_id not in stages or round_.visibility != Round.Visibility.RESULTS:
        raise NotSent(SEALED, again=False)
    round_.stage = stages[round_.stage_id]
    parts = _parts(competition, round_.stage.division_id)
    address = webhook.site + reverse("rounds:round", args=[competition.slug, round_.pk])
    return Event(
        title=labelled(competition.name, where_words(round_.stage, round_)),
        text=_("The results of round %(round)s are published.") % {"round": round_.number},
        address=address,
        lines=_top(parts),
        picture=_picture(webhook, found),
        data=_competition(webhook)
        | {
            "round": {
                "id": round_.pk,
                "number": round_.number,
                "date": round_.date.isoformat() if round_.date else None,
                "division": round_.stage.division.name,
                "stage": round_.stage.name,
                "address": address,
            },
            "tables": _tables(competition, round_),
        },
    )


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


def _final(webhook: Webhook, found: Outgoing) -> Event:
    competition = webhook.competition
    if competition.finished_at is None:
        raise NotSent(SEALED, again=False)
    parts = _parts(competition)
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
    return Event(
        title=competition.name,
        text=_("The competition is over. These are the final standings."),
        address=webhook.site + reverse("standings:competition", args=[competition.slug]),
        lines=_top(parts),
        picture=_picture(webhook, found),
        data=_competition(webhook) | {"standings": standings},
    )


def _penalty(webhook: Webhook, found: Outgoing) -> Event:
    competition, is_revoked = webhook.competition, found.payload["event"] == Kind.REVOKED
    asked = Penalty.objects.filter(pk=found.payload["target"], competition=competition)
    shown = with_facts(shown_penalties(asked, public=True)).select_related(RULES).first()
    if shown is None or (shown.revoked_at is not None) != is_revoked:
        raise NotSent(SEALED, again=False)
    line = penalty_line(shown, penalty_rules_of(shown.stage.division.rule_set))
    offence = line.offence or line.penalty.reason
    what = listed(filter(None, [line.level, offence, score(shown.score) if shown.score else ""]))
    return Event(
        title=labelled(competition.name, where_words(shown.stage, shown.round, shown.table)),
        text=_("This penalty was revoked.") if is_revoked else _("A penalty was logged."),
        address=webhook.site + reverse("penalties:index", args=[competition.slug]),
        lines=[labelled(shown.player.name, what)],
        data=_competition(webhook)
        | {
            "penalty": {
                "id": shown.pk,
                "player": shown.player.name,
                "level": line.level,
                "offence": offence,
                "score": decimal_text(shown.score),
                "round": shown.round.number if shown.round else None,
                "table": shown.table.number if shown.table else None,
            }
        },
    )


def _test(webhook: Webhook, found: Outgoing) -> Event:
    competition = webhook.competition
    return Event(
        title=competition.name,
        text=_("This is a test. Published results will appear here."),
        address=webhook.site + reverse("standings:competition", args=[competition.slug]),
        picture=_picture(webhook, found),
        data=_competition(webhook),
    )


_MAKERS: dict[str, Callable[[Webhook, Outgoing], Event]] = {
    Kind.ROUND: _round_published,
    Kind.FINAL: _final,
    Kind.PENALTY: _penalty,
    Kind.REVOKED: _penalty,
    Kind.TEST: _test,
}


def _competition(webhook: Webhook) -> dict[str, Any]:
    competition = webhook.competition
    address = webhook.site + reverse("standings:competition", args=[competition.slug])
    return {
        "competition": {
            "slug": competition.slug,
            "name": competition.name,
            "league": competition.league.name,
            "address": address,
        }
    }


def _parts(competition: Competition, division: int | None = None) -> list[dict[str, Any]]:
    """Return the first lines of each division's newest public standings."""
    parts = standings_parts(competition, division=division)
    return list({part["stage"].pk: part for part in reversed(parts)}.values())[::-1]


def _top(parts: Sequence[dict[str, Any]]) -> list[str]:
    if len(parts) != 1:
        return [
            labelled(part["stage"].division.name, _name(line)) for part in parts for line in part["rows"][:1]
        ]
    return [
        f"{line.row.shown_rank or '–'}. {_name(line)} {score(line.row.total)}"
        for line in parts[0]["rows"][:LINES]
    ]


def _name(line: Any) -> str:
    team = getattr(line, "team", None)
    return str(team.name if team else line.player.name)


def _picture(webhook: Webhook, found: Outgoing) -> str:
    """Return the address of the standings picture, a new one for each event, or "" if it is private."""
    competition = webhook.competition
    if competition.visibility == Competition.Visibility.PRIVATE:
        return ""
    return f"{webhook.site}{reverse('standings:picture', args=[competition.slug])}?event={message_id(found)}"


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


def _signed(event: Event, found: Outgoing) -> dict[str, Any]:
    return {
        "type": found.payload["event"],
        "timestamp": found.created_at.astimezone(UTC).isoformat(),
        "data": event.data,
    }


_BODIES: dict[str, Callable[[Event, Outgoing], dict[str, Any]]] = {
    Webhook.Kind.DISCORD: _discord,
    Webhook.Kind.SLACK: _slack,
    Webhook.Kind.EVENTS: _signed,
}
