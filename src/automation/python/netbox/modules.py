"""What scripts can import of Django and NetBox: modules that exist only here, and their names.

A module is a table of names. A name that is missing fails with a sentence that says which; so does a module, because
nothing of Django or NetBox is installed.
"""

import datetime
import functools
import html
import importlib.abc
import importlib.machinery
import json
import os
import re
import sys
import types
import unicodedata
import zoneinfo

import content_types
import errors
import expressions
import orm
import query_sets

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = {
    *["django", "netbox", "utilities", "extras", "dcim", "ipam", "circuits", "tenancy", "virtualization", "vpn", "wireless"],
    *["users", "core", "account"],
}


def install(session, facts):
    """Makes the modules importable. `facts`: what the service says about itself, its settings and its choices."""
    names = json.loads(open(os.path.join(HERE, "names.json"), encoding="utf-8").read())
    places = {f"{module.partition('.')[0]}.{cls}": module for module, classes in names["modules"].items() for cls in classes}
    orm.build(session, places)
    table = tables(session, facts, names)
    sys.meta_path.insert(0, Finder(table))
    # Forms are written like scripts: they import from these modules.
    import forms

    for module, listed in forms.MODULES.items():
        table[module] = {**table.get(module, {}), **{one: getattr(forms, one) for one in listed}}
    return table


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of the table, and says of others in the same packages that they are not supported."""

    def __init__(self, table):
        self.table = table

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in PACKAGES:
            return None
        if name not in self.table and not self._has_parts(name):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def _has_parts(self, name):
        return any(one.startswith(f"{name}.") for one in self.table)

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        content = self.table.get(module.__name__, {})
        module.__dict__.update(content() if callable(content) else content)
        module.__dict__.setdefault("__all__", [one for one in module.__dict__ if not one.startswith("_")])


class Module(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"module '{self.__name__}' has no '{name}' that scripts can use here")


def tables(session, facts, names):
    choice_classes = choices_by_module(facts["choices"], names["choices"])
    choice_set = choice_classes["utilities.choices"]["ChoiceSet"]
    classes = session.classes
    apps = {}
    for name, cls in classes.items():
        apps.setdefault(name.partition(".")[0], {})[cls.__name__] = cls
    settings = Settings(facts["settings"])
    core = {
        name: getattr(errors, name)
        for name in (
            "ObjectDoesNotExist",
            "MultipleObjectsReturned",
            "FieldError",
            "PermissionDenied",
            "ValidationError",
            "ImproperlyConfigured",
        )
    }
    database = {"IntegrityError": errors.IntegrityError, "DatabaseError": errors.DatabaseError, "Error": errors.DatabaseError}
    transaction = transaction_of(session)
    table = {
        "django": {"VERSION": (6, 1, 0, "final", 0)},
        "django.conf": {"settings": settings},
        "django.contrib.auth": {"get_user_model": lambda: classes["users.user"]},
        "django.contrib.auth.models": {"User": classes["users.user"], "Group": classes["users.group"]},
        "django.contrib.contenttypes.models": {"ContentType": content_types.ContentType},
        "django.core.exceptions": core,
        "django.core.validators": validators,
        "django.db": {
            **database,
            "transaction": transaction,
            "connection": transaction.get_connection(),
            "models": LazyModule("django.db.models"),
        },
        "django.db.utils": {**database},
        "django.db.transaction": {name: getattr(transaction, name) for name in TRANSACTION},
        "django.db.models": {
            **expression_names(),
            **expressions.output_fields_named(facts["fieldTypes"]),
            "ProtectedError": errors.ProtectedError,
            "RestrictedError": errors.RestrictedError,
            "QuerySet": query_sets.Selection,
            "Model": orm.Model,
            "ObjectDoesNotExist": errors.ObjectDoesNotExist,
        },
        "django.db.models.deletion": {"ProtectedError": errors.ProtectedError, "RestrictedError": errors.RestrictedError},
        "django.db.models.functions": expressions.functions_named(facts["functions"]),
        "django.db.models.query": {"QuerySet": query_sets.Selection, "Prefetch": expressions.Prefetch},
        "django.template.defaultfilters": {"slugify": slugify},
        "django.urls": {"reverse": reverse_of(session), "NoReverseMatch": errors.NoReverseMatch},
        "django.utils.functional": {"cached_property": functools.cached_property},
        "django.utils.html": {
            "escape": escape,
            "format_html": format_html,
            "strip_tags": lambda text: re.sub(r"<[^>]*>", "", str(text)),
        },
        "django.utils.safestring": {"mark_safe": SafeString, "SafeString": SafeString},
        "django.utils.text": {"slugify": slugify},
        "django.utils.timezone": timezone_names(),
        "django.utils": {"timezone": LazyModule("django.utils.timezone")},
        "django.utils.translation": {name: str for name in ("gettext", "gettext_lazy", "_")},
        "django.utils.dateparse": {"parse_date": datetime.date.fromisoformat, "parse_datetime": datetime.datetime.fromisoformat},
        "netbox": {"settings": LazyModule("netbox.settings")},
        "netbox.settings": dict(settings),
        "netbox.config": {"get_config": lambda: settings},
        "utilities.exceptions": {name: getattr(errors, name) for name in NETBOX_EXCEPTIONS},
        "utilities.data": {"deepmerge": deepmerge, "shallow_compare_dict": shallow_compare_dict},
        "utilities.utils": {"deepmerge": deepmerge},
        "utilities.permissions": {"get_permission_for_model": permission_name},
        "utilities.querysets": {"RestrictedQuerySet": query_sets.Selection},
        "extras.scripts": lambda: script_names(("BaseScript", "Script", "get_module_and_script"), errors.AbortScript),
        "extras.reports": lambda: script_names(("Report",), errors.AbortScript),
        "extras.validators": lambda: {"CustomValidator": LazyModule("validators").CustomValidator},
        **{f"{app}.models": models for app, models in apps.items()},
        **constants(choice_classes),
        **choice_classes,
    }
    for module, listed in names["modules"].items():
        app = module.partition(".")[0]
        table[module] = {one: apps[app][one] for one in listed if one in apps[app]}
    table["utilities.choices"]["unpack_grouped_choices"] = lambda choices: choice_set.flat(choices)
    return table


class LazyModule:
    """A module of this package or of the table, imported when somebody needs it."""

    def __init__(self, name):
        self.__dict__["_name"] = name

    def __getattr__(self, name):
        return getattr(importlib.import_module(self._name), name)


def script_names(wanted, abort):
    script = importlib.import_module("script")
    variables = importlib.import_module("variables")
    names = {name: getattr(script, name) for name in wanted if hasattr(script, name)}
    kinds = {name: value for name, value in vars(variables).items() if name.endswith("Var") or name == "ScriptVariable"}
    return {**names, **kinds, "AbortScript": abort, "slugify": slugify, "_": str}


def expression_names():
    names = ("F", "Q", "Value", "Count", "Sum", "Avg", "Min", "Max", "Aggregate", "Prefetch")
    names += ("Case", "When", "ExpressionWrapper")
    return {name: getattr(expressions, name) for name in names}


# Choices


class ChoiceSetMeta(type):
    def __new__(cls, name, bases, names):
        kind = super().__new__(cls, name, bases, names)
        rows = list(getattr(kind, "CHOICES", ()))
        kind._choices = [
            (row[0], [tuple(one[:2]) for one in row[1]] if isinstance(row[1], (list, tuple)) else row[1]) for row in rows
        ]
        flat = [one for row in rows for one in (row[1] if isinstance(row[1], (list, tuple)) else [row])]
        kind.colors = {one[0]: one[2] for one in flat if len(one) == 3 and one[2]}
        return kind

    def __call__(cls, *arguments, **options):
        return cls._choices

    def __iter__(cls):
        return iter(cls._choices)


class ChoiceSet(metaclass=ChoiceSetMeta):
    """Values with their labels, as scripts list them for a variable."""

    CHOICES = ()

    @staticmethod
    def flat(choices):
        return [one for row in choices for one in (row[1] if isinstance(row[1], (list, tuple)) else [row])]

    @classmethod
    def values(cls):
        return [one[0] for one in cls.flat(cls._choices)]


def choices_by_module(sets, names):
    """The classes of choices of the models: constants by the rule of NetBox's names, and the exceptions to it."""
    modules = {"utilities.choices": {"ChoiceSet": ChoiceSet}}
    listed = {names[one]["of"] for one in names}
    derived = {
        f"{key.split('.')[0]}.{key.split('.')[1]}{camel(key.split('.')[2])}Choices": {
            "of": key,
            "prefix": key.split("_")[-1].split(".")[-1].upper(),
        }
        for key in sets
        if key not in listed
    }
    for name, facts in {**derived, **names}.items():
        rows = sets.get(facts["of"])
        if rows is None:
            continue
        app, _, cls = name.partition(".")
        prefix = f"{facts['prefix']}_" if facts.get("prefix") else ""
        constants = {prefix + constant_of(row[0]): row[0] for row in rows}
        constants |= facts.get("names", {})
        kind = ChoiceSetMeta(
            cls, (ChoiceSet,), {"__module__": f"{app}.choices", "CHOICES": [tuple(row) for row in rows], **constants}
        )
        modules.setdefault(f"{app}.choices", {})[cls] = kind
    colours = {constant: value for constant, value, _ in COLOURS}
    rows = [(value, label) for _, value, label in COLOURS]
    modules["netbox.choices"]["ColorChoices"] = ChoiceSetMeta(
        "ColorChoices", (ChoiceSet,), {"__module__": "netbox.choices", "CHOICES": rows, **colours}
    )
    # Where they were until release 4.0.
    modules["utilities.choices"]["ColorChoices"] = modules["netbox.choices"]["ColorChoices"]
    levels = [(one, one.title()) for one in ("debug", "info", "success", "warning", "failure")]
    constants = {f"LOG_{one.upper()}": one for one, _ in levels}
    modules["extras.choices"]["LogLevelChoices"] = ChoiceSetMeta(
        "LogLevelChoices", (ChoiceSet,), {"CHOICES": levels, **constants}
    )
    return modules


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def constant_of(value):
    return re.sub(r"[^A-Z0-9]+", "_", str(value).upper()).strip("_")


