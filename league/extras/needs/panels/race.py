"""Marks of the last rounds in the standings, and the chances that the worker has computed."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from league.core.access import Access
from league.core.kept_files import FAILED, content_of, find_file, fingerprint
from league.extras.needs.queries.outlook import marks_of
from league.extras.needs.queries.race import Race, kept_facts, name_of, race_of, read_chances
from league.extras.needs.rules.chances import Chances
from league.extras.needs.tasks import keep_chances
from league.extras.needs.words.race import KINDS, LINES, RACE_STATES, SIGNS, kind_words
from league.models import Competition, Entrant, KeptFile, Stage

READY: Final = "ready "
WAITING_SECONDS: Final = 24 * 3600
RENEWED_SECONDS: Final = 60  # how long a page that waits for chances is kept


class KeptChances(NamedTuple):
    """The chances of every race of a competition by its name. `races`: None until they are computed."""

    races: dict[str, Chances] | None = None
    has_failed: bool = False

    def of(self, race: Race | None) -> Chances | None:
        return self.races.get(name_of(race)) if self.races and race else None


def kept_chances(request: HttpRequest, access: Access, *, public: bool) -> KeptChances:
    """Return the chances that the worker has computed, or ask for them. A failed task is retried after a
    minute.
    """
    facts = kept_facts(access.competition, public=public)
    file = find_file(request, access, keep_chances, public, facts=facts, public=public)
    if file is not None and file.facts == fingerprint(facts) and (content := content_of(file)):
        return KeptChances(read_chances(content))
    cache.set(_waiting(access.competition, public=public), fingerprint(facts), WAITING_SECONDS)
    return KeptChances(has_failed=file is not None and file.refusal == FAILED)


def chances_state(access: Access, **_kwargs: object) -> tuple[object, ...]:
    """Return a fact for `public_page` that changes once chances are there for which a page waited.

    It also changes each minute while a page waits, so that the page asks again after a failure.

    Queries: 1 per audience while a page waits, otherwise none.
    """
    return tuple(_state(access.competition, public=public) for public in (True, False))


def _state(competition: Competition, *, public: bool) -> str:
    key = _waiting(competition, public=public)
    asked = str(cache.get(key, ""))
    if asked and not asked.startswith(READY) and KeptFile.objects.filter(facts=asked, refusal="").exists():
        asked = f"{READY}{asked}"
        cache.set(key, asked, WAITING_SECONDS)
    if asked and not asked.startswith(READY):
        asked = f"{asked} {int(timezone.now().timestamp()) // RENEWED_SECONDS}"
    return asked


def _waiting(competition: Competition, *, public: bool) -> str:
    return f"chances:{competition.pk}:{int(public)}"


def has_needs(entrant: Entrant, stages: Iterable[Stage]) -> bool:
    """Return whether the page of what a player needs can say more than why it is empty.

    Queries: none if these stages have one of the player's division, otherwise 1.
    """
    own = [stage for stage in stages if stage.division_id == entrant.division_id]
    every = Stage.objects.with_competition()
    return any(stage.links_chances for stage in own or every.filter(division=entrant.division_id))


def standings_marks(
    request: HttpRequest, access: Access, stage: Stage, *, public: bool, of_teams: bool = False
) -> dict[int, SafeString]:
    """Return player or team → marks of the last rounds: through, out or open, each with a link."""
    race = race_of(stage, public=public, of_teams=of_teams)
    if race is None or not race.is_near_its_end:
        return {}
    chances = kept_chances(request, access, public=public).of(race)
    address = "needs:team" if of_teams else "needs:player"
    found: dict[int, SafeString] = {}
    for each, line, said in marks_of(race, chances):
        mark = format_html(
            ' <a class="mark mark-{}" href="{}" title="{}">{} {} <span>{}</span></a>',
            said.outcome,
            access.address(address, each.page),
            kind_words(said.kind, said.otherwise, said.ends),
            SIGNS[said.outcome],
            LINES[line.kind],
            KINDS.get(said.kind) or RACE_STATES[said.outcome],
        )
        found[each.pk] = found.get(each.pk, SafeString("")) + mark
    return found
