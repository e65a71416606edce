"""Dates and times on Japanese pages."""

DATE_FORMAT = "Y年n月j日"
DATETIME_FORMAT = "Y年n月j日 H:i"
YEAR_MONTH_FORMAT = "Y年n月"