COLOURS = [
    (f"COLOR_{label.upper().replace(' ', '_')}", value, label)
    for value, label in [
        *[("aa1409", "Dark Red"), ("f44336", "Red"), ("e91e63", "Pink"), ("ffe4e1", "Rose"), ("ff66ff", "Fuchsia")],
        *[("9c27b0", "Purple"), ("673ab7", "Dark Purple"), ("3f51b5", "Indigo"), ("2196f3", "Blue"), ("03a9f4", "Light Blue")],
        *[("00bcd4", "Cyan"), ("009688", "Teal"), ("00ffff", "Aqua"), ("2f6a31", "Dark Green"), ("4caf50", "Green")],
        *[("8bc34a", "Light Green"), ("cddc39", "Lime"), ("ffeb3b", "Yellow"), ("ffc107", "Amber"), ("ff9800", "Orange")],
        *[("ff5722", "Dark Orange"), ("795548", "Brown"), ("c0c0c0", "Light Grey"), ("9e9e9e", "Grey"), ("607d8b", "Dark Grey")],
        *[("111111", "Black"), ("ffffff", "White")],
    ]
]


def constants(choices):
    """The constants of dcim and ipam that scripts use."""
    kinds = choices["dcim.choices"]["InterfaceTypeChoices"].values()
    wireless = [
        one for one in kinds if one.startswith("ieee802.1") or one in ("other-wireless", "gsm", "cdma", "lte", "4g", "5g")
    ]
    virtual = ["virtual", "lag", "bridge"]
    return {
        "dcim.constants": {
            "VIRTUAL_IFACE_TYPES": virtual,
            "WIRELESS_IFACE_TYPES": wireless,
            "NONCONNECTABLE_IFACE_TYPES": [*virtual, *wireless],
            "RACK_U_HEIGHT_DEFAULT": 42,
            "RACK_STARTING_UNIT_DEFAULT": 1,
            "INTERFACE_MTU_MIN": 1,
            "INTERFACE_MTU_MAX": 65536,
        },
        "ipam.constants": {
            "IPADDRESS_ROLES_NONUNIQUE": ("anycast", "vip", "vrrp", "hsrp", "glbp", "carp"),
            "PREFIX_LENGTH_MIN": 1,
            "PREFIX_LENGTH_MAX": 127,
            "IPADDRESS_MASK_LENGTH_MIN": 1,
            "IPADDRESS_MASK_LENGTH_MAX": 128,
            "VLAN_VID_MIN": 1,
            "VLAN_VID_MAX": 4094,
            "SERVICE_PORT_MIN": 1,
            "SERVICE_PORT_MAX": 65535,
        },
    }


