from . import timezone
