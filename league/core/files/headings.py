"""What people call rounds, tables, seats and winds in lists of games (``games.tsv``)."""

from pathlib import Path

from players.headings import read_headings
from scoring.units import WINDS

GAME_FIELDS = read_headings(Path(__file__).with_name("games.tsv"))  # folded heading → field
WIND_OF = {heading: WINDS.index(name) for heading, name in GAME_FIELDS.items() if name in WINDS}