# Django's helpers

DJANGO_SETTINGS = {
    "LANGUAGE_CODE": "en-us",
    "USE_I18N": True,
    "USE_L10N": True,
    "LANGUAGES": (),
    "DATE_FORMAT": "N j, Y",
    "DATETIME_FORMAT": "N j, Y g:i a",
    "TIME_FORMAT": "g:i a",
    "SHORT_DATE_FORMAT": "Y-m-d",
    "SHORT_DATETIME_FORMAT": "Y-m-d H:i",
    "SHORT_TIME_FORMAT": "H:i:s",
    "FIRST_DAY_OF_WEEK": 0,
    "DECIMAL_SEPARATOR": ".",
    "THOUSAND_SEPARATOR": ",",
    "USE_THOUSAND_SEPARATOR": False,
    "DEFAULT_CHARSET": "utf-8",
    "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
    "STATIC_URL": "/static/",
    "MEDIA_URL": "/media/",
}



class Settings(dict):
    """The settings that the service has, and those that Django has in each installation of NetBox."""

    def __init__(self, values):
        super().__init__({**DJANGO_SETTINGS, **values})

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(f"'Settings' object has no attribute '{name}'")


NETBOX_EXCEPTIONS = ("AbortRequest", "AbortScript", "AbortTransaction", "PermissionsViolation", "RQWorkerNotRunningException")
TRANSACTION = ("atomic", "savepoint", "savepoint_commit", "savepoint_rollback", "on_commit", "set_rollback", "get_connection")


