"""Addresses of a competition and the last deliveries to each."""

from django.db.models import QuerySet

from league.models import Competition, Outgoing, Webhook

NEWEST = 20


def webhooks_of(competition: Competition) -> QuerySet[Webhook]:
    return Webhook.objects.filter(competition=competition).select_related("competition")


def deliveries(webhook: Webhook) -> list[Outgoing]:
    """Return the newest deliveries to an address, newest first."""
    return list(Outgoing.objects.filter(stream=webhook.stream).order_by("-pk")[:NEWEST])
