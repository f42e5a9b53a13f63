"""The models as scripts use them: Django's interface to objects and query sets.

Nothing here decides what an object may be: every read is a question to the service, every write a request to its API,
in the one transaction of the script. What belongs together travels together: relations are read for all objects that
were read with this one, and changes wait until something could notice them.
"""

import copy
import datetime
import json
import re
import sys
import types

import models as computed
import session
from content_types import ContentType
from errors import (
    FieldError,
    IntegrityError,
    MultipleObjectsReturned,
    NoReverseMatch,
    ObjectDoesNotExist,
    ValidationError,
)
from expressions import plain
from objects import CHUNK, Record, read
from query_sets import TYPES, Manager, RelatedManager, Selection
from session import Refused, is_watched
from values import field_error, hardware_of, network_of
from writes import UniqueViolation, create, delete, is_duplicate, is_refused_by_database

# Fields that releases before 4.2 had, and what took their place.
RENAMED = {
    "dcim.device": {"device_role": "role"},
    "virtualization.virtualmachine": {"device_role": "role"},
    "ipam.prefix": {"site": "scope"},
    "virtualization.cluster": {"site": "scope"},
    "ipam.service": {"device": "parent", "virtual_machine": "parent"},
}
MUTABLE = ("json", "list")
# As objects that a script may change in place: `prefix.prefix.value += 256`.
NETWORKS = ("address", "network")


class ModelType(type):
    """Class of the classes of models: `Device.objects`, `Device._meta`."""

    @property
    def objects(cls):
        return Manager(cls._session, cls._model)

    @property
    def _default_manager(cls):
        return cls.objects


class Options:
    """What `_meta` tells of a model."""

    def __init__(self, name, described):
        self.app_label, _, self.model_name = name.partition(".")
        self.verbose_name, self.verbose_name_plural = described["labels"]
        self.object_name = described["class"]
        self.label = f"{self.app_label}.{self.object_name}"
        self.label_lower = name
        self.fields = [FieldOptions("id", {"kind": "integer", "label": "ID"}, {})] + [
            FieldOptions(field, facts, described["choices"].get(field, {})) for field, facts in described["fields"].items()
        ]

    def get_field(self, name):
        for field in self.fields:
            if field.name == name:
                return field
        raise FieldError(f"{self.object_name} has no field named '{name}'")

    def get_fields(self):
        return self.fields


class FieldOptions:
    def __init__(self, name, facts, labels):
        self.name = self.attname = name
        self.verbose_name = facts["label"]
        self.max_length = facts.get("max")
        self.null = facts.get("nullable", False)
        self.blank = not facts.get("required", False)
        self.default = facts.get("default")
        self.choices = list(labels.items()) or None

    def __str__(self):
        return self.name


