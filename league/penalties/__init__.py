"""Penalties, from the referee's phone to the standings.

1. ``views.where`` finds the place that the address names: a table, or a stage away from the tables.
2. ``views.log`` shows its taps (``views.offence_choice``: what each offence comes to) and takes the last one.
3. ``forms`` reads what was sent: an offence of the penalty rules, or a reason and a deduction.
4. ``services`` logs, takes back, decides and revokes. It asks ``queries.referee`` for the player's record and
   for what the penalty rules ask for (``league.penalty_rules.words.rulings``, ``scoring.escalation``).
5. ``league.bans.services`` takes the player out where the level expels.
6. ``league.core.counted`` says which penalties count; the standings deduct those
   (``league.substitutions.queries.adjustments``, ``league.standings.queries.standings``).

``views.desk`` and ``queries.desk`` are the referee's desk. ``views.list``, ``queries.list`` and ``exports``
show all penalties of a competition. ``words`` says them in the reader's language.
"""
