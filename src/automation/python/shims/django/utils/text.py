import re as _re
import unicodedata as _unicodedata


def slugify(value, allow_unicode=False):
    """As Django: ASCII letters, digits, underscores and hyphens."""
    text = str(value)
    if not allow_unicode:
        text = _unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return _re.sub(r"[-\s]+", "-", _re.sub(r"[^\w\s-]", "", text.lower())).strip("-_")