class Model(Record, metaclass=ModelType):
    """One object, saved or not."""

    _session = None
    _model = ""

    def __init__(self, *arguments, **values):
        if arguments:
            raise TypeError(f"{type(self).__name__}() takes fields by their names here")
        self._begin(dict(self._defaults()), [], self._session.writes)
        unknown = [name for name in values if not self._accepts(name)]
        if unknown:
            names = ", ".join(f"'{name}'" for name in unknown)
            raise TypeError(f"{type(self).__name__}() got unexpected keyword arguments: {names}")
        for name, value in values.items():
            setattr(self, name, value)

    @classmethod
    def _of_row(cls, row, cohort, writes):
        record = cls.__new__(cls)
        record._begin(row, cohort, writes)
        return record

    def _begin(self, row, cohort, writes):
        state = self.__dict__
        state["_row"] = row
        state["_cohort"] = cohort
        # Whether what was read with the object is still as old as the object.
        state["_read_at"] = writes
        state["_related"] = {}
        state["_values"] = {}
        state["_references"] = {}
        state["_assigned"] = {}
        state["_changed"] = {}
        state["_texts"] = {}
        state["_is_stale"] = False
        state["_is_cleaned"] = False
        state["_is_refused"] = False

    @classmethod
    def _defaults(cls):
        """The row of a new object."""
        described = cls._session.models[cls._model]
        row = {"id": None, "display": ""}
        for name in (*described["columns"], *described["references"]):
            facts = described["fields"].get(name, {})
            default = facts.get("default")
            if default == "" and facts.get("nullable"):
                default = None
            if default is None and facts.get("kind") == "text" and not facts.get("nullable"):
                default = ""
            row[name] = copy.deepcopy(default)
        if "custom_fields" in described["fields"]:
            row["custom_fields"] = {}
        return row

    @property
    def _inventory(self):
        return self._session

    @property
    def _described(self):
        return self._session.models[self._model]

    @property
    def id(self):
        return self._row["id"]

    @id.setter
    def id(self, value):
        self._row["id"] = value

    pk = id

    def __str__(self):
        text = self._display()
        return self._read_display() if text is None else text

    def _read_display(self):
        if self.pk is not None:
            self._reload()
        return str(self._row["display"] or f"{type(self).__name__} object ({self.pk})")

    def _display(self):
        """The template of the model's texts with the object's values; None if only the service knows the text."""
        if not self._changed and not self._is_stale:
            return self._row["display"] if self.pk is not None or self._row["display"] else self._rendered()
        return self._rendered()

    def _rendered(self):
        template = self._described["display"]
        if template is None:
            return rendered_elsewhere(self)
        text, group = [], None
        for token in TOKENS.findall(template):
            if token == "[":
                group = []
            elif token == "]":
                text.extend(group if all(group) else ())
                group = None
            else:
                value = template_value(self, token[1:-1]) if token.startswith("{") else token
                (text if group is None else group).append("" if value is None else str(value))
        return "".join(text)

    def __repr__(self):
        return f"<{type(self).__name__}: {self}>"

    def __eq__(self, record):
        if not isinstance(record, Model):
            return NotImplemented
        return self is record if self.pk is None else (self._model, self.pk) == (record._model, record.pk)

    def __hash__(self):
        if self.pk is None:
            raise TypeError("Model instances without primary key value are unhashable")
        return hash((self._model, self.pk))

    # Values

    @classmethod
    def _accepts(cls, name):
        described = cls._session.models[cls._model]
        return (
            name in ("id", "pk", "custom_field_data", "tags")
            or name in described["columns"]
            or name in described["references"]
            or name in described["generic"]
            or name in described["relations"]
            or described["fields"].get(name, {}).get("writable", False)
            or (name.endswith("_id") and (name[:-3] in described["references"] or described["columns"].get(name[:-3]) in TYPES))
            or name in RENAMED.get(cls._model, {})
        )

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self._assigned:
            return self._assigned[name]
        described = self._described
        renamed = RENAMED.get(self._model, {}).get(name)
        if renamed is not None and name not in described["shown"]:
            return getattr(self, renamed)
        if self._is_stale and name not in self._changed and self.pk is not None:
            self._reload()
        if name in ("custom_field_data", "custom_fields"):
            return self._mutable("custom_fields", self._row.get("custom_fields") or {})
        if name == "cf" and "custom_fields" in described["fields"]:
            return custom_values(self)
        kind = described["columns"].get(name)
        if kind in MUTABLE:
            return self._mutable(name, self._row[name])
        if kind in NETWORKS and self._row[name] is not None:
            return self._mutable(name, read(kind, self._row[name]))
        if kind == "genericForeignKey" and any(name == key for _, key in described["generic"].values()):
            return self._row[name]
        if kind in TYPES and self._row[name] is not None:
            return ContentType(self._row[name])
        if name.endswith("_id") and described["columns"].get(name[:-3]) in TYPES:
            return getattr(self, name[:-3])
        if name.endswith("_id") and name[:-3] in described["references"]:
            return self._row[name[:-3]]
        if name in described["accessors"]:
            name = described["accessors"][name]
        if name in described["relations"] or (name == "tags" and described["hasTags"]):
            return self._manager(name)
        is_own = kind is not None or name in described["references"] or name in described["generic"] or name.startswith("get_")
        if self.pk is None and not is_own and name in described["shown"]:
            # What the service computes of saved objects.
            return None
        return super().__getattr__(name)

    def _manager(self, name):
        if self.pk is None:
            message = f"{type(self).__name__} instance needs to have a primary key value before this relationship can be used."
            raise ValueError(f"'{message}'")
        related = RelatedManager(self, name)
        if name not in self._described["single"]:
            return related
        record = related.first()
        if record is None:
            raise self._session.classes[related._model].DoesNotExist(f"{type(self).__name__} has no {name}.")
        return record

    def _mutable(self, name, value):
        """A list or dictionary that the script may change in place."""
        if name not in self._texts:
            self._texts[name] = json.dumps(plain(value), sort_keys=True)
            self._row[name] = value
        return self._row[name]

    def __setattr__(self, name, value):
        described = self._described
        if name.startswith("_"):
            self.__dict__[name] = value
            return
        if name in ("id", "pk"):
            self._row["id"] = value
            return
        name = RENAMED.get(self._model, {}).get(name, name)
        if name.endswith("_id") and described["columns"].get(name[:-3]) in TYPES:
            name = name[:-3]
        if name in ("custom_field_data", "custom_fields"):
            self._row["custom_fields"] = value
            self._changed["custom_fields"] = True
        elif name in described["references"]:
            self._refer(name, value)
        elif name.endswith("_id") and name[:-3] in described["references"]:
            self._change(name[:-3], value)
            self._references.pop(name[:-3], None)
        elif name in described["generic"]:
            kind, key = described["generic"][name]
            self._change(kind, None if value is None else value._model)
            self._change(key, None if value is None else value.pk)
            self._references[name] = value
        elif name in described["relations"] or (name == "tags" and described["hasTags"]):
            if described["inverse"].get(name, {}).get("kind") == "forward" or name == "tags":
                raise TypeError(
                    f"Direct assignment to the forward side of a many-to-many set is prohibited. Use {name}.set() instead."
                )
            raise TypeError(f"Direct assignment to the reverse side of a related set is prohibited. Use {name}.set() instead.")
        elif name in described["columns"]:
            self._assign(name, described["columns"][name], value)
        elif described["fields"].get(name, {}).get("writable"):
            # Forms give an empty text for no address.
            self._assigned[name] = None if name == "mac_address" and value == "" else value
            self._changed[name] = True
        else:
            object.__setattr__(self, name, value)

    def _assign(self, name, kind, value):
        if kind in ("address", "network") and isinstance(value, str) and value:
            value = network_of(name, value)
        elif kind == "hardwareAddress" and isinstance(value, str) and value:
            value = hardware_of(name, value)
        elif isinstance(value, ContentType):
            value = plain(value)
        self._change(name, value)
        self._texts.pop(name, None)
        if kind not in MUTABLE and kind not in ("genericForeignKey", "objectType", "objectTypes"):
            self._assigned[name] = value

    def _refer(self, name, value):
        if value is not None and not isinstance(value, Model):
            target = self._session.models[self._described["references"][name]]["class"]
            raise ValueError(f'Cannot assign "{value!r}": "{type(self).__name__}.{name}" must be a "{target}" instance.')
        self._change(name, None if value is None else value.pk)
        self._references[name] = value

    def _change(self, name, value):
        self._row[name] = value
        self._changed[name] = True
        self._values.clear()

    def _reference(self, model, id):
        """The object that a foreign key or generic relation leads to, with those of the objects read with this one."""
        if id is None or model not in self._session.models:
            return None
        names = [*self._described["references"], *self._described["generic"]]
        name = next((one for one in names if self._leads_to(one) == (model, id)), None)
        if name in self._references and self._references[name] is not None and self._references[name].pk == id:
            return self._references[name]
        # As in Django, what a key leads to is read once.
        near = [record for record in self._cohort_from_here() if name is not None and name not in record._references]
        ids = [key for record in near for target, key in [record._leads_to(name)] if target == model and key is not None]
        objects = self._session.fetch(model, [id, *ids])
        for record in near:
            target, key = record._leads_to(name)
            if target == model and key in objects:
                record._references[name] = objects[key]
        if name is not None:
            self._references[name] = objects.get(id)
        return objects.get(id)

    def _leads_to(self, name):
        described = self._described
        if name in described["references"]:
            return described["references"][name], self._row[name]
        kind, key = described["generic"][name]
        return self._row[kind], self._row[key]

    def _near(self):
        """This object and some that were read with it, as long as nothing was written since."""
        return [self] if self._read_at != self._session.writes else self._cohort_from_here()

    def _cohort_from_here(self):
        at = next((index for index, record in enumerate(self._cohort) if record is self), None)
        return [self] if at is None else self._cohort[at : at + CHUNK]

    def _objects(self, model=None):
        return Selection(self._session, model or self._model)

    def _asked(self, question, name):
        if self._read_at != self._session.writes:
            self._values.pop(name, None)
        return super()._asked(question, name)

    def _related_objects(self, name):
        """What a relation leads to: read for all objects that were read with this one, or for this one after a write."""
        stored = self._related.get(name)
        if stored is None or (stored[1] != self._session.writes and stored[2] is False) or self._session.waiting:
            near = self._near()
            answer = self._session.ask("related", model=self._model, ids=[record.pk for record in near], name=name)
            objects = {record.pk: record for record in self._session.adopt(answer["model"], answer["rows"])}
            for record in near:
                ids = answer["of"].get(str(record.pk), [])
                record._related[name] = ([objects[id] for id in ids], self._session.writes, False)
        return self._related[name][0]

    def get_absolute_url(self):
        page = self._described["page"]
        if self.pk is None:
            app, _, model = self._model.partition(".")
            path = page.strip("/")
            raise NoReverseMatch(
                f"Reverse for '{model}' with arguments '(None,)' not found. 1 pattern(s) tried: ['{path}/(?P<pk>[0-9]+)/\\\\Z']"
            )
        return f"{page}{self.pk}/" if page else None

    # Writes

    def snapshot(self):
        """Nothing: change records always have the values before."""

    @property
    def _prechange_snapshot(self):
        """The stored values, with which validators compare those of the object."""
        rows = self._session.ask("rows", model=self._model, ids=[self.pk]) if self.pk is not None else []
        return {name: value for row in rows for name, value in row.items() if name != "display"} or None

    def clean(self):
        """Nothing: the service applies the rules."""

    def serialize_object(self, exclude=None):
        return {name: plain(value) for name, value in self._row.items() if name not in ("display", *(exclude or ()))}

    def clean_fields(self, exclude=None):
        errors = self._field_errors(exclude or ())
        if errors:
            raise ValidationError(errors)

    def validate_unique(self, exclude=None):
        self.full_clean(exclude)

    def full_clean(self, exclude=None, validate_unique=True, validate_constraints=True):
        errors = self._field_errors(exclude or ())
        if errors or exclude or is_watched():
            self.try_out(errors)
        else:
            # A write tries the same: a script that saves the object next needs no attempt.
            self._session.untried[id(self)] = self

    def try_out(self, errors):
        """Raises ValidationError with these errors and what the service would refuse."""
        body = self._body(everything=self.pk is None)
        for name in errors:
            body.pop(name, None)
        try:
            if self.pk is None:
                self._session.request("POST", self._model, body, tried=True)
            else:
                self._session.request("PATCH", self._model, {"id": self.pk, **body}, tried=True)
        except Refused as refused:
            for name, messages in refused.errors().items():
                if name not in errors or messages != ["This field cannot be null."]:
                    errors[name] = [*errors.get(name, []), *(one for one in messages if one not in errors.get(name, []))]
        if errors:
            raise ValidationError(errors)

    def _field_errors(self, exclude):
        """What is wrong with single values, in Django's words and in the order of the fields."""
        errors = {}
        for name, facts in self._described["fields"].items():
            if name in exclude or not facts["writable"] or name not in self._row:
                continue
            message = field_error(facts, self._assigned.get(name, self._row[name]), self._described["choices"].get(name))
            if message:
                errors[name] = [message]
        return errors

    def save(self, *arguments, **options):
        if is_watched():
            self._session.try_out()
        # What the write refuses is then what `full_clean` would have refused.
        self._is_cleaned = self._session.untried.pop(id(self), None) is not None
        self._session.refused.pop(id(self), None)
        for name, record in self._references.items():
            if record is not None and record.pk is None and name in self._changed:
                raise ValueError(f"save() prohibited to prevent data loss due to unsaved related object '{name}'.")
            if record is not None and name in self._described["references"]:
                self._row[name] = record.pk
        if self.pk is None:
            create([self])
        else:
            self._note_mutations()
            self._session.defer(self)

    def _save_or_keep(self):
        """Saves the object for a method that returns it, like `create()`.

        What only `full_clean()` finds in NetBox is not raised: the caller would have no object to clean up, and could take
        that of an earlier row for it.
        """
        self._session.flush()
        try:
            self.save()
            self._session.flush(self)
        except ValidationError as error:
            if is_refused_by_database(error):
                raise
            self._session.keep(self, error)

    def _note_mutations(self):
        for name, text in self._texts.items():
            if json.dumps(plain(self._row[name]), sort_keys=True) != text:
                self._changed[name] = True

    def _body(self, everything=False):
        """What a write has to say: the values that changed, or for a new object all that were given."""
        self._note_mutations()
        described = self._described
        # As in NetBox, custom fields without a value are then absent, not null.
        body = {"custom_fields": {}} if everything and "custom_fields" in described["fields"] else {}
        for name in [*self._changed, *(self._left_empty() if everything else ())]:
            value = self._assigned.get(name, self._row.get(name))
            if name in ("a_terminations", "b_terminations"):
                value = [{"object_type": record._model, "object_id": record.pk} for record in value]
            elif described["fields"].get(name, {}).get("kind") == "choice" and value in ("", None):
                value = value or None if described["fields"][name].get("nullable") else ""
            body[name] = plain(value)
        return body

    def _left_empty(self):
        """Fields without a value that the API would fill: with the user, or with an empty text instead of null."""
        fields = self._described["fields"].items()
        names = [
            name
            for name, facts in fields
            if facts.get("fromUser") or facts["kind"] == "choice" and facts.get("nullable") and facts.get("default") == ""
        ]
        return [name for name in names if name not in self._changed and self._row.get(name) is None]

    def _state_of_changes(self):
        return {name: self.__dict__[name] for name in ("_changed", "_texts", "_is_stale")}

    def _take_changes(self):
        body = self._body()
        self._changed = {}
        self._texts = {}
        self._is_stale = True
        return body

    def _refusal(self, errors):
        """The exception for a refused write: as of the database if another object has the same values."""
        if not self._is_cleaned and is_duplicate(errors):
            described = self._described
            for names in described["unique"]:
                values = {name: self._row.get(name) for name in names}
                if any(value is None for value in values.values()):
                    continue
                twins = self._objects().filter(**values)
                if (twins.exclude(id=self.pk) if self.pk else twins).exists():
                    columns = ", ".join(f"{name}_id" if name in described["references"] else name for name in names)
                    key = ", ".join(str(plain(value)) for value in values.values())
                    table = self._model.replace(".", "_")
                    error = IntegrityError(
                        f'duplicate key value violates unique constraint "{table}_{"_".join(names)}_key"\n'
                        f"DETAIL:  Key ({columns})=({key}) already exists."
                    )
                    error.__cause__ = UniqueViolation(str(error))
                    return error
        return ValidationError(errors)

    def delete(self, *arguments, **options):
        self._session.refused.pop(id(self), None)
        if self._is_refused:
            self._is_refused = False
            return 1, {self._meta.label: 1}
        if self.pk is None:
            raise ValueError(f"{type(self).__name__} object can't be deleted because its id attribute is set to None.")
        result = delete(self._session, self._model, [self.pk])
        # The text of the object stays that of before.
        self._changed = {}
        self._is_stale = False
        self._row["id"] = None
        return result

    def refresh_from_db(self, using=None, fields=None, from_queryset=None):
        self._reload()
        self._assigned = {}
        self._changed = {}
        self._references = {}
        self._related = {}
        self._values = {}

    def _reload(self):
        """Reads the row again; values that wait to be saved stay."""
        rows = self._session.ask("rows", model=self._model, ids=[self.pk])
        if not rows:
            raise type(self).DoesNotExist(f"{type(self).__name__} matching query does not exist.")
        kept = {name: self._row[name] for name in self._changed if name in self._row}
        self._row = {**rows[0], **kept}
        self._texts = {}
        self._values = {}
        self._is_stale = False
        self._cohort = []
        self._read_at = self._session.writes