def transaction_of(session):
    def mark(action, name):
        session.flush()
        session.put("savepoint", action=action, name=name)
        session.writes += 1

    class Atomic:
        def __init__(self, using=None, savepoint=True, durable=False):
            self.points = []

        def __enter__(self):
            self.points.append(transaction.savepoint())

        def __exit__(self, kind, error, traceback):
            point = self.points.pop()
            if kind is None:
                try:
                    session.flush()
                except BaseException:
                    transaction.savepoint_rollback(point)
                    raise
                transaction.savepoint_commit(point)
            else:
                transaction.savepoint_rollback(point)

        def __call__(self, function):
            def inside(*arguments, **options):
                with Atomic():
                    return function(*arguments, **options)

            return inside

    class Connection:
        in_atomic_block = True
        vendor = "postgresql"

        def cursor(self, *arguments, **options):
            raise errors.Unsupported("connection.cursor() is not supported: scripts read through the models.")

    class Transaction:
        number = 0
        # By the name of a savepoint: objects that had been refused before it.
        refused = {}

        def atomic(self, using=None, savepoint=True, durable=False):
            return Atomic()(using) if callable(using) else Atomic()

        def savepoint(self, using=None):
            Transaction.number += 1
            name = f"script_{Transaction.number}"
            mark("begin", name)
            Transaction.refused[name] = session.refused
            session.refused = dict(session.refused)
            return name

        def savepoint_commit(self, name, using=None):
            mark("release", name)

        def savepoint_rollback(self, name, using=None):
            session.reset(Transaction.refused.get(name, ()))
            mark("rollback", name)

        def on_commit(self, function, using=None, robust=False):
            """Called at once: a script has no time after its transaction."""
            function()

        def set_rollback(self, rollback, using=None):
            raise errors.Unsupported("transaction.set_rollback() is not supported: raise AbortScript.")

        def get_connection(self, using=None):
            return Connection()

    transaction = Transaction()
    return transaction


