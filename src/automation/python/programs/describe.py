"""Describes the scripts of a module as JSON: what they ask for, and how they may be run."""

import forms
from script import is_report, scripts_of
from variables import KINDS, ScriptVariable

# Names of the options of a variable by those of form fields.
OPTIONS = {
    "label": "label",
    "help_text": "description",
    "required": "required",
    "min_length": "minLength",
    "max_length": "maxLength",
    "regex": "pattern",
    "min_value": "min",
    "max_value": "max",
    "max_digits": "maxDigits",
    "decimal_places": "decimalPlaces",
    "query_params": "queryParams",
    "null_option": "nullOption",
    "min_prefix_length": "minPrefixLength",
    "max_prefix_length": "maxPrefixLength",
}
WIDGETS = ("PasswordInput", "HiddenInput", "Textarea", "RadioSelect", "CheckboxSelectMultiple")


def describe(module):
    """The description of the scripts of a loaded module."""
    name = getattr(module, "name", None)
    return {
        "name": str(name) if name is not None else None,
        "scripts": [describe_script(cls) for cls in scripts_of(module).values()],
    }


def describe_script(cls):
    fieldsets = cls.fieldsets
    return {
        "className": cls.__name__,
        "name": text_or(cls.name, cls.__name__),
        "description": text_or(cls.description, ""),
        "isReport": is_report(cls),
        "variables": {name: describe_variable(variable) for name, variable in cls._get_vars().items()},
        "fieldsets": [[str(label), list(names)] for label, names in fieldsets] if fieldsets else None,
        "commitDefault": bool(cls.commit_default),
        "schedulingEnabled": bool(cls.scheduling_enabled),
        "timeout": plain(cls.job_timeout),
        "notificationsDefault": plain(cls.notifications_default),
    }


def text_or(value, default):
    """An attribute of a class may have the name of one of its variables."""
    return default if value is None or isinstance(value, ScriptVariable) else str(value)


def describe_variable(variable):
    attributes = variable.field_attrs
    kind = next((base for base in KINDS if isinstance(variable, base)), KINDS[0])
    described = {"type": kind.__name__, "className": type(variable).__name__}
    described |= {OPTIONS[name]: plain(value) for name, value in attributes.items() if name in OPTIONS}
    if attributes.get("initial") is not None:
        described["default"] = plain(attributes["initial"])
    if "choices" in attributes:
        described["choices"] = choices_of(attributes["choices"])
    if "model" in attributes:
        described["model"] = attributes["model"]._meta.label_lower
    return described | widget_of(attributes.get("widget"))


def widget_of(widget):
    """The control that a script asks for, and its HTML attributes."""
    cls = widget if isinstance(widget, type) else type(widget)
    name = next((name for name in WIDGETS if issubclass(cls, getattr(forms, name))), None)
    attrs = {str(key): plain(value) for key, value in getattr(widget, "attrs", {}).items()}
    return ({"widget": name} if name else {}) | ({"attrs": attrs} if attrs else {})


def choices_of(choices):
    """Pairs of value and label; a group is a pair of its label and its pairs."""
    pairs = choices() if callable(choices) and not isinstance(choices, type) else choices
    return [
        [str(value), choices_of(label)] if isinstance(label, (list, tuple)) else [plain(value), str(label)]
        for value, label in (pairs.items() if isinstance(pairs, dict) else pairs)
    ]


def plain(value):
    """The value as JSON: an object as its id, and what JSON lacks as text."""
    if callable(value) and not isinstance(value, type):
        value = value()
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str(value)
    if hasattr(value, "pk"):
        return plain(value.pk)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "__iter__") and not hasattr(value, "prefixlen"):
        return [plain(item) for item in value]
    return str(value)
