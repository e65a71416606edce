"""Names of records, streaks and ratings."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.files.columns import AVERAGE, POINTS, SCORE, WHOLE
from scoring import statistics as kinds

# Record → its name, and the format of its value (``league.core.files.columns``).
RECORDS: Mapping[str, tuple[Promise, str]] = {
    kinds.HIGHEST_POINTS: (_("Highest points in one game"), POINTS),
    kinds.HIGHEST_SCORE: (_("Best score"), SCORE),
    kinds.LARGEST_LEAD: (_("Largest lead over second place"), POINTS),
    kinds.CLOSEST_WIN: (_("Closest first place"), POINTS),
    kinds.LOWEST_POINTS: (_("Lowest points in one game"), POINTS),
    kinds.MOST_GAMES: (_("Most games"), WHOLE),
    kinds.MOST_FIRSTS: (_("Most first places"), WHOLE),
    kinds.BEST_AVERAGE: (_("Best average score"), SCORE),
    kinds.BEST_AVERAGE_PLACE: (_("Best average place"), AVERAGE),
    kinds.FIRSTS: (_("First places in a row"), WHOLE),
    kinds.TOP_TWO: (_("First or second places in a row"), WHOLE),
    kinds.NO_FOURTH: (_("Games in a row without fourth place"), WHOLE),
}

STREAKS: Mapping[str, Promise] = {
    kinds.FIRSTS: pgettext_lazy("streak", "First places"),
    kinds.TOP_TWO: pgettext_lazy("streak", "First or second places"),
    kinds.NO_FOURTH: pgettext_lazy("streak", "Without fourth place"),
    kinds.FOURTHS: pgettext_lazy("streak", "Fourth places"),
}
