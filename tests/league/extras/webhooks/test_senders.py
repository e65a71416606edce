"""What arrives at a receiver: each event once, in order, and only what visitors may read."""

import json
from datetime import timedelta

import pytest
from standardwebhooks import Webhook as Signer
from standardwebhooks import WebhookVerificationError

from league.core.changes import change
from league.core.outbox import UNDOABLE, send_due
from league.extras.webhooks.services import key_of, send_again, send_test, set_paused
from league.models import Competition, Outgoing, Round, Table, Webhook
from league.organizing.competitions.services import finish_competition, reopen_competition, update_competition
from league.play.calendar.services.table_times import postpone_tables
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round, publish_rounds, set_visibility
from league.ranking.stages.services import add_stage
from league.referees.penalties.services.decisions import revoke_penalty, undo_penalty
from league.referees.penalties.services.log import log_penalty
from tests.factories import club

pytestmark = pytest.mark.django_db

POINTS = (45_000, 35_000, 25_000, 15_000)
SEEN = Round.Visibility.RESULTS


def send() -> None:
    send_due.call()


def publish(spring, number: int = 0) -> None:
    set_visibility(round_=spring.rounds[number], visibility=SEEN, by=spring.alice)


def penalize(spring, number: int = 1, **values: object):
    table = spring.table(number)
    options = {"player_id": spring.players[0].pk, "score": -200, "reason": "late", "by": spring.bob}
    return log_penalty(stage=spring.stage, table=table, **options | values)


def test_a_receiver_that_fails_and_goes_away_gets_each_event_once_in_order(
    spring, add, receiver, clock, settings
):
    add()
    for _number in (2, 3):
        spring.add_round(visibility="hidden")
        spring.record(POINTS, round_number=len(spring.rounds))
    receiver.answers = [500, 500, 500]
    publish(spring, 0)
    publish(spring, 1)
    for pause in (timedelta(seconds=5), timedelta(seconds=30), timedelta(minutes=2)):
        send()
        assert receiver.events == {}
        clock.forward(pause)
    assert len(receiver.calls) == 3
    receiver.answers = [500]
    send()
    assert len(receiver.calls) == 4

    address = Webhook.objects.get().address
    settings.WEBHOOK_LOCAL = [*settings.WEBHOOK_LOCAL, "127.0.0.1:1"]
    Webhook.objects.update(address="http://127.0.0.1:1/hook")  # no one is there
    clock.forward(timedelta(minutes=10))
    send()
    publish(spring, 2)
    send()
    assert Webhook.objects.get().failing_since is not None
    assert "ConnectError" in Outgoing.objects.order_by("pk")[0].problem
    Webhook.objects.update(address=address)
    clock.forward(timedelta(hours=1))
    send()

    assert [event["data"]["round"]["number"] for event in receiver.events.values()] == [1, 2, 3]
    ids = [headers["webhook-id"] for _path, headers, _body in receiver.calls]
    assert len(set(ids)) == 3
    assert ids[:4] == [ids[0]] * 4
    assert receiver.refused == 0
    send()
    assert len(receiver.calls) == 7
    assert Webhook.objects.get().failing_since is None


def test_a_signed_event_has_type_timestamp_and_data(spring, add, receiver):
    hook = add()
    publish(spring)
    send()
    [event] = receiver.events.values()
    assert (event["type"], event["timestamp"][:2]) == ("round.published", "20")
    assert event["data"]["competition"]["address"] == "http://testserver/c/spring/"
    [table] = event["data"]["tables"]
    assert [seat["points"] for seat in table["seats"]] == list(POINTS)
    assert [seat["place"] for seat in table["seats"]] == [1, 2, 3, 4]
    assert table["seats"][0]["score"] == "60.0"
    _path, headers, body = receiver.calls[0]
    Signer(key_of(hook)).verify(body, headers)
    with pytest.raises(WebhookVerificationError):
        Signer(key_of(hook)).verify(body.replace(b"45000", b"99000"), headers)


def test_discord_and_slack_get_words_in_their_language_with_the_picture(spring, add, receiver, client):
    Competition.objects.filter(pk=spring.competition.pk).update(name="@everyone *Spring*")
    spring.players[0].name = "<!channel> [x](http://y) *a*"
    spring.players[0].save()
    add("discord", language="zh-hant")
    add("slack")
    publish(spring)
    send()
    discord, slack = receiver.sent()
    assert discord["allowed_mentions"] == {"parse": []}
    [embed] = discord["embeds"]
    assert embed["url"] == f"http://testserver/c/spring/rounds/{spring.rounds[0].pk}/"
    assert "\\<\\!channel" not in embed["description"]
    assert "\\<!channel\\> \\[x\\]\\(http\\://y\\) \\*a\\*" in embed["description"]
    picture = embed["image"]["url"].removeprefix("http://testserver")
    assert client.get(picture)["Content-Type"] == "image/png"
    kinds = [block["type"] for block in slack["blocks"]]
    assert kinds == ["header", "section", "image", "context"]
    assert slack["blocks"][1]["text"]["type"] == "plain_text"
    assert "The results of round 1 are published." in slack["blocks"][1]["text"]["text"]
    assert "The results" not in embed["description"]
    assert all("webhook-signature" not in headers for _path, headers, _body in receiver.calls)


