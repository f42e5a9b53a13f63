"""The inventory as templates see it: objects, their relations and query sets over them.

What is not known yet is asked of the service, in batches: an object knows which others it was read with, and a relation
is read for all of them at once. Names that begin with an underscore are out of the templates' reach (jinja2.sandbox).
"""

import datetime
import decimal

import netaddr

from errors import MultipleObjectsReturned
from expressions import plain

CHUNK = 500


class DoesNotExist(Exception):
    pass


class UppercaseMac(netaddr.mac_unix_expanded):
    word_fmt = "%.2X"


class UppercaseWwn(netaddr.eui64_unix_expanded):
    word_fmt = "%.2X"


class Inventory:
    """Everything that one rendering knows: the models, and the objects that were read so far."""

    def __init__(self, models, ask, classes):
        """`classes`: those of the models that compute more than their fields."""
        self.models = models
        self.ask = ask
        self.objects = {}
        # A class of its own for each model, for the sake of what messages say.
        self.classes = {
            name: type(model["class"], (classes.get(name, Record),), {"__module__": "builtins"}) for name, model in models.items()
        }
        self.by_path = {model["path"]: name for name, model in models.items() if model["path"]}

    def adopt(self, model, rows):
        """Objects of rows that were read together."""
        cohort = []
        known = self.objects.setdefault(model, {})
        for row in rows:
            found = known.get(row["id"])
            if found is None:
                found = known[row["id"]] = self.classes[model](self, model, row, cohort)
            cohort.append(found)
        return cohort

    def fetch(self, model, ids):
        """Objects by id; those that are gone are missing."""
        known = self.objects.setdefault(model, {})
        wanted = [each for each in dict.fromkeys(ids) if each not in known]
        for start in range(0, len(wanted), CHUNK):
            self.adopt(model, self.ask("rows", model=model, ids=wanted[start : start + CHUNK]))
        return known

    def shown(self, value):
        """A value of an answer: objects in it become objects of the inventory, read in one go for each model."""
        ids = {}
        self._collect(value, ids)
        return self._built(value, {model: self.fetch(model, wanted) for model, wanted in ids.items()})

    def _collect(self, value, ids):
        for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            self._collect(item, ids)
        if model := self._model_of(value):
            ids.setdefault(model, []).append(value["id"])

    def _built(self, value, objects):
        if isinstance(value, list):
            return [self._built(item, objects) for item in value]
        if not isinstance(value, dict):
            return value
        if value.keys() == {"value", "label"}:
            return value["value"]
        record = objects.get(self._model_of(value), {}).get(value.get("id"))
        return record or {name: self._built(item, objects) for name, item in value.items()}

    def _model_of(self, value):
        if not isinstance(value, dict) or "id" not in value or "url" not in value:
            return None
        parts = str(value["url"]).rstrip("/").rsplit("/api/", 1)[-1].split("/")
        return self.by_path.get("/".join(parts[:-1]))

    def namespaces(self):
        """The models by app and name: `dcim.Device.objects`."""
        apps = {}
        for name, model in self.models.items():
            apps.setdefault(name.split(".")[0], {})[model["class"]] = ModelClass(self, name)
        return apps


class ModelClass:
    def __init__(self, inventory, model):
        self._inventory = inventory
        self._model = model

    @property
    def objects(self):
        return QuerySet(self._inventory, self._model)

    def __str__(self):
        return self._inventory.models[self._model]["class"]


def read(kind, value):
    """A value as the reference's own objects hold it."""
    if value is None:
        return None
    if kind in ("address", "network"):
        return netaddr.IPNetwork(value)
    if kind == "hardwareAddress":
        return hardware_address(value)
    if kind == "decimal":
        return decimal.Decimal(str(value))
    if kind == "date":
        return datetime.date.fromisoformat(value)
    if kind == "dateTime":
        return datetime.datetime.fromisoformat(value)
    if kind in ("genericForeignKey", "objectType"):
        return ObjectType(value)
    if kind == "objectTypes":
        return [ObjectType(each) for each in value]
    return value


class ObjectType(str):
    """The name of an object type, `dcim.site`, with its parts."""

    @property
    def app_label(self):
        return self.partition(".")[0]

    @property
    def model(self):
        return self.partition(".")[2]


def hardware_address(text):
    is_mac = len(text) == 17
    return netaddr.EUI(text, version=48 if is_mac else 64, dialect=UppercaseMac if is_mac else UppercaseWwn)


