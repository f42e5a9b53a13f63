from . import settings
