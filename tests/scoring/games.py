"""The players in the tests of standings."""

from scoring.presets import resolve

ALICE, BOB, CHARLIE, DANA, ERIN, FRANK = 1, 2, 3, 4, 5, 6
EMA = resolve("ema-2025")
SEATED = (ALICE, BOB, CHARLIE, DANA)