class Record:
    """One object."""

    def __init__(self, inventory, model, row, cohort):
        self._inventory = inventory
        self._model = model
        self._row = row
        self._cohort = cohort
        self._related = {}
        self._values = {}

    def __str__(self):
        return self._row["display"]

    def __repr__(self):
        return f"<{self._inventory.models[self._model]['class']}: {self}>"

    def __eq__(self, other):
        return isinstance(other, Record) and (self._model, self.id) == (other._model, other.id)

    def __hash__(self):
        return hash((self._model, self._row["id"]))

    @property
    def id(self):
        return self._row["id"]

    pk = id

    def _plain(self):
        return self.id

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        described = self._inventory.models[self._model]
        row = self._row
        kind = described["columns"].get(name)
        if kind is not None:
            return read(kind, row[name])
        if name in described["references"]:
            return self._reference(described["references"][name], row[name])
        if name.endswith("_id") and name[:-3] in described["references"]:
            return row[name[:-3]]
        if name in described["generic"]:
            type_key, id_key = described["generic"][name]
            model = row[type_key]
            return None if model is None or model not in self._inventory.models else self._reference(model, row[id_key])
        name = described["accessors"].get(name, name)
        if name in described["relations"]:
            related = QuerySet(self._inventory, described["relations"][name], owner=(self, name))
            if name not in described["single"]:
                return related
            found = related.first()
            if found is None:
                raise AttributeError(f"{described['class']} has no {name}")
            return found
        if name == "tags" and described["hasTags"]:
            return QuerySet(self._inventory, "extras.tag", owner=(self, "tags"))
        if name in ("custom_field_data", "custom_fields"):
            return row.get("custom_fields") or {}
        if name == "cf" and "custom_fields" in described["shown"]:
            return self._shown("custom_fields")
        if name.startswith("get_") and name.endswith("_display") and name[4:-8] in described["choices"]:
            labels, value = described["choices"][name[4:-8]], row[name[4:-8]]
            return lambda: labels.get(str(value), value)
        if name.startswith("get_") and name.endswith("_color") and name[4:-6] in described["colors"]:
            color = described["colors"][name[4:-6]].get(str(row[name[4:-6]]))
            return lambda: color
        if name == "get_config_context" and "config_context" in described["shown"]:
            return lambda: self._shown("config_context")
        if name in described["shown"]:
            return self._shown(name)
        raise AttributeError(f"'{described['class']}' object has no attribute '{name}'")

    def get_absolute_url(self):
        page = self._inventory.models[self._model]["page"]
        return f"{page}{self.id}/" if page else None

    def get_custom_fields(self, omit_hidden=False):
        """Custom fields with their values."""
        fields = self._objects("extras.customfield").filter(object_types__contains=[self._model])
        values = self.cf
        return {
            field: values.get(field.name)
            for field in fields
            if not omit_hidden
            or field.ui_visible == "always"
            or (field.ui_visible == "if-set" and values.get(field.name) not in (None, "", []))
        }

    def get_custom_fields_by_group(self):
        groups = {}
        for field, value in self.get_custom_fields(omit_hidden=True).items():
            groups.setdefault(field.group_name, {})[field] = value
        return groups

    def get_contacts(self, inherited=True):
        """Assignments of contacts to this object, and to those above it in its tree."""
        owners = self.get_ancestors(include_self=True) if inherited and hasattr(self, "get_ancestors") else [self]
        return self._objects("tenancy.contactassignment").filter(object_type=self._model, object_id__in=owners)

    def _objects(self, model=None):
        return QuerySet(self._inventory, model or self._model)

    def _reference(self, model, id):
        if id is None or model not in self._inventory.models:
            return None
        known = self._inventory.objects.setdefault(model, {})
        if id not in known:
            self._inventory.fetch(model, [id, *self._others(model)])
        return known.get(id)

    def _others(self, model):
        """What the objects that were read with this one refer to in that model."""
        references = self._inventory.models[self._model]["references"]
        keys = [key for key, target in references.items() if target == model]
        return [other._row[key] for other in self._near() for key in keys if other._row[key] is not None]

    def _near(self):
        """This object and some that were read with it."""
        at = next((index for index, each in enumerate(self._cohort) if each is self), 0)
        return self._cohort[at : at + CHUNK] or [self]

    def _shown(self, name):
        return self._inventory.shown(self._asked("shown", name))

    def _asked(self, question, name):
        """A value that the service computes, asked for all objects that were read with this one."""
        if name not in self._values:
            near = [each for each in self._near() if name not in each._values]
            values = self._inventory.ask(question, model=self._model, ids=[each.id for each in near], name=name)
            for each in near:
                each._values[name] = values.get(str(each.id))
        return self._values[name]

    def _related_objects(self, name):
        if name not in self._related:
            near = [each for each in self._near() if name not in each._related]
            answer = self._inventory.ask("related", model=self._model, ids=[each.id for each in near], name=name)
            model = answer["model"]
            self._inventory.adopt(model, answer["rows"])
            known = self._inventory.objects.setdefault(model, {})
            for each in near:
                each._related[name] = [known[id] for id in answer["of"].get(str(each.id), [])]
        return self._related[name]


