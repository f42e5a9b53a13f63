import session as _session


class _Settings(dict):
    """The settings that the service has, and those that Django has in each installation of NetBox."""

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(f"'Settings' object has no attribute '{name}'")


settings = _Settings(
    LANGUAGE_CODE="en-us",
    USE_I18N=True,
    USE_L10N=True,
    LANGUAGES=(),
    DATE_FORMAT="N j, Y",
    DATETIME_FORMAT="N j, Y g:i a",
    TIME_FORMAT="g:i a",
    SHORT_DATE_FORMAT="Y-m-d",
    SHORT_DATETIME_FORMAT="Y-m-d H:i",
    SHORT_TIME_FORMAT="H:i:s",
    FIRST_DAY_OF_WEEK=0,
    DECIMAL_SEPARATOR=".",
    THOUSAND_SEPARATOR=",",
    USE_THOUSAND_SEPARATOR=False,
    DEFAULT_CHARSET="utf-8",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    STATIC_URL="/static/",
    MEDIA_URL="/media/",
)
settings.update(_session.current.facts["settings"])
