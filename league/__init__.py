"""Competitions: leagues and events, their rounds, score sheets, penalties and standings."""
