"""By what a competition file names what it says: used while its parts are written one after the other."""

StageKey = tuple[str, str]  # slugs of division and stage
RoundKey = tuple[str, str, int]  # and the round's number
TableKey = tuple[str, str, int, int]  # and the table's

CHUNK = 2000  # rows written at a time: memory stays flat, and progress is seen