def test_a_round_published_twice_or_together_with_others_is_one_event(spring, add, receiver):
    add()
    spring.add_round(visibility="hidden")
    spring.record(POINTS, round_number=2)
    publish(spring)
    set_visibility(round_=spring.rounds[0], visibility="hidden", by=spring.alice)
    publish_rounds(competition=spring.competition, rounds=Round.objects.all(), by=spring.alice)
    close_round(round_=spring.rounds[0], visibility=SEEN, by=spring.alice)
    send()
    assert sorted(event["data"]["round"]["number"] for event in receiver.events.values()) == [1, 2]


def test_a_round_that_is_released_when_complete_is_an_event(spring, add, receiver):
    update_competition(competition=spring.competition, values={"release": "complete"}, by=spring.alice)
    spring.add_round(visibility=Round.Visibility.SEATING)
    add()
    spring.competition.refresh_from_db()
    spring.record(POINTS, round_number=2)
    send()
    assert [event["data"]["round"]["number"] for event in receiver.events.values()] == [2]


def test_a_postponed_table_does_not_keep_a_released_round_from_being_an_event(spring, add, receiver):
    add()
    autumn = club("autumn")
    Webhook.objects.update(competition=autumn.competition)
    Competition.objects.update(release=Competition.Release.COMPLETE)
    autumn.competition.refresh_from_db()
    autumn.add_round(visibility=Round.Visibility.SEATING)
    postpone_tables(tables=[autumn.table(number=2)], reason="typhoon", by=autumn.alice)
    autumn.record(POINTS)
    send()
    [event] = receiver.events.values()
    assert event["data"]["round"]["number"] == 1


def test_a_penalty_is_announced_by_the_round_that_the_same_change_publishes(spring, add, receiver, clock):
    penalty = penalize(spring)
    clock.forward(UNDOABLE * 2)
    add()
    round_ = spring.rounds[0]
    with change(spring.competition, by=spring.alice) as done:
        Round.objects.filter(pk=round_.pk).update(visibility=SEEN)
        round_.refresh_from_db()
        done.log("penalty.approve", f"penalty:{penalty.pk}", about=penalty)
        done.log("round.publish", f"round:{round_.pk}", before={"visibility": "seating"}, about=round_)

    put = Outgoing.objects.order_by("pk")
    assert [each.payload["event"] for each in put] == ["round.published", "penalty.logged"]
    assert all(each.due_at == each.created_at for each in put)


def test_a_round_that_is_visible_while_it_is_played_is_an_event_when_it_is_closed(spring, add, receiver):
    update_competition(competition=spring.competition, values={"release": "at_once"}, by=spring.alice)
    add()
    spring.competition.refresh_from_db()
    made = spring.add_round(visibility=SEEN)
    assert (made.visibility, Outgoing.objects.count()) == (SEEN, 0)
    spring.record(POINTS, round_number=2)
    close_round(round_=made, by=spring.alice)
    send()
    [event] = receiver.events.values()
    assert event["data"]["round"]["number"] == 2
    assert len(event["data"]["tables"]) == 1


def test_a_round_that_was_closed_empty_is_an_event_only_after_it_was_played(spring, add, receiver):
    add()
    made = spring.add_round()

    close_round(round_=made, by=spring.alice)
    send()
    empty = len(receiver.events)
    open_round(round_=made, by=spring.alice)
    spring.record((45_000, 35_000, 25_000, 15_000), round_number=2)
    close_round(round_=made, by=spring.alice)
    send()

    assert [empty, len(receiver.events)] == [0, 1]


def test_what_is_hidden_again_before_it_leaves_is_not_sent(spring, add, receiver):
    add()
    publish(spring)
    set_visibility(round_=spring.rounds[0], visibility="hidden", by=spring.alice)
    send()
    assert receiver.calls == []
    assert Outgoing.objects.get().given_up_at is not None


def test_seatings_and_hidden_rounds_make_no_event(spring, add, receiver):
    add()
    set_visibility(round_=spring.rounds[0], visibility="seating", by=spring.alice)
    penalize(spring)
    assert not Outgoing.objects.exists()
    publish(spring)
    assert sorted(Outgoing.objects.values_list("payload__event", flat=True)) == [
        "penalty.logged",
        "round.published",
    ]


def test_public_penalties_arrive_once_they_cannot_be_undone(spring, add, receiver, clock):
    add()
    publish(spring)
    send()
    undone = penalize(spring)
    undo_penalty(penalty=undone, by=spring.bob)
    kept = penalize(spring)
    send()
    assert len(receiver.events) == 1
    clock.forward(UNDOABLE + timedelta(seconds=1))
    send()
    assert [event["type"] for event in receiver.events.values()] == ["round.published", "penalty.logged"]
    revoke_penalty(penalty=kept, reason="wrong player", by=spring.bob, at=clock())
    send()
    last = list(receiver.events.values())[-1]
    assert (last["type"], last["data"]["penalty"]["id"]) == ("penalty.revoked", kept.pk)