def template_value(record, path):
    value = record
    for name in path.split("."):
        value = str(value) if name == "display" else getattr(value, name, None)
        if value is None:
            return None
    return value


def rendered_elsewhere(record):
    """Texts that a model computes by a function, as far as their fields decide them."""
    for name in ("address", "prefix", "asn", "username", "name"):
        value = record._assigned.get(name, record._row.get(name))
        if value and record._model in PLAIN_TEXTS.get(name, ()):
            return str(value)
    return None if record.pk is not None else str(record._row.get("name") or "")


PLAIN_TEXTS = {
    "address": ("ipam.ipaddress",),
    "prefix": ("ipam.prefix", "ipam.aggregate"),
    "username": ("users.user",),
}


def custom_values(record):
    """Values of custom fields as Python's types, and objects of object fields."""
    session, model = record._session, record._model
    if model not in session.custom_fields:
        fields = Selection(session, "extras.customfield").filter(object_types__contains=[model])
        session.custom_fields[model] = {field.name: field for field in fields}
    values = record.custom_field_data
    return {name: custom_value(session, field, values.get(name)) for name, field in session.custom_fields[model].items()}


def custom_value(session, field, value):
    if value is None:
        return None
    if field.type == "date":
        return datetime.date.fromisoformat(value)
    if field.type == "datetime":
        return datetime.datetime.fromisoformat(value)
    if field.type in ("object", "multiobject"):
        ids = value if isinstance(value, list) else [value]
        objects = session.fetch(plain(field.related_object_type), ids)
        found = [objects[id] for id in ids if id in objects]
        return found if field.type == "multiobject" else next(iter(found), None)
    return value


