"""The rules of the game in plain Python on frozen values, without queries or requests.

*Points* are the raw points of the score sheet (28700). *Scores* are in tenths: 1 = 0.1 score = 100 points.
*Winds* are the seats at the start, from 0 east (first dealer) to 3 north. *Places* are 1 to 4. This package
speaks in codes with parameters, which other packages turn into sentences.
"""
