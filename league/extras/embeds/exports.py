"""An Atom feed (RFC 4287) of published results.

An entry keeps its id, and its date is that of the last change of its facts. The file depends only on the
facts, not on the time of reading.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.core.access import Access
from league.core.text import labelled
from league.extras.embeds.queries import Publication
from league.organizing.competitions.tags import where


class ResultsFeed(Atom1Feed):
    """An Atom feed whose date without entries is ``since``, an argument of its own."""

    def latest_post_date(self) -> datetime:
        dates = [item["updateddate"] for item in self.items]
        newest: datetime = max(dates, default=self.feed["since"])
        return newest


def results_feed(
    request: HttpRequest, access: Access, found: Iterable[Publication], final: Sequence[Mapping[str, object]]
) -> str:
    """Return the feed of a competition. `final`: the first lines of each division's final standings."""
    competition = access.competition
    standings = access.address("standings:competition")
    root = f"tag:{request.get_host()},{competition.created_at:%Y-%m-%d}:{competition.pk}"
    feed = ResultsFeed(
        title=labelled(competition.name, _("Results")),
        link=request.build_absolute_uri(standings),
        description="",
        language=get_language(),
        author_name=competition.league.name,
        feed_url=request.build_absolute_uri(access.address("embeds:feed")),
        feed_guid=root,
        since=competition.created_at,
    )
    page = {"access": access, "competition": competition, "public": True}

    def add(key: str, at: datetime, title: str, address: str, template: str, **values: object) -> None:
        feed.add_item(
            title=title,
            link=request.build_absolute_uri(address),
            description=render_to_string(template, page | values),
            unique_id=f"{root}:{key}",
            updateddate=at,
        )

    if at := competition.finished_at:
        title = labelled(competition.name, _("final standings"))
        add("final", at, title, standings, "embeds/_entry_final.html", parts=final)
    for each in found:
        if each.day:
            words = date_format(each.day)
            address = access.address("open_play:day", each.round.stage_id, each.day.isoformat())
        else:
            words = _("Round %(number)s") % {"number": each.round.number}
            address = access.address("rounds:round", each.round.pk)
        title = " · ".join(filter(None, (where(page, each.round.stage), words)))
        add(each.key, each.at, title, address, "embeds/_entry.html", publication=each)
    return feed.writeString("utf-8")
