"""What several parts of a competition file share: who is named in it, widths, scores."""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from league.interchange.imports.nodes import LARGEST, Node, digits, shown
from scoring.units import parse_score

NAME, KEY, ZONE, REASON, CODE = 120, 64, 60, 300, 40  # characters, as in the database


@dataclass(slots=True)
class Names:
    """What the file has named so far, and what other parts of it refer to."""

    players: dict[str, Node] = field(default_factory=dict)
    teams: dict[str, Node] = field(default_factory=dict)
    in_team: dict[str, Node] = field(default_factory=dict)
    divisions: dict[str, Node] = field(default_factory=dict)
    plays_in: dict[str, str] = field(default_factory=dict)  # player → the first division in which they sit

    def has_left(self, player: str) -> bool:
        """Has this player of the file withdrawn?"""
        return player in self.players and self.players[player].value.get("withdrawn") is True

    def player(self, node: Node, key: str = "player") -> str:
        """The id of a player of the file, or empty (noted)."""
        value = node.text(key, most=KEY)
        if value and value not in self.players:
            node.note(key, _("There is no player “%(id)s” in “players”.") % {"id": shown(value)})
            return ""
        return value


def read_score(node: Node, key: str = "score") -> int:
    """Tenths of a number of score units with one decimal at most."""
    value = node.value.get(key)
    if value is None:
        node.note(key, _("This is missing."))
        return 0
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError(value)
        tenths = parse_score(value if isinstance(value, str) else repr(value))
        if abs(tenths) > LARGEST:
            raise ValueError(value)
    except ValueError:
        node.note(
            key,
            _("Write the score with one decimal at most, for example -20.0; not %(value)s.")
            % {"value": shown(value) if not isinstance(value, int) else digits(value)},
        )
        return 0
    return tenths
