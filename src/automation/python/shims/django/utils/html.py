import html as _html
import re as _re

from .safestring import SafeString as _SafeString


def escape(text):
    return _SafeString(text if isinstance(text, _SafeString) else _html.escape(str(text)))


def format_html(pattern, *arguments, **values):
    return _SafeString(pattern.format(*map(escape, arguments), **{name: escape(value) for name, value in values.items()}))


def strip_tags(text):
    return _re.sub(r"<[^>]*>", "", str(text))
