"""Penalties as the pages of rounds, tables and players list them."""

from collections.abc import Iterable
from dataclasses import dataclass

from league.models import Penalty, RuleSet
from league.penalty_rules.words.rulings import PenaltyRules, level_name, penalty_rules_of


@dataclass(frozen=True, slots=True)
class PenaltyLine:
    """A penalty in words: the offence and its article in the rule book, and the level."""

    penalty: Penalty
    offence: str
    article: str
    level: str


def penalty_line(penalty: Penalty, book: PenaltyRules) -> PenaltyLine:
    book = book.wording(penalty.infraction, penalty.level)
    return PenaltyLine(
        penalty=penalty,
        offence=book.offence(penalty.infraction),
        article=book.article(penalty.infraction),
        level=level_name(penalty.level, book),
    )


def penalty_lines(penalties: Iterable[Penalty], rule_set: RuleSet) -> list[PenaltyLine]:
    book = penalty_rules_of(rule_set)
    return [penalty_line(penalty, book) for penalty in penalties]
