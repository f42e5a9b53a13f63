from django.conf import settings as _settings


def get_config():
    return _settings
