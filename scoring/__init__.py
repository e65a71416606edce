"""How points become a score: the rules of the game in plain Python, on frozen values, with no query and no
request.

Terms: *points* are the raw points of the score sheet, whole numbers in points (28700). *Scores* are in tenths
(1 = 0.1 score = 100 points). *Winds* are the seats at the start, 0 east (the first dealer) to 3 north.
*Places* are 1 to 4. What a person reads is made elsewhere: this package speaks in codes with parameters.
"""
