"""The people of a competition file: players with their numbers, and teams."""

import re

from django.utils.translation import gettext as _

from league.interchange.imports.names import CODE, KEY, NAME, Names
from league.interchange.imports.nodes import SLUG, Node, shown
from league.interchange.services.people import PlayerFacts, TeamFacts
from players.models import FederationNumber
from players.text import has_control_characters, tidy

_COUNTRY_FORM = re.compile(r"[A-Z]{2}", re.ASCII)


def identified(root: Node, names: Names) -> list[tuple[Node, str]]:
    """The players' objects with their ids, which come first: everything else refers to them."""
    found = []
    for node in root.children("players"):
        identity = node.text("id", most=KEY)
        node.once("id", identity, names.players)
        found.append((node, identity))
    return found


def player_facts(node: Node, identity: str, names: Names) -> PlayerFacts:
    return PlayerFacts(
        id=identity,
        name=node.text("name", most=NAME),
        romanized=node.text("romanized", most=NAME, needed=False),
        country=_country(node),
        club=node.text("club", most=NAME, needed=False),
        numbers=_numbers(node),
        division=_entered_in(node, identity, names),
        withdrawn=node.flag("withdrawn", default=False),
        substitute=node.flag("substitute", default=False),
        previous_rank=node.whole("previous_rank", least=1) if node.value.get("previous_rank") else None,
    )


def _country(node: Node) -> str:
    value = node.text("country", most=KEY, needed=False).upper()
    if value and not _COUNTRY_FORM.fullmatch(value):
        node.note("country", _("Write the country as two letters (ISO 3166), for example HK or JP."))
        return ""
    return value


def _numbers(node: Node) -> dict[str, str]:
    """Federation → number. ``ema_number`` has a field of its own; the others stand together."""
    found: dict[str, str] = {}
    if ema := node.text("ema_number", most=CODE, needed=False):
        found[FederationNumber.EMA] = ema
    others = node.object("federation_numbers", needed=False)
    if others is not None:
        _add_numbers(others, found)
    return dict(sorted(found.items()))


def _add_numbers(others: Node, found: dict[str, str]) -> None:
    for federation in others.value:
        plain = federation == tidy(federation) and not has_control_characters(federation)
        if not plain or not 0 < len(federation) <= 20:
            others.note(shown(federation), _("A federation's name has 1 to 20 visible characters."))
            continue
        number = others.text(federation, most=CODE)
        if number and found.setdefault(federation, number) != number:
            others.note(federation, _("“ema_number” says something else."))


def _entered_in(node: Node, identity: str, names: Names) -> str | None:
    """The division in which the player is entered; where the file does not say, the first they play in."""
    if "division" not in node.value:
        only = next(iter(names.divisions)) if len(names.divisions) == 1 else None
        return names.plays_in.get(identity, only)
    if node.value["division"] is None:
        return None
    slug = node.text("division", most=SLUG)
    if slug and slug not in names.divisions:
        node.note("division", _("There is no division “%(slug)s” in this file.") % {"slug": shown(slug)})
    return slug


def team_facts(node: Node, names: Names) -> TeamFacts:
    identity = node.text("id", most=KEY)
    node.once("id", identity, names.teams)
    members: list[str] = []
    for index, member in enumerate(node.items("players")):
        place = f"players[{index}]"
        if not isinstance(member, str) or tidy(member) not in names.players:
            node.note(place, _("There is no player “%(id)s” in “players”.") % {"id": shown(member)})
            continue
        members.append(tidy(member))
        spot = Node({}, node, place, node.problems)
        spot.once("", members[-1], names.in_team)
    return TeamFacts(id=identity, name=node.text("name", most=NAME), players=tuple(members))
