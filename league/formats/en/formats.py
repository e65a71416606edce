"""Dates and times as English pages write them: as Django does, and the hours from 0 to 24."""

DATETIME_FORMAT = "N j, Y, H:i"
