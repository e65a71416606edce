"""Every worked example of `tests/data/seed_examples.json`, by its id, through our functions.

The expected values are those of the file; what a test adds is a table or a hand on which the example can be
tried. Points in points, scores in tenths; seats 0 to 3, east to north.
"""