class QuerySet:
    """Objects of a model, not read before somebody looks at them."""

    def __init__(self, inventory, model, owner=None, base=None, where=(), order=()):
        self._inventory = inventory
        self._model = model
        self._owner = owner
        self._base = base
        self._where = tuple(where)
        self._order = tuple(order)
        self._found = None

    def _with(self, where=(), order=None):
        return QuerySet(
            self._inventory,
            self._model,
            self._owner,
            self._base,
            [*self._where, *where],
            self._order if order is None else order,
        )

    def _plain(self):
        return [plain(row) for row in self]

    def all(self):
        return self._with()

    def distinct(self, *fields):
        return self

    select_related = prefetch_related = only = defer = using = unrestricted = distinct

    def restrict(self, *anything, **more):
        return self

    def filter(self, **wanted):
        return self._with([{"wanted": plain(wanted)}]) if wanted else self

    def exclude(self, **wanted):
        return self._with([{"wanted": plain(wanted), "not": True}]) if wanted else self

    def order_by(self, *names):
        return self._with(order=[str(name) for name in names])

    def reverse(self):
        order = self._order or ("pk",)
        return self._with(order=[name[1:] if name.startswith("-") else f"-{name}" for name in order])

    def none(self):
        found = self._with()
        found._found = []
        return found

    def _question(self):
        owner = None
        if self._owner is not None:
            record, name = self._owner
            owner = {"model": record._model, "id": record.id, "name": name}
        return {
            "model": self._model,
            "owner": owner,
            "base": self._base,
            "where": list(self._where),
            "order": list(self._order),
        }

    def _select(self, offset, limit):
        rows = self._inventory.ask("select", **self._question(), offset=offset, limit=limit)
        return self._inventory.adopt(self._model, rows)

    def _is_relation(self):
        """Whether these are just the objects that a relation leads to, which are read for many owners at once."""
        return self._owner is not None and not self._where and not self._order

    def _all(self):
        if self._found is None:
            if self._is_relation():
                record, name = self._owner
                self._found = record._related_objects(name)
            else:
                self._found = []
                while True:
                    part = self._select(len(self._found), CHUNK)
                    self._found.extend(part)
                    if len(part) < CHUNK:
                        break
        return self._found

    def __iter__(self):
        return iter(self._all())

    def iterator(self, *anything, **more):
        return iter(self._all())

    def __len__(self):
        return len(self._all())

    def __bool__(self):
        return self.exists()

    def __contains__(self, record):
        return record in self._all()

    def __getitem__(self, index):
        if isinstance(index, slice) and self._found is None and index.step is None:
            start, stop = index.start or 0, index.stop
            if start >= 0 and stop is not None and 0 <= stop - start <= CHUNK:
                return self._select(start, stop - start)
        return self._all()[index]

    def __str__(self):
        return f"<QuerySet {self._all()!r}>"

    __repr__ = __str__

    def count(self):
        if self._found is not None:
            return len(self._found)
        return self._inventory.ask("count", **self._question())

    def exists(self):
        return bool(self._found if self._found is not None else self._all() if self._owner else self._select(0, 1))

    def first(self):
        found = self._found[:1] if self._found is not None else self._all()[:1] if self._owner else self._select(0, 1)
        return found[0] if found else None

    def last(self):
        found = self._all()
        return found[-1] if found else None

    def earliest(self, *names):
        found = (self.order_by(*names) if names else self).first()
        if found is None:
            raise self._missing()
        return found

    def latest(self, *names):
        return (self.order_by(*names) if names else self).reverse().earliest()

    def get(self, **wanted):
        found = self.filter(**wanted)._select(0, 2) if wanted else self._all()[:2]
        if not found:
            raise self._missing()
        if len(found) > 1:
            raise MultipleObjectsReturned(f"{self._inventory.models[self._model]['class']}: more than one matches.")
        return found[0]

    def _missing(self):
        return DoesNotExist(f"{self._inventory.models[self._model]['class']} matching query does not exist.")

    def contains(self, record):
        return record in self

    def in_bulk(self, ids=None):
        return {record.id: record for record in (self if ids is None else self.filter(id__in=ids))}

    def names(self):
        return self.values_list("name", flat=True)

    def slugs(self):
        return self.values_list("slug", flat=True)

    def values_list(self, *names, flat=False, named=False):
        rows = [tuple(follow(record, name) for name in names) for record in self._all()]
        return [row[0] for row in rows] if flat else rows

    def values(self, *names):
        columns = self._inventory.models[self._model]["columns"]
        return [{name: follow(record, name) for name in names or columns} for record in self._all()]


def follow(record, path):
    """A value at the end of a path such as `device__site__name`; a related object is its id there."""
    value = record
    for name in path.split("__"):
        value = getattr(value, name, None)
    return value.id if isinstance(value, Record) else value
