"""`extras.validators`: rules that an installation writes in Python, applied before a write is committed."""

import importlib
import inspect
import re

import errors


class CustomValidator:
    """Rules for the values of an object, and whatever `validate` adds to them."""

    def __init__(self, validation_rules=None):
        self.validation_rules = validation_rules or {}

    def __call__(self, instance, request=None):
        for path, checks in self.validation_rules.items():
            messages = [text for name, limit in checks.items() for text in broken(name, limit, value_at(instance, request, path))]
            if messages:
                raise errors.ValidationError(f"Custom validation failed for {path}: {messages}")
        try:
            inspect.signature(self.validate).bind(instance, request)
        except TypeError:
            # Validators of older releases take only the object.
            self.validate(instance)
        else:
            self.validate(instance, request)

    def validate(self, instance, request):
        """Raises ValidationError, most easily by `fail`, if the object is not valid."""

    def fail(self, message, field=None):
        raise errors.ValidationError(message if field is None else {field: message})


def value_at(instance, request, path):
    first, _, rest = path.partition(".")
    value = request if first == "request" else getattr(instance, first)
    for name in filter(None, rest.split(".")):
        value = getattr(value, name, None)
    return value


def broken(name, limit, value):
    """Messages of one rule for a value."""
    if name not in CHECKS:
        raise errors.ImproperlyConfigured(f"Unknown validation type: {name}")
    holds, message = CHECKS[name]
    length = len(value) if hasattr(value, "__len__") else 0
    return [] if holds(value, limit) else [message.format(limit=limit, length=length)]


def is_empty(value):
    return value is None or value == "" or (hasattr(value, "exists") and not value.exists())


# Whether a value meets a limit, and what is said if it does not.
CHECKS = {
    "min": (lambda value, limit: value is None or value >= limit, "Ensure this value is greater than or equal to {limit}."),
    "max": (lambda value, limit: value is None or value <= limit, "Ensure this value is less than or equal to {limit}."),
    "min_length": (
        lambda value, limit: value is None or len(value) >= limit,
        "Ensure this value has at least {limit} characters (it has {length}).",
    ),
    "max_length": (
        lambda value, limit: value is None or len(value) <= limit,
        "Ensure this value has at most {limit} characters (it has {length}).",
    ),
    "regex": (lambda value, limit: re.search(limit, str(value or "")) is not None, "Enter a valid value."),
    "required": (lambda value, limit: not limit or not is_empty(value), "This field must not be empty."),
    "prohibited": (lambda value, limit: not limit or is_empty(value), "This field must be empty."),
    "eq": (lambda value, limit: equal(value, limit), "Ensure this value is equal to {limit}."),
    "neq": (lambda value, limit: not equal(value, limit), "Ensure this value does not equal {limit}."),
}


def equal(value, limit):
    return str(value) == limit if isinstance(limit, str) else value == limit


def errors_of(host, job, item):
    """Messages by field of the first validator that refuses the object."""
    session = host.connection
    cls = session.classes[item["model"]]
    instance = cls._of_row({**cls._defaults(), **item["row"]}, [], session.writes)
    instance._changed.update(dict.fromkeys(item["row"], True))
    from host import Request, import_for_script

    request = Request(job["request"]) if job["request"] else None
    for name in item["validators"]:
        module, _, cls_name = name.rpartition(".")
        loaded = import_for_script(module) if "." not in module else importlib.import_module(module)
        validator = getattr(loaded, cls_name)()
        try:
            validator(instance, request)
        except errors.ValidationError as error:
            return error.message_dict if hasattr(error, "error_dict") else {"__all__": error.messages}
    return {}