def build(connection):
    """The classes of all models."""
    for name, described in connection.models.items():
        module = f"{name.partition('.')[0]}.models"
        base = computed.CLASSES.get(name)
        bases = (Model, base) if base else (Model,)
        cls = ModelType(described["class"], bases, {"__module__": module, "_session": connection, "_model": name})
        cls._meta = Options(name, described)
        for error in (ObjectDoesNotExist, MultipleObjectsReturned):
            short = "DoesNotExist" if error is ObjectDoesNotExist else "MultipleObjectsReturned"
            kind = type(short, (error,), {"__module__": module, "__qualname__": f"{described['class']}.{short}"})
            setattr(cls, short, kind)
        for field, facts in described["fields"].items():
            # What a class computes, and a body may set.
            if facts["writable"] and base is not None and isinstance(getattr(base, field, None), property):
                setattr(cls, field, assignable(field, getattr(base, field)))
        if base is computed.ComponentTemplate:
            cls.instantiate = instantiate
        connection.classes[name] = cls
    ContentType.session = connection


def publish(module, **parts):
    """Adds the classes of an app to its module `models`, and makes the modules below it in which NetBox declares them."""
    app = module.partition(".")[0]
    classes = {cls.__name__: cls for name, cls in session.current.classes.items() if name.partition(".")[0] == app}
    namespace = vars(sys.modules[module])
    namespace.update(classes, __all__=list(classes))
    for part, names in parts.items():
        place = f"{module}.{part}"
        declared = {name: classes[name] for name in names.split() if name in classes}
        for cls in declared.values():
            cls.__module__ = cls.DoesNotExist.__module__ = cls.MultipleObjectsReturned.__module__ = place
        sys.modules[place] = namespace[part] = types.ModuleType(place)
        vars(sys.modules[place]).update(declared)


