"""Competitions: leagues and events, their rounds, score sheets, penalties and standings."""

VERSION = "0.9.0"  # raised with each release in CHANGELOG.md
