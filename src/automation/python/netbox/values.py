"""Values of fields: what Django says of wrong ones, and the objects that texts of answers become."""

import datetime
import decimal

import netaddr

from errors import ValidationError
from objects import hardware_address, read


def field_error(facts, value, labels):
    """Why a single value is not valid, in Django's words."""
    kind = facts["kind"]
    if kind not in ("text", "choice", "integer", "decimal", "foreignKey", "address", "network", "boolean"):
        return None
    if value is None or value == "" and kind != "boolean":
        if not facts.get("required"):
            return None
        return "This field cannot be null." if value is None and kind != "choice" else "This field cannot be blank."
    if kind == "choice":
        return None if str(value) in (labels or {}) else f"Value {value!r} is not a valid choice."
    if kind == "text":
        length = len(str(value))
        if facts.get("format") == "slug" and not str(value).replace("-", "").replace("_", "").isalnum():
            return "Enter a valid “slug” consisting of letters, numbers, underscores or hyphens."
        if "max" in facts and length > facts["max"]:
            return f"Ensure this value has at most {facts['max']} characters (it has {length})."
    if kind in ("integer", "decimal"):
        try:
            number = int(value) if kind == "integer" else decimal.Decimal(str(value))
        except (ValueError, TypeError, decimal.InvalidOperation):
            return f"“{value}” value must be an integer." if kind == "integer" else f"“{value}” value must be a decimal number."
        low, high = facts.get("range") or (None, None)
        as_text = (lambda limit: limit) if kind == "integer" else float
        if low is not None and number < low:
            return f"Ensure this value is greater than or equal to {as_text(low)}."
        if high is not None and number > high:
            return f"Ensure this value is less than or equal to {as_text(high)}."
    return None


def network_of(name, value):
    try:
        return netaddr.IPNetwork(value)
    except (netaddr.AddrFormatError, ValueError):
        raise ValidationError({name: [f"Invalid IP address format: {value}"]}) from None


def hardware_of(name, value):
    try:
        return hardware_address(str(netaddr.EUI(value, dialect=netaddr.mac_unix_expanded)).upper())
    except (netaddr.AddrFormatError, ValueError):
        raise ValidationError({name: [f"Invalid MAC address format: {value}"]}) from None


# What the service marks with the type of a value, which JSON lacks.
MARKED = {
    "decimal": decimal.Decimal,
    "moment": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
    "json": lambda value: value,
}


def unmarked(value):
    """A value of an expression, with the type that the service tells."""
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    return MARKED[kind](content)


def value_of(kind, value):
    """A value at the end of a path, as the objects have it."""
    if isinstance(value, dict):
        return unmarked(value)
    return read(kind, value) if kind not in (None, "genericForeignKey", "objectType") else value


def slug_of(name):
    return "".join(one if one.isalnum() else "-" for one in name.lower()).strip("-")
