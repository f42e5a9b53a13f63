from django.conf import settings as _settings

globals().update(_settings)