def slugify(value, allow_unicode=False):
    """As Django: ASCII letters, digits, underscores and hyphens."""
    text = str(value)
    if not allow_unicode:
        text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text.lower())).strip("-_")


class SafeString(str):
    def __html__(self):
        return self


def escape(text):
    return SafeString(text if isinstance(text, SafeString) else html.escape(str(text)))


def format_html(pattern, *arguments, **values):
    return SafeString(pattern.format(*map(escape, arguments), **{name: escape(value) for name, value in values.items()}))


def timezone_names():
    utc = datetime.timezone.utc

    def make_aware(value, timezone=None):
        return value.replace(tzinfo=timezone or utc)

    return {
        "now": lambda: datetime.datetime.now(utc),
        "localtime": lambda value=None, timezone=None: (value or datetime.datetime.now(utc)).astimezone(timezone or utc),
        "localdate": lambda value=None, timezone=None: (value or datetime.datetime.now(utc)).astimezone(timezone or utc).date(),
        "make_aware": make_aware,
        "make_naive": lambda value, timezone=None: value.astimezone(timezone or utc).replace(tzinfo=None),
        "is_aware": lambda value: value.utcoffset() is not None,
        "is_naive": lambda value: value.utcoffset() is None,
        "get_current_timezone": lambda: utc,
        "utc": utc,
        "timedelta": datetime.timedelta,
        "datetime": datetime.datetime,
        "ZoneInfo": zoneinfo.ZoneInfo,
    }


def validators():
    def limited(message, fits):
        class Validator:
            def __init__(self, limit, text=None):
                self.limit, self.text = limit, text

            def __call__(self, value):
                if not fits(value, self.limit):
                    raise errors.ValidationError(self.text or message.format(self.limit))

        return Validator

    class RegexValidator:
        def __init__(self, regex="", message="Enter a valid value.", code=None, inverse_match=False, flags=0):
            self.regex, self.message, self.inverse_match = re.compile(regex, flags), message, inverse_match

        def __call__(self, value):
            if bool(self.regex.search(str(value))) == self.inverse_match:
                raise errors.ValidationError(self.message)

    return {
        "MinValueValidator": limited("Ensure this value is greater than or equal to {}.", lambda value, limit: value >= limit),
        "MaxValueValidator": limited("Ensure this value is less than or equal to {}.", lambda value, limit: value <= limit),
        "MinLengthValidator": limited("Ensure this value has at least {} characters.", lambda value, limit: len(value) >= limit),
        "MaxLengthValidator": limited("Ensure this value has at most {} characters.", lambda value, limit: len(value) <= limit),
        "RegexValidator": RegexValidator,
        "ValidationError": errors.ValidationError,
    }


def reverse_of(session):
    """Paths of pages: `dcim:device` with an id, `dcim:device_list` without."""

    def reverse(name, args=(), kwargs=None, **options):
        app, _, rest = name.partition(":")
        id = (list(args) or list((kwargs or {}).values()) or [None])[0]
        described = session.models.get(f"{app}.{rest.removesuffix('_list')}")
        if described and described["page"] and (id is None) == rest.endswith("_list"):
            return described["page"] if id is None else f"{described['page']}{id}/"
        raise errors.NoReverseMatch(f"Reverse for '{name}' not found.")

    return reverse


def permission_name(model, action):
    app, _, name = model._model.partition(".")
    return f"{app}.{action}_{name}"


def deepmerge(original, new):
    merged = dict(original)
    for key, value in new.items():
        both = isinstance(merged.get(key), dict) and isinstance(value, dict)
        merged[key] = deepmerge(merged[key], value) if both else value
    return merged


def shallow_compare_dict(source, target, exclude=()):
    return {key: value for key, value in target.items() if key not in exclude and source.get(key) != value}
