from errors import (
    FieldError,
    ImproperlyConfigured,
    MultipleObjectsReturned,
    ObjectDoesNotExist,
    PermissionDenied,
    ValidationError,
)
