"""Penalties, from the referee's phone to the standings.

``views.log`` finds the place in the address and shows the offences with their sanctions
(``views.offence_choice``). ``forms`` reads the last step. ``services.plan`` asks the player's
record and the rules (``queries.referee``, ``penalty_rules.words.rulings``, ``scoring.escalation``), and
``services.log`` logs the penalty.
``bans.services`` takes an expelled player out. ``league.core.counted`` says which penalties count, and
the standings deduct these (``substitutions.queries.adjustments``).
"""