def instantiate(self, **values):
    """The component that a device or module of the type gets, not saved: `template.instantiate(device=device)`."""
    target = self._session.classes[self._model.removesuffix("template")]
    described = self._session.models[target._model]
    names = [name for name in self._described["columns"] if name in described["columns"] and described["fields"][name]["writable"]]
    component = target(**{name: getattr(self, name) for name in names}, **values)
    if self._row.get("power_port") is not None:
        name = in_bay(self.power_port.name, values.get("module"))
        component.power_port = Selection(self._session, "dcim.powerport").get(name=name, **values)
    for name in ("name", "label", "position"):
        if name in names:
            setattr(component, name, in_bay(getattr(self, name), values.get("module")))
    return component


def in_bay(text, module):
    """A name of a component of a module: `{module}` is the position of its bay, or one for each level of bays."""
    positions = []
    while module is not None:
        positions.insert(0, module.module_bay.position)
        module = module.module_bay.module
    if text.count("{module}") == 1:
        return text.replace("{module}", positions[-1]) if positions else text
    for position in positions:
        text = text.replace("{module}", position, 1)
    return text


def assignable(name, computed_property):
    def get(self):
        return self._assigned[name] if name in self._assigned else computed_property.fget(self)

    def put(self, value):
        self._assigned[name] = value
        self._changed[name] = True

    return property(get, put)


TOKENS = re.compile(r"\{[^{}]+\}|\[|\]|[^{}\[\]]+")
