"""The models as scripts use them: Django's interface to objects and query sets.

Nothing here decides what an object may be: every read is a question to the service, every write a request to its API,
in the one transaction of the script. What belongs together travels together: relations are read for all objects that
were read with this one, and changes wait until something could notice them.
"""

import copy
import datetime
import json
import re

import models as computed
from content_types import ContentType
from errors import (
    FieldError,
    IntegrityError,
    MultipleObjectsReturned,
    NoReverseMatch,
    ObjectDoesNotExist,
    ProtectedError,
    Unsupported,
    ValidationError,
)
from expressions import Combinable, Ordered, Prefetch, expression, parts_of, plain
from objects import CHUNK, QuerySet, Record, read
from session import Refused, is_watched, refusal_of
from values import field_error, hardware_of, network_of, number_of, slug_of, value_of

# Fields that releases before 4.2 had, and what took their place.
RENAMED = {
    "dcim.device": {"device_role": "role"},
    "virtualization.virtualmachine": {"device_role": "role"},
    "ipam.prefix": {"site": "scope"},
    "virtualization.cluster": {"site": "scope"},
    "ipam.service": {"device": "parent", "virtual_machine": "parent"},
}
# Paths of conditions that Django has under another name.
RENAMED_PATHS = {
    "dcim.device": {"device_role": "role"},
    "virtualization.virtualmachine": {"device_role": "role"},
    "ipam.prefix": {"site": "_site"},
    "virtualization.cluster": {"site": "_site"},
}
MUTABLE = ("json", "list")
# As objects that a script may change in place: `prefix.prefix.value += 256`.
NETWORKS = ("address", "network")
TYPES = ("genericForeignKey", "objectType")
UNIQUE_MESSAGES = ("already exists", "must be unique", "must make a unique set")


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

    def _plain(self):
        return self.pk

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


def is_duplicate(errors):
    """Whether one of the messages says that another object has the same values."""
    return any(text in message for messages in errors.values() for message in messages for text in UNIQUE_MESSAGES)


def is_refused_by_database(error):
    """Whether NetBox could not store the object either."""
    return any(UNSTORABLE.search(message) for message in error.messages)


UNSTORABLE = re.compile(rf"{'|'.join(UNIQUE_MESSAGES)}|cannot be null|(at most|no more than) \d+ characters|must be a|valid integer")


class UniqueViolation(Exception):
    """The database's own name for the cause of an IntegrityError."""


UniqueViolation.__module__ = "psycopg.errors"


def create(records):
    """Creates objects of one model in one write."""
    model, session = records[0]._model, records[0]._session
    bodies = [record._body(everything=True) for record in records]
    one = len(records) == 1
    try:
        answer = session.request("POST", model, bodies[0] if one else bodies)
    except Refused as refused:
        for record in records:
            record._is_refused = True
        error = refusal_of(records, refused)
        raise error from error.__cause__
    for record, made in zip(records, [answer] if one else answer):
        record._is_refused = False
        record._row["id"] = made["id"]
        for name in ("created", "last_updated"):
            if name in made and name in record._row:
                record._row[name] = made[name]
        record._row["display"] = made.get("display", "")
        record._changed, record._texts = {}, {}
        record._is_stale = True
        record._read_at = session.writes


def delete(session, model, ids):
    """Deletes objects, and what depends on them. The number of rows, and the numbers by model."""
    if not ids:
        return 0, {}
    session.flush()
    answer = session.ask("delete", model=model, ids=ids)
    if answer["status"] == 409:
        raise protected_error(session, model, answer["protected"], answer["detail"])
    session._response(answer, model, "DELETE")
    return sum(answer["counts"].values()), answer["counts"]


def protected_error(session, model, protected, detail):
    objects = {record for name, ids in protected["objects"].items() for record in session.fetch(name, ids).values()}
    if not objects:
        return ProtectedError(detail, set())
    references = ", ".join(f"'{session.models[name]['class']}.{field}'" for name, field in protected["references"])
    name = session.models[model]["class"]
    return ProtectedError(
        f"Cannot delete some instances of model '{name}' because they are referenced through protected foreign keys: "
        f"{references}.",
        objects,
    )


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