def test_penalties_that_visitors_cannot_read_stay_inside(spring, add, receiver, clock):
    add()
    publish(spring)
    update_competition(
        competition=spring.competition,
        values={"penalties_shown": Competition.PenaltiesShown.values[-1]},
        by=spring.alice,
    )
    spring.competition.refresh_from_db()
    assert spring.competition.penalties_shown != "all"
    penalize(spring)
    assert not Outgoing.objects.filter(payload__event="penalty.logged").exists()


def test_the_final_standings_arrive_each_time_the_competition_is_finished(spring, add, receiver):
    add()
    publish(spring)
    close_round(round_=spring.rounds[0], by=spring.alice)
    finish_competition(competition=spring.competition, publish=True, by=spring.alice)
    reopen_competition(competition=spring.competition, reason="typo", by=spring.alice)
    finish_competition(competition=spring.competition, publish=True, by=spring.alice)
    send()
    events = list(receiver.events.values())
    assert [event["type"] for event in events] == ["round.published", "standings.final", "standings.final"]
    [division] = events[-1]["data"]["standings"]
    assert [row["rank"] for row in division["rows"]] == [1, 2, 3, 4]


def test_the_final_standings_are_those_of_the_last_stage_of_each_division(spring, add, receiver):
    add()
    add("slack")
    publish(spring)
    close_round(round_=spring.rounds[0], by=spring.alice)
    spring.stage = add_stage(division=spring.division, name="Final", carry="none", by=spring.alice)
    spring.players.reverse()
    spring.add_round()
    record_result(
        table=Table.objects.get(round=spring.rounds[1]), points=POINTS, based_on=0, by=spring.charlie
    )
    close_round(round_=spring.rounds[1], by=spring.alice)
    finish_competition(competition=spring.competition, publish=True, by=spring.alice)
    send()
    [event] = [each for each in receiver.sent() if each.get("type") == "standings.final"]
    [part] = event["data"]["standings"]
    assert (part["stage"], part["rows"][0]["name"]) == ("Final", spring.players[0].name)
    [words] = [
        each["blocks"][1]["text"]["text"] for each in receiver.sent() if "final standings" in str(each)
    ]
    assert [line.partition(".")[0] for line in words.splitlines()[1:]] == ["1", "2", "3", "4"]


def test_an_address_hears_of_its_own_events_and_competition_only(spring, add, receiver):
    add(on_rounds=False, on_final=True)
    publish(spring)
    autumn = club("autumn", players=4)
    autumn.add_round()
    assert not Outgoing.objects.exists()


def test_a_paused_address_gets_nothing_of_the_pause(spring, add, receiver):
    hook = add()
    set_paused(webhook=hook, paused=True, by=spring.alice)
    publish(spring)
    set_paused(webhook=hook, paused=False, by=spring.alice)
    send()
    assert receiver.calls == []


def test_an_address_that_fails_for_days_is_turned_off_and_can_catch_up(spring, add, receiver, clock):
    hook = add()
    publish(spring)
    spring.add_round(visibility="hidden")
    spring.record(POINTS, round_number=2)
    publish(spring, 1)
    receiver.answers = [500] * 100
    for _number in range(10):
        send()
        clock.forward(timedelta(days=1))
    hook.refresh_from_db()
    assert hook.turned_off_at is not None
    calls = len(receiver.calls)
    spring.add_round()
    send()
    assert len(receiver.calls) == calls
    receiver.answers = []
    set_paused(webhook=hook, paused=False, by=spring.alice)
    for each in Outgoing.objects.filter(stream=hook.stream).order_by("pk"):
        send_again(webhook=hook, delivery=each.pk, by=spring.alice)
    send()
    assert [event["data"]["round"]["number"] for event in receiver.events.values()] == [1, 2]


@pytest.mark.parametrize(("kind", "status"), [("events", 410), ("discord", 404), ("slack", 410)])
def test_an_address_that_is_gone_is_turned_off_at_once(kind, status, spring, add, receiver):
    hook = add(kind)
    receiver.answers = [status]
    send_test(webhook=hook, by=spring.alice)
    send()
    hook.refresh_from_db()
    assert hook.turned_off_at is not None
    assert Outgoing.objects.get().problem == f"{status} thanks"


def test_a_redirect_counts_as_a_failure(spring, add, receiver):
    hook = add()
    receiver.answers, receiver.location = [302], "http://10.0.0.1/"
    send_test(webhook=hook, by=spring.alice)
    send()
    assert Outgoing.objects.get().problem == "302 thanks"
    assert len(receiver.calls) == 1


def test_a_private_competition_shows_no_picture(spring, add, receiver):
    update_competition(competition=spring.competition, values={"visibility": "private"}, by=spring.alice)
    hook = add("discord")
    send_test(webhook=hook, by=spring.alice)
    send()
    assert "image" not in json.loads(receiver.calls[0][2])["embeds"][0]
    assert Outgoing.objects.get().payload["answer"] == "thanks"
