from datetime import datetime, timedelta
from datetime import timezone as _timezone
from zoneinfo import ZoneInfo

utc = _timezone.utc


def now():
    return datetime.now(utc)


def localtime(value=None, timezone=None):
    return (value or now()).astimezone(timezone or utc)


def localdate(value=None, timezone=None):
    return localtime(value, timezone).date()


def make_aware(value, timezone=None):
    return value.replace(tzinfo=timezone or utc)


def make_naive(value, timezone=None):
    return value.astimezone(timezone or utc).replace(tzinfo=None)


def is_aware(value):
    return value.utcoffset() is not None


def is_naive(value):
    return value.utcoffset() is None


def get_current_timezone():
    return utc
