"""First and last names, which forms of federations ask for. A player here has one name."""


def split_name(name: str) -> tuple[str, str]:
    """Return (first name, LAST NAME). Either may be empty.

    A comma splits "Berg, Anna". Otherwise words in capitals are the last name (SATO Taro, Maria DE LA CRUZ).
    Without them it is the last word with the lower-case words before it (Jan van der Berg).
    """
    last, comma, first = name.partition(",")
    if comma:
        return first.strip(), last.strip().upper()
    words = name.split()
    loud = [word for word in words if len(word) > 1 and word.isupper()]
    if loud and len(loud) < len(words):
        return " ".join(word for word in words if word not in loud), " ".join(loud)
    start = len(words) - 1
    while start > 1 and words[start - 1][:1].islower():
        start -= 1
    return " ".join(words[:start]), " ".join(words[start:]).upper()