class Selection(QuerySet):
    """A query set: objects of a model, not read before somebody looks at them."""

    def __init__(self, session, model, owner=None, **state):
        super().__init__(session, model, owner, where=state.pop("where", ()), order=state.pop("order", ()))
        self._session = session
        self._annotations = state.pop("annotations", {})
        self._names = state.pop("names", None)
        self._is_distinct = state.pop("is_distinct", False)
        self._slice = state.pop("slice", (0, None))
        self._prefetches = state.pop("prefetches", ())
        self._is_empty = state.pop("is_empty", False)

    @property
    def model(self):
        return self._session.classes[self._model]

    def _with(self, where=None, order=None, **state):
        current = {
            "where": [*self._where, *(where or ())],
            "order": self._order if order is None else order,
            "annotations": self._annotations,
            "names": self._names,
            "is_distinct": self._is_distinct,
            "slice": self._slice,
            "prefetches": self._prefetches,
            "is_empty": self._is_empty,
        }
        return Selection(self._session, self._model, self._owner, **{**current, **state})

    def _plain(self):
        return [plain(row) for row in self]

    def distinct(self, *fields):
        return self._with(is_distinct=True)

    def _same(self, *arguments, **options):
        return self._with()

    select_related = only = defer = using = unrestricted = select_for_update = _same

    def prefetch_related(self, *lookups):
        special = [one for one in lookups if isinstance(one, Prefetch) and (one.queryset is not None or one.to_attr)]
        return self._with(prefetches=[*self._prefetches, *special])

    def restrict(self, user, action="view"):
        return self._with([{"restrict": action}])

    def _refuse_slice(self):
        if self._slice != (0, None):
            raise TypeError("Cannot filter a query once a slice has been taken.")

    def filter(self, *conditions, **wanted):
        self._refuse_slice()
        parts = [part for one in (*conditions, wanted) for part in parts_of(one)]
        return self._with([self._named(part) for part in parts])

    def exclude(self, *conditions, **wanted):
        self._refuse_slice()
        parts = [part for one in (*conditions, wanted) for part in parts_of(one)]
        return self._with([{"all": [self._named(part) for part in parts], "not": True}]) if parts else self._with()

    def _named(self, part):
        """A condition with today's names, in which annotations are expressions."""
        if "wanted" in part:
            renamed = RENAMED_PATHS.get(self._model, {})
            wanted, parts = {}, []
            for name, value in part["wanted"].items():
                first, _, rest = name.partition("__")
                if first in self._annotations:
                    parts.append({"compare": self._comparison(rest or "exact"), "of": [{"annotation": first}, {"value": value}]})
                else:
                    if first.endswith("_id") and self._session.models[self._model]["columns"].get(first[:-3]) in TYPES:
                        first = first[:-3]
                    wanted["__".join(filter(None, [renamed.get(first, first), rest]))] = value
            conditions = [*([{"wanted": wanted}] if wanted else []), *parts]
            return conditions[0] if len(conditions) == 1 and "not" not in part else {**part, "wanted": None, "all": conditions}
        if "compare" in part:
            return {**part, "of": [self._inner(one) for one in part["of"]]}
        key = "any" if "any" in part else "all"
        return {**part, key: [self._named(one) for one in part[key]]}

    def _inner(self, data):
        if data.get("path") in self._annotations:
            return {"annotation": data["path"]}
        if "of" in data and isinstance(data["of"], list):
            return {**data, "of": [self._inner(one) for one in data["of"]]}
        return data

    @staticmethod
    def _comparison(lookup):
        operators = {"exact": "=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "in": "in", "isnull": "isnull"}
        if lookup not in operators:
            raise FieldError(f"Unsupported lookup '{lookup}' for an annotation.")
        return operators[lookup]

    def order_by(self, *names):
        return self._with(order=[self._order_term(one) for one in names])

    def _order_term(self, term):
        if isinstance(term, Ordered):
            return {"expression": self._inner(term.expression.data()), "descending": term.descending}
        if isinstance(term, Combinable):
            return {"expression": self._inner(term.data()), "descending": False}
        name = str(term)
        if name == "?":
            raise Unsupported("order_by('?') is not supported: use random.shuffle().")
        bare = name.lstrip("-")
        if bare in self._annotations:
            return {"expression": {"annotation": bare}, "descending": name.startswith("-")}
        first, separator, rest = bare.partition("__")
        first = RENAMED_PATHS.get(self._model, {}).get(first, first)
        return f"{'-' if name.startswith('-') else ''}{first}{separator}{rest}"

    def reverse(self):
        order = self._order or ("pk",)
        turned = [
            {**one, "descending": not one["descending"]}
            if isinstance(one, dict)
            else one[1:]
            if one.startswith("-")
            else f"-{one}"
            for one in order
        ]
        return self._with(order=turned)

    def annotate(self, *expressions, **named):
        added = {**{one.default_name: one for one in expressions}, **named}
        for name, one in added.items():
            if not isinstance(one, Combinable):
                raise Unsupported(f"annotate({name}={type(one).__name__}(…)) is not supported.")
        data = {name: self._inner(one.data()) for name, one in added.items()}
        state = {"annotations": {**self._annotations, **data}}
        if self._names is not None:
            state["names"] = {**self._names, "names": [*self._names["names"], *data], "is_grouped": True}
        return self._with(**state)

    alias = annotate

    def aggregate(self, *expressions, **named):
        wanted = {**{one.default_name: one for one in expressions}, **named}
        rows = self._table([self._inner(one.data()) for one in wanted.values()], whole=True)
        return dict(zip(wanted, [number_of(value) for value in rows[0]]))

    def values(self, *names, **expressions):
        return self._valued("dict", names, expressions)

    def values_list(self, *names, flat=False, named=False):
        return self._valued("flat" if flat else "named" if named else "tuple", names, {})

    def _valued(self, form, names, expressions):
        described = self._session.models[self._model]
        every = ["id", *described["columns"], *(f"{name}_id" for name in described["references"]), *self._annotations]
        chosen = self if not expressions else self.annotate(**expressions)
        return chosen._with(names={"form": form, "names": [*(names or every), *expressions], "is_grouped": False})

    def none(self):
        return self._with(is_empty=True)

    def union(self, *sets):
        raise Unsupported("union() is not supported: combine conditions with Q(…) | Q(…).")

    intersection = difference = extra = raw = union

    def __or__(self, selection):
        return self._joined(selection, "any")

    def __and__(self, selection):
        return self._joined(selection, "all")

    def _joined(self, selection, connector):
        sides = [{"all": list(one._where)} for one in (self, selection)]
        return Selection(self._session, self._model, where=[{connector: sides}], order=self._order)

    # Reading

    def _question(self):
        question = super()._question()
        return {**question, "annotations": self._annotations, "distinct": self._is_distinct}

    def _is_plain(self):
        """Whether the selection is only conditions on the objects and an order of paths."""
        return not self._annotations and all(isinstance(one, str) for one in self._order)

    def _select(self, offset, limit):
        start, stop = self._slice
        low = start + offset
        high = low + limit if stop is None else min(low + limit, stop)
        if self._is_empty or high <= low:
            return []
        if self._names is not None:
            return self._value_rows(low, high - low)
        if self._is_plain():
            rows = self._session.ask("select", **self._question(), offset=low, limit=high - low)
            records = self._session.adopt(self._model, rows)
        else:
            table = self._table([{"path": "id"}, *({"annotation": name} for name in self._annotations)], low, high - low)
            objects = self._session.fetch(self._model, [row[0] for row in table])
            records = [objects[row[0]] for row in table if row[0] in objects]
            for record, (_, *values) in zip(records, table):
                record._cohort = records
                for name, value in zip(self._annotations, values):
                    record.__dict__[name] = number_of(value)
        for prefetch in self._prefetches:
            self._prefetch(prefetch, records)
        return records

    def _prefetch(self, prefetch, records):
        first, _, rest = prefetch.lookup.partition("__")
        described = self._session.models[self._model]
        name = described["accessors"].get(first, first)
        inverse = described["inverse"].get(name)
        if rest or inverse is None or not records:
            return
        ids = [record.pk for record in records]
        selection = prefetch.queryset if prefetch.queryset is not None else Selection(self._session, described["relations"][name])
        lists = {id: [] for id in ids}
        if inverse["kind"] == "key":
            for record in selection.filter(**{f"{inverse['field']}__in": ids}):
                lists[record._row[inverse["field"]]].append(record)
        else:
            wanted = {record.pk: record for record in selection}
            for record in records:
                lists[record.pk] = [wanted[one.pk] for one in record._related_objects(name) if one.pk in wanted]
        for record in records:
            if prefetch.to_attr:
                record.__dict__[prefetch.to_attr] = lists[record.pk]
            else:
                record._related[name] = (lists[record.pk], self._session.writes, True)

    def _table(self, columns, offset=0, limit=None, whole=False, group=None):
        """Rows of expressions: of each object, of groups of objects, or (`whole`) of all objects together."""
        question = {**self._question(), "columns": columns, "offset": offset, "limit": limit, "whole": whole, "group": group}
        return self._session.ask("table", **question)

    def _value_rows(self, offset, limit):
        names = self._names["names"]
        columns = [{"annotation": name} if name in self._annotations else {"path": self._path(name)} for name in names]
        group = (
            [index for index, name in enumerate(names) if name not in self._annotations] if self._names["is_grouped"] else None
        )
        rows = self._table(columns, offset, limit, group=group)
        kinds = [self._kind_of(name) for name in names]
        rows = [[value_of(kind, value) for kind, value in zip(kinds, row)] for row in rows]
        form = self._names["form"]
        if form == "flat":
            return [row[0] for row in rows]
        if form == "dict":
            return [dict(zip(names, row)) for row in rows]
        if form == "named":
            import collections

            row_type = collections.namedtuple("Row", names)
            return [row_type(*row) for row in rows]
        return [tuple(row) for row in rows]

    def _path(self, name):
        first, separator, rest = name.partition("__")
        return RENAMED_PATHS.get(self._model, {}).get(first, first) + separator + rest

    def _kind_of(self, name):
        """Kind of the value at the end of a path."""
        model = self._model
        *path, last = self._path(name).split("__")
        for step in path:
            described = self._session.models.get(model)
            if described is None:
                return None
            step = described["accessors"].get(step, step)
            model = described["references"].get(step) or described["relations"].get(step)
        return self._session.models.get(model, {}).get("columns", {}).get(last) if model else None

    def _is_relation(self):
        plain_set = not self._where and not self._order and self._is_plain() and self._names is None
        return self._owner is not None and plain_set and self._slice == (0, None) and not self._prefetches

    def iterator(self, chunk_size=None):
        return iter(self._all())

    def __getitem__(self, index):
        if isinstance(index, slice):
            if index.step is not None or (index.start or 0) < 0 or (index.stop is not None and index.stop < 0):
                if (index.start or 0) < 0 or (index.stop or 0) < 0:
                    raise ValueError("Negative indexing is not supported.")
                return self._all()[index]
            if self._found is not None:
                return self._found[index]
            start, stop = self._slice
            low = start + (index.start or 0)
            high = stop if index.stop is None else start + index.stop if stop is None else min(stop, start + index.stop)
            return self._with(slice=(low, high))
        if index < 0:
            raise ValueError("Negative indexing is not supported.")
        if self._found is not None:
            return self._found[index]
        return self._select(index, 1)[0]

    def count(self):
        if self._is_empty:
            return 0
        if self._found is not None or self._slice != (0, None) or (self._is_distinct and self._names is not None):
            return len(self._all())
        if self._owner is not None and self._is_relation() and self._owner[0]._cohort:
            return len(self._all())
        if self._is_plain():
            return self._session.ask("count", **self._question())
        return len(self._table([{"path": "id"}]))

    def exists(self):
        if self._is_empty:
            return False
        if self._found is not None:
            return bool(self._found)
        return bool(self._select(0, 1))

    def __bool__(self):
        return bool(self._all())

    def first(self):
        rows = self._found[:1] if self._found is not None else self._select(0, 1)
        return rows[0] if rows else None

    def last(self):
        if self._slice != (0, None) or self._found is not None:
            rows = self._all()
            return rows[-1] if rows else None
        if self._order:
            return self.reverse().first()
        # The model's own order cannot be turned around here.
        number = self.count()
        rows = self._select(number - 1, 1) if number else []
        return rows[0] if rows else None

    def earliest(self, *names):
        record = self.order_by(*names).first() if names else self.first()
        if record is None:
            raise self._missing()
        return record

    def latest(self, *names):
        return (self.order_by(*names) if names else self).reverse().earliest()

    def get(self, *conditions, **wanted):
        selection = self.filter(*conditions, **wanted) if conditions or wanted else self
        rows = selection._select(0, 21)
        if not rows:
            raise self._missing()
        if len(rows) > 1:
            number = len(rows) if len(rows) < 21 else "more than 20"
            raise self.model.MultipleObjectsReturned(
                f"get() returned more than one {self.model.__name__} -- it returned {number}!"
            )
        return rows[0]

    def _missing(self):
        return self.model.DoesNotExist(f"{self.model.__name__} matching query does not exist.")

    def in_bulk(self, ids=None):
        return {record.pk: record for record in (self if ids is None else self.filter(pk__in=ids))}

    def __str__(self):
        rows = self[:21]
        texts = [repr(row) for row in rows]
        if len(texts) > 20:
            texts[20:] = ["'...(remaining elements truncated)...'"]
        return f"<RestrictedQuerySet [{', '.join(texts)}]>"

    __repr__ = __str__

    # Writing

    def create(self, **values):
        record = self.model(**values)
        record._save_or_keep()
        return record

    def get_or_create(self, defaults=None, **wanted):
        try:
            return self.get(**wanted), False
        except ObjectDoesNotExist:
            values = {name: value for name, value in wanted.items() if "__" not in name}
            return self.create(**{**values, **called(defaults)}), True

    def update_or_create(self, defaults=None, create_defaults=None, **wanted):
        try:
            record = self.get(**wanted)
        except ObjectDoesNotExist:
            values = {name: value for name, value in wanted.items() if "__" not in name}
            return self.create(**{**values, **called(create_defaults or defaults)}), True
        for name, value in called(defaults).items():
            setattr(record, name, value)
        record._save_or_keep()
        return record, False

    def bulk_create(self, records, batch_size=None, **options):
        records = list(records)
        for start in range(0, len(records), CHUNK):
            create(records[start : start + CHUNK])
        return records

    def bulk_update(self, records, fields, batch_size=None):
        records = list(records)
        for record in records:
            record.save()
        self._session.flush()
        return len(records)

    def update(self, **values):
        self._session.flush()
        records = list(self._with(names=None))
        for record in records:
            for name, value in values.items():
                setattr(record, name, evaluated(record, value))
            record.save()
        self._session.flush()
        return len(records)

    def delete(self):
        return delete(self._session, self._model, [record.pk for record in self])


def evaluated(record, value):
    """The value of an expression for one object, for `update(position=F("position") + 1)`."""
    if not isinstance(value, Combinable):
        return value
    rows = Selection(record._session, record._model).filter(pk=record.pk)._table([expression(value)])
    return rows[0][0]


def called(values):
    return {name: value() if callable(value) and not isinstance(value, type) else value for name, value in (values or {}).items()}


class Manager(Selection):
    """`Device.objects`."""

    def get_queryset(self):
        return self.all()

    def get_by_natural_key(self, *key):
        raise Unsupported("get_by_natural_key() is not supported: use get() with the fields.")


class RelatedManager(Selection):
    """What a relation of one object leads to: `device.interfaces`, `site.tags`."""

    def __init__(self, record, name):
        described = record._described
        model = "extras.tag" if name == "tags" and described["hasTags"] else described["relations"][name]
        super().__init__(record._session, model, owner=(record, name))
        self._record = record
        self._name = name

    def _inverse(self):
        kind = "forward" if self._name == "tags" else None
        return self._record._described["inverse"].get(self._name, {"kind": kind})

    def create(self, **values):
        inverse = self._inverse()
        if inverse["kind"] in ("key", "generic"):
            return super().create(**{inverse["field"]: self._record, **values})
        record = super().create(**values)
        if record.pk is not None:
            self.add(record)
        return record

    def _ids(self, records):
        names = [one for one in records if isinstance(one, str)]
        if not names:
            return [one.pk if isinstance(one, Model) else int(one) for one in records]
        tags = Selection(self._session, "extras.tag")
        known_tags = {tag.name: tag.pk for tag in tags.filter(name__in=names)}
        for name in dict.fromkeys(names):
            if name not in known_tags:
                known_tags[name] = tags.create(name=name, slug=slug_of(name)).pk
        return [known_tags[one] if isinstance(one, str) else one.pk for one in records]

    def _record_ids(self):
        """Ids of what the relation leads to now. A change of the object that waits does not concern it."""
        answer = self._session.put("related", model=self._record._model, ids=[self._record.pk], name=self._name)
        return answer["value"]["of"].get(str(self._record.pk), [])

    def add(self, *records, **options):
        self._put(lambda present, ids: [*present, *(id for id in ids if id not in present)], records)

    def remove(self, *records):
        self._put(lambda present, ids: [id for id in present if id not in ids], records)

    def set(self, records, **options):
        self._put(lambda _present, ids: ids, list(records))

    def clear(self):
        self._put(lambda _present, _ids: [], ())

    def _put(self, change, records):
        inverse = self._inverse()
        ids = self._ids(records)
        present = self._record_ids()
        after = list(dict.fromkeys(change(present, ids)))
        if set(after) == set(present):
            return
        if inverse["kind"] == "forward":
            key = "tags" if self._name == "tags" else self._name
            self._send(self._record, {key: after})
            return
        # The other side holds the relation.
        field, many = inverse["field"], inverse["kind"] == "backward"
        for one in self._session.fetch(self._model, set(after) ^ set(present)).values():
            is_added = one.pk in after
            if many:
                manager = getattr(one, field)
                (manager.add if is_added else manager.remove)(self._record)
            else:
                setattr(one, field, self._record if is_added else None)
                one.save()

    def _send(self, record, body):
        """Sends what the relation leads to, with the change of the object that waits, if there is one."""
        waiting = self._session.waiting.get((record._model, record.pk))
        if waiting is record:
            body = {**record._take_changes(), **body}
            del self._session.waiting[(record._model, record.pk)]
        self._session.flush()
        try:
            self._session.request("PATCH", record._model, {"id": record.pk, **body})
        except Refused as refused:
            error = refusal_of([record], refused)
            raise error from error.__cause__
        record._related.pop(self._name, None)
        record._is_stale = True


def build(session, modules):
    """The classes of all models. `modules`: in which module NetBox declares a class."""
    for name, described in session.models.items():
        app = name.partition(".")[0]
        module = modules.get(f"{app}.{described['class']}", f"{app}.models")
        base = computed.CLASSES.get(name)
        bases = (Model, base) if base else (Model,)
        cls = ModelType(described["class"], bases, {"__module__": module, "_session": session, "_model": name})
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
        session.classes[name] = cls
    ContentType.session = session


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
