"""Random events, from the first entrant to the final, through the services; looked at after every round.

``python -m tests.simulation --events 5000 --seed 1`` plays so many in a database that is thrown away, and
names the seed of each in which something does not agree. The same seed plays the same event.

After each round: the independent checker finds nothing in the plan as the database has it; no one who left
has a seat; those who sit out are those without one; and the order of the standings, of the page, of the cut
and of the next pairing is one, that which `tests.reckoning` finds by hand in what was done.

``--clubs`` plays seasons of clubs, ``--teams`` those of teams, ``--referees`` days of refereeing.
"""
