"""The steps of a dispute: their order, who may take them, and the text that they need.

The steps are those of the HKMA (罰則總則, the procedure that follows level 6): 爭議, 初步裁決, 恢復比賽,
異議溝通, 裁決會議, 最終裁決. Play resumes after the preliminary ruling if no one objects. An objection may
come before that or after. A final ruling closes the dispute without objection.
"""

from collections.abc import Mapping
from typing import Final

from league.models import Dispute

Step = Dispute.Step

FOLLOWS: Final[Mapping[str, tuple[str, ...]]] = {
    Step.OPENED: (Step.PRELIMINARY,),
    Step.PRELIMINARY: (Step.RESUMED, Step.OBJECTION),
    Step.RESUMED: (Step.OBJECTION,),
    Step.OBJECTION: (Step.MEETING,),
    Step.MEETING: (Step.FINAL,),
    Step.FINAL: (),
}
RULING: Final = frozenset({Step.PRELIMINARY, Step.FINAL})  # the referees decide
CLOSABLE: Final = frozenset({Step.RESUMED})  # when no one objects
PAUSES: Final = frozenset({Step.OPENED, Step.OBJECTION})  # the table cannot play
RESUMES: Final = frozenset({Step.RESUMED, Step.FINAL})
BY_PLAYERS: Final = frozenset({Step.OBJECTION})  # a player of the table may take it, as a referee may
# The referees discuss among themselves (內部討論): the players hear that they met, not what was said.
INTERNAL: Final = frozenset({Step.MEETING})
NEEDED: Final[Mapping[str, str]] = {  # the text without which a step says nothing
    Step.PRELIMINARY: "decided",
    Step.OBJECTION: "said",
    Step.MEETING: "said",
    Step.FINAL: "decided",
}
