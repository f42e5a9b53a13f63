"""The exceptions that scripts raise and catch, with the names, texts and attributes that Django gives them."""


def _of(module):
    def place(cls):
        cls.__module__ = module
        return cls

    return place


@_of("cadastre")
class Unsupported(Exception):
    """A feature of Django or NetBox that scripts cannot use here."""


@_of("django.core.exceptions")
class ObjectDoesNotExist(Exception):
    pass


@_of("django.core.exceptions")
class MultipleObjectsReturned(Exception):
    pass


@_of("django.core.exceptions")
class FieldError(Exception):
    pass


@_of("django.core.exceptions")
class PermissionDenied(Exception):
    pass


@_of("django.core.exceptions")
class ImproperlyConfigured(Exception):
    pass


@_of("django.db.utils")
class DatabaseError(Exception):
    pass


@_of("django.db.utils")
class IntegrityError(DatabaseError):
    pass


@_of("django.urls.exceptions")
class NoReverseMatch(Exception):
    pass


@_of("django.db.models.deletion")
class ProtectedError(IntegrityError):
    def __init__(self, message, protected_objects):
        super().__init__(message, protected_objects)
        self.protected_objects = protected_objects


@_of("django.db.models.deletion")
class RestrictedError(IntegrityError):
    pass


@_of("utilities.exceptions")
class AbortScript(Exception):
    pass


@_of("utilities.exceptions")
class AbortRequest(Exception):
    def __init__(self, message):
        super().__init__(message)
        self.message = message


@_of("utilities.exceptions")
class AbortTransaction(Exception):
    """Raised to undo what a script has done."""


@_of("utilities.exceptions")
class PermissionsViolation(Exception):
    message = "Operation failed due to object-level permissions violation"

    def __init__(self, message=None):
        super().__init__(message or self.message)
        self.message = message or self.message


@_of("utilities.exceptions")
class RQWorkerNotRunningException(Exception):
    pass


@_of("rq.timeouts")
class JobTimeoutException(Exception):
    pass


@_of("django.core.exceptions")
class ValidationError(Exception):
    """Messages: one, a list, or lists by field."""

    def __init__(self, message, code=None, params=None):
        super().__init__(message, code, params)
        self.code = code
        self.params = params
        if isinstance(message, ValidationError):
            message = message.message_dict if hasattr(message, "error_dict") else message.messages
        if isinstance(message, dict):
            self.error_dict = {field: _texts(value) for field, value in message.items()}
        else:
            self.error_list = _texts(message % params if params and isinstance(message, str) else message)
            if len(self.error_list) == 1:
                self.message = self.error_list[0]

    @property
    def message_dict(self):
        return {field: list(texts) for field, texts in self.error_dict.items()}

    @property
    def messages(self):
        return (
            [text for texts in self.error_dict.values() for text in texts]
            if hasattr(self, "error_dict")
            else list(self.error_list)
        )

    def __iter__(self):
        return iter(self.message_dict.items() if hasattr(self, "error_dict") else self.error_list)

    def __str__(self):
        return repr(self.message_dict if hasattr(self, "error_dict") else self.error_list)

    def __repr__(self):
        return f"ValidationError({self})"


def _texts(value):
    if isinstance(value, ValidationError):
        return value.messages
    if isinstance(value, (list, tuple)):
        return [text for item in value for text in _texts(item)]
    return [str(value)]
