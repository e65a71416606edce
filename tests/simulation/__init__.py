"""Play random events from the first entrant to the final through the services, and check them after every
round.

``python -m tests.simulation --events 5000 --seed 1`` plays 5,000 events in a temporary database and names the
seed of each event with a discrepancy. The same seed plays the same event.

The checks after each round: the independent checker accepts the plan in the database. Nobody who left has a
seat. Exactly the players without a seat sit out. Standings, page, cut and next pairing have the same order,
and `tests.reckoning` finds it too.

Each event has one of the 16 rule sets, some of its settings changed: ties, what does not divide, rounding,
deposits, sashiuma, chips, the length of games. Points are often equal for two, three or four players. Some
stages count the first or best hanchan, or the average.

``--clubs`` plays seasons of clubs, ``--teams`` those of teams, ``--referees`` days of refereeing.
"""
