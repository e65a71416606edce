"""An entry of a league's own penalty rules."""

SMOKING = {
    "code": "H-1",
    "category": "D",
    "names": {"en": "Smoking at the table"},
    "who": "offender",
    "article": "House rules 4",
    "lines": "",
    "variants": [{"levels": ["2"], "deduction": 20, "win_ban": False}],
}
