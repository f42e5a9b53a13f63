"""Sets of choices as classes, as scripts list them for a variable: made of what the service tells of its fields."""

import re
import sys

import session


class ChoiceSetMeta(type):
    def __new__(cls, name, bases, names):
        kind = super().__new__(cls, name, bases, names)
        rows = list(getattr(kind, "CHOICES", ()))
        kind._choices = [
            (row[0], [tuple(choice[:2]) for choice in row[1]] if isinstance(row[1], (list, tuple)) else row[1]) for row in rows
        ]
        kind.colors = {choice[0]: choice[2] for choice in unpack_grouped_choices(rows) if len(choice) == 3 and choice[2]}
        return kind

    def __call__(cls, *arguments, **options):
        return cls._choices

    def __iter__(cls):
        return iter(cls._choices)


def unpack_grouped_choices(choices):
    return [choice for row in choices for choice in (row[1] if isinstance(row[1], (list, tuple)) else [row])]


class ChoiceSet(metaclass=ChoiceSetMeta):
    """Values with their labels."""

    CHOICES = ()

    @classmethod
    def values(cls):
        return [choice[0] for choice in unpack_grouped_choices(cls._choices)]


def choice_set(module, name, rows, constants):
    rows = [tuple(row) for row in rows]
    return ChoiceSetMeta(name, (ChoiceSet,), {"__module__": module, "CHOICES": rows, **constants})


def publish(module, **special):
    """Adds the classes of an app's choices to its module `choices`. `special`: what the rules do not give (`named`)."""
    app = module.partition(".")[0]
    sets = session.current.facts["choices"]
    fields = {facts["class"]: field for field, facts in sets.items() if field.startswith(f"{app}.")}
    for name in {**fields, **special}:
        field, prefix, constants = special.get(name, named())
        facts = sets.get(field or fields.get(name))
        if facts is not None:
            start = facts["prefix"] if prefix is None else prefix
            constants = {**constants_of(start, [row[0] for row in facts["rows"]]), **constants}
            setattr(sys.modules[module], name, choice_set(module, name, facts["rows"], constants))


def named(field=None, prefix=None, **constants):
    """What NetBox calls a class or its constants where that does not follow from the field."""
    return field, prefix, constants


def constants_of(prefix, values):
    """Constants by name: `TYPE_IEC_60320_C13`, and `TYPE_IEC_C13` in NetBox's own spelling."""
    constants = {}
    for value in values:
        name = spelled = re.sub(r"[^A-Z0-9]+", "_", str(value).upper()).strip("_")
        for pattern, spelling in SPELLINGS:
            spelled = re.sub(pattern, spelling, spelled)
        constants |= {f"{prefix}_{text}" if prefix else text: value for text in (name, UNITS.get(value, spelled))}
    return constants


UNITS = {
    **{"km": "KILOMETER", "m": "METER", "cm": "CENTIMETER", "mm": "MILLIMETER", "mi": "MILE", "ft": "FOOT", "in": "INCH"},
    **{"kg": "KILOGRAM", "g": "GRAM", "lb": "POUND", "oz": "OUNCE"},
}

# How NetBox's constants spell the values of interfaces, plugs and algorithms.
SPELLINGS = [
    (r"^100BASE_", "100ME_"),
    (r"^1000BASE_", "1GE_"),
    (r"^1_6TBASE_", "1TE_"),
    (r"^(\d+)(_5)?GBASE_", r"\1GE_"),
    (r"^(\d+[GMT]E)_X_", r"\1_"),
    (r"FP(P|DD)(?=\d*$)", lambda match: "FP_PLUS" if match[1] == "P" else "FP_DD"),
    (r"^IEEE802_(\d+)_?(?=\w+$)", r"802\1"),
    (r"^(CISCO|EXTREME)_", ""),
    (r"(STACKWISE|SUMMITSTACK)_(?=\d)", r"\1"),
    (r"^IEC_60320_", "IEC_"),
    (r"^IEC_60309_(.+)", lambda match: f"IEC_{match[1].replace('_', '')}"),
    (r"^NEMA_(L?\d+)_", r"NEMA_\1"),
    (r"^AES_", "AES"),
    (r"^(RJ|DE|DB)_(?=\d)", r"\1"),
    (r"^TERA_", "TERA"),
    (r"^(EVP|EP)_", r"\1"),
]

COLOURS = {
    label: value
    for value, label in [
        *[("aa1409", "Dark Red"), ("f44336", "Red"), ("e91e63", "Pink"), ("ffe4e1", "Rose"), ("ff66ff", "Fuchsia")],
        *[("9c27b0", "Purple"), ("673ab7", "Dark Purple"), ("3f51b5", "Indigo"), ("2196f3", "Blue"), ("03a9f4", "Light Blue")],
        *[("00bcd4", "Cyan"), ("009688", "Teal"), ("00ffff", "Aqua"), ("2f6a31", "Dark Green"), ("4caf50", "Green")],
        *[("8bc34a", "Light Green"), ("cddc39", "Lime"), ("ffeb3b", "Yellow"), ("ffc107", "Amber"), ("ff9800", "Orange")],
        *[("ff5722", "Dark Orange"), ("795548", "Brown"), ("c0c0c0", "Light Grey"), ("9e9e9e", "Grey"), ("607d8b", "Dark Grey")],
        *[("111111", "Black"), ("ffffff", "White")],
    ]
}
ColorChoices = choice_set(
    "netbox.choices",
    "ColorChoices",
    [(value, label) for label, value in COLOURS.items()],
    {f"COLOR_{label.upper().replace(' ', '_')}": value for label, value in COLOURS.items()},
)
LEVELS = ("debug", "info", "success", "warning", "failure")
LogLevelChoices = choice_set(
    "extras.choices",
    "LogLevelChoices",
    [(level, level.title()) for level in LEVELS],
    {f"LOG_{level.upper()}": level for level in LEVELS},
)
