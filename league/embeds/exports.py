"""An Atom feed (RFC 4287) of published results.

An entry keeps its id, and its date is that of the last change of its facts. The file depends only on the
facts, not on the time of reading.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from django.template.loader import render_to_string
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.core.access import Access
from league.core.text import labelled
from league.embeds.queries import Publication
from league.templatetags.competitions import where

CONTENT_TYPE = "application/atom+xml; charset=utf-8"


class ResultsFeed(Atom1Feed):
    """An Atom feed whose date without entries is ``since``, an argument of its own."""

    def latest_post_date(self) -> datetime:
        dates = [item["updateddate"] for item in self.items]
        newest: datetime = max(dates, default=self.feed["since"])
        return newest


def results_feed(
    access: Access,
    found: Iterable[Publication],
    final: Iterable[Mapping[str, object]],
    *,
    site: str,
    absolute: Callable[[str], str],
) -> str:
    """Return the feed of a competition. ``final``: the first lines of each division's final standings.

    ``site``: the host, a part of every id. ``absolute`` completes an address.
    """
    competition = access.competition
    root = f"tag:{site},{competition.created_at:%Y-%m-%d}:{competition.pk}"
    feed = ResultsFeed(
        title=labelled(competition.name, _("Results")),
        link=absolute(access.address("standings:competition")),
        description="",
        language=get_language(),
        author_name=competition.league.name,
        feed_url=absolute(access.address("embeds:feed")),
        feed_guid=root,
        since=competition.created_at,
    )
    if competition.finished_at:
        feed.add_item(
            title=labelled(competition.name, _("final standings")),
            link=absolute(access.address("standings:competition")),
            description=_written("embeds/_entry_final.html", access, parts=final),
            unique_id=f"{root}:final",
            updateddate=competition.finished_at,
        )
    for each in found:
        feed.add_item(
            title=_title(each, access),
            link=absolute(_address(each, access)),
            description=_written("embeds/_entry.html", access, publication=each),
            unique_id=f"{root}:{each.key}",
            updateddate=each.at,
        )
    return feed.writeString("utf-8")


def _title(publication: Publication, access: Access) -> str:
    words = _("Round %(number)s") % {"number": publication.round.number}
    if publication.day:
        words = date_format(publication.day)
    stage = where({"access": access, "public": True}, publication.round.stage)
    return f"{stage} · {words}" if stage else words


def _address(publication: Publication, access: Access) -> str:
    if publication.day:
        return access.address("open_play:day", publication.round.stage_id, publication.day.isoformat())
    return access.address("rounds:round", publication.round.pk)


def _written(template: str, access: Access, **values: object) -> str:
    return render_to_string(
        template, {"access": access, "competition": access.competition, "public": True} | values
    )
