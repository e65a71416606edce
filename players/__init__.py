"""People: players and clubs. Knows nothing of competitions."""
