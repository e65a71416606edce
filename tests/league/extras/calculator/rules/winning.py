"""Winning hands for tests: the tiles in the usual notation, the rule set by its slug or with changes."""

from league.extras.calculator.rules import NoWin, Reading, Situation, Valued, evaluate, parse_hand
from scoring.presets import resolve
from scoring.rules import LOCAL_YAKU, Rules

# Every yaku there is, each worth what the registry says.
EVERYTHING = resolve(
    "tenhou",
    {"local_yaku": list(LOCAL_YAKU), "double_yakuman": True, "renhou": "yakuman", "kokushi_ankan_ron": True},
)


def tenhou(**overrides: object) -> Rules:
    return resolve("tenhou", overrides)


def found(text: str, win: str, rules: Rules | None = None, /, **facts: object) -> Valued | NoWin:
    """What `evaluate` says of a south player's ron in the east round, unless `facts` say otherwise."""
    usual: dict[str, object] = {"seat_wind": 1, "round_wind": 0, "tsumo": False}
    situation = Situation(**{**usual, **facts})  # type: ignore[arg-type]
    return evaluate(parse_hand(text, win), situation, tenhou() if rules is None else rules)


def best(text: str, win: str, rules: Rules | None = None, /, **facts: object) -> Reading:
    value = found(text, win, rules, **facts)
    assert isinstance(value, Valued), value
    return value.best


def yaku(text: str, win: str, rules: Rules | None = None, /, **facts: object) -> dict[str, int]:
    """The yaku of the best reading with their han, or with the multiples of a yakuman."""
    return {each.code: each.yakuman or each.han for each in best(text, win, rules, **facts).yaku}


def reasons(text: str, win: str, rules: Rules | None = None, /, **facts: object) -> list[tuple[str, dict]]:
    """Why the hand does not win."""
    value = found(text, win, rules, **facts)
    assert isinstance(value, NoWin), value
    return [(reason.code, dict(reason.params)) for reason in value.reasons]
