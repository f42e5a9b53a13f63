"""Query sets: objects of a model that are read when somebody looks at them, and what is done to all of them."""

import datetime
import functools

from errors import FieldError, ObjectDoesNotExist, Unsupported
from expressions import LOOKUPS, Case, Combinable, Ordered, Prefetch, Q, Value, When
from expressions import expression, hoisted, is_figure, ordered, parts_of
from managers import METHODS
from objects import CHUNK, QuerySet, Record
from session import Refused, refusal_of
from values import slug_of, unmarked, value_of
from writes import create, delete

# Paths of conditions that Django has under another name.
RENAMED_PATHS = {
    "dcim.device": {"device_role": "role"},
    "virtualization.virtualmachine": {"device_role": "role"},
    "ipam.prefix": {"site": "_site"},
    "virtualization.cluster": {"site": "_site"},
}
ASYNCHRONOUS = {
    f"a{name}"
    for name in [
        *["get", "create", "get_or_create", "update_or_create", "bulk_create", "bulk_update", "count", "in_bulk", "iterator"],
        *["latest", "earliest", "first", "last", "aggregate", "exists", "contains", "update", "delete", "explain"],
    ]
}
OPPOSITES = {"first": "last", "last": "first"}
# Kinds of columns with the type of an object.
TYPES = ("genericForeignKey", "objectType")


def replaced(data, name, expression):
    """An expression with another one in place of the annotation of this name."""
    if isinstance(data, list):
        return [replaced(item, name, expression) for item in data]
    if not isinstance(data, dict):
        return data
    if data.get("annotation") == name:
        return expression
    # A subquery has annotations of its own; those around it are its references.
    inner = ("subquery", "exists")
    return {key: value if key in inner else replaced(value, name, expression) for key, value in data.items()}


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

    def distinct(self, *fields):
        if fields:
            raise Unsupported("distinct() with fields is not supported: use values(…).distinct(), or pick objects in Python.")
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
        if "holds" in part:
            return {**part, "holds": self._inner(part["holds"])}
        key = "any" if "any" in part else "all"
        return {**part, key: [self._named(one) for one in part[key]]}

    def _inner(self, data):
        """An expression with today's names, in which annotations are known as such."""
        if "path" in data:
            name = data["path"]
            return {"annotation": name} if name in self._annotations else {"path": self._path(name)}
        inner = dict(data)
        if isinstance(data.get("of"), (list, dict)):
            inner["of"] = [self._inner(one) for one in data["of"]] if isinstance(data["of"], list) else self._inner(data["of"])
        if "references" in data:
            inner["references"] = [self._inner(one) for one in data["references"]]
        if "window" in data:
            inner["window"] = self._inner(data["window"])
            inner["partition"] = [self._inner(one) for one in data["partition"]]
            inner["order"] = [{**one, "expression": self._inner(one["expression"])} for one in data["order"]]
        if "where" in data:
            inner["where"] = self._named(data["where"])
        if "cases" in data:
            inner["cases"] = [{"when": self._named(one["when"]), "value": self._inner(one["value"])} for one in data["cases"]]
            inner["otherwise"] = self._inner(data["otherwise"])
        return inner

    @staticmethod
    def _comparison(lookup):
        if lookup not in LOOKUPS:
            raise FieldError(f"Unsupported lookup '{lookup}' for an annotation.")
        return lookup

    def order_by(self, *names):
        return self._with(order=[self._order_term(one) for one in names])

    def _order_term(self, term):
        if isinstance(term, (Ordered, Combinable)):
            data = ordered(term).data()
            return {**data, "expression": self._inner(data["expression"])}
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
            {**one, "descending": not one["descending"], "nulls": OPPOSITES.get(one.get("nulls"))}
            if isinstance(one, dict)
            else one[1:]
            if one.startswith("-")
            else f"-{one}"
            for one in order
        ]
        return self._with(order=turned)

    def annotate(self, *expressions, **named):
        return self._annotated(expressions, named, is_shown=True)

    def alias(self, *expressions, **named):
        return self._annotated(expressions, named, is_shown=False)

    def _annotated(self, expressions, named, is_shown):
        added = {**{one.default_name: one for one in expressions}, **named}
        data, state = {}, self
        for name, one in added.items():
            if isinstance(one, Q):
                one = Case(When(one, then=Value(True)), default=Value(False))
            if not isinstance(one, Combinable):
                raise Unsupported(f"annotate({name}={type(one).__name__}(…)) is not supported.")
            data[name] = state._inner(one.data())
            former = state._annotations
            if name in former:
                # What names the former annotation keeps its meaning.
                data[name] = replaced(data[name], name, former[name])
                former = {key: replaced(value, name, former[name]) for key, value in former.items()}
            state = state._with(annotations={**former, name: data[name]})
        if self._names is None:
            return state
        names = self._names["names"]
        shown = [*names, *data] if is_shown else names
        return state._with(names={**self._names, "names": shown, "group": self._group_with(data)})

    def _group_with(self, added):
        """Names of the values that rows of a group share: the first figure after values() groups by them."""
        group, names = self._names["group"], self._names["names"]
        if group is not None:
            return [*group, *(name for name, one in added.items() if not is_figure(one, self._annotations))]
        had_figures = any(is_figure(one, self._annotations) for one in self._annotations.values())
        if had_figures or not any(is_figure(one, self._annotations) for one in added.values()):
            return None
        return [*names, *(name for name, one in added.items() if not is_figure(one, self._annotations))]

    @property
    def _is_grouped(self):
        return self._names is not None and self._names["group"] is not None

    def aggregate(self, *expressions, **named):
        wanted = {**{one.default_name: one for one in expressions}, **named}
        if self._is_grouped:
            raise Unsupported("aggregate() after values(…).annotate(…) is not supported: compute it from the rows in Python.")
        chosen = self
        if self._is_empty or self._slice != (0, None):
            # Figures of no objects, and of the objects of a slice.
            ids = [] if self._is_empty else [row[0] for row in self._with(names=None)._table([{"path": "id"}], *self._window())]
            chosen = Selection(self._session, self._model, annotations=self._annotations).filter(pk__in=ids)
        rows = chosen._table([chosen._inner(one.data()) for one in wanted.values()], whole=True)
        return dict(zip(wanted, [unmarked(value) for value in rows[0]]))

    def _window(self):
        low, high = self._slice
        return low, None if high is None else max(high - low, 0)

    def values(self, *names, **expressions):
        return self._valued("dict", names, expressions)

    def values_list(self, *names, flat=False, named=False, **expressions):
        if flat and named:
            raise TypeError("'flat' and 'named' can't be used together.")
        if flat and len(names) > 1:
            raise TypeError("'flat' is not valid when values_list is called with more than one field.")
        texts = [one for one in names if isinstance(one, str)]
        for index, one in enumerate(one for one in names if not isinstance(one, str)):
            label = getattr(one, "name", type(one).__name__.lower())
            expressions[f"{label}{index + 1}"] = one
        return self._valued("flat" if flat else "named" if named else "tuple", texts, expressions)

    def _valued(self, form, names, expressions):
        described = self._session.models[self._model]
        every = ["id", *described["columns"], *(f"{name}_id" for name in described["references"]), *self._annotations]
        chosen = self.annotate(**expressions) if expressions else self
        # Once rows are grouped, other names choose columns.
        group = self._names["group"] if self._is_grouped else None
        shown = [*names, *expressions] if names or expressions else every
        return chosen._with(names={"form": form, "names": shown, "group": group})

    def dates(self, field_name, kind, order="ASC"):
        return self._starts(field_name, kind, order, ("year", "month", "week", "day"), datetime.datetime.date)

    def datetimes(self, field_name, kind, order="ASC", tzinfo=None):
        units = ("year", "month", "week", "day", "hour", "minute", "second")
        return self._starts(field_name, kind, order, units, lambda value: value)

    def _starts(self, name, kind, order, units, convert):
        """The years, months or other units in which the values of a field lie."""
        if kind not in units or order not in ("ASC", "DESC"):
            raise ValueError(f"'kind' must be one of {', '.join(units)}, and 'order' either 'ASC' or 'DESC'.")
        unit = {"function": f"Trunc{kind.title()}", "of": [{"path": self._path(name)}]}
        rows = self.filter(**{f"{name}__isnull": False})._with(annotations={"unit": unit}, is_distinct=True)
        ordered = rows.order_by("-unit" if order == "DESC" else "unit")
        return [convert(unmarked(value)) for (value,) in ordered._table([{"annotation": "unit"}])]

    def none(self):
        return self._with(is_empty=True)

    def union(self, *sets):
        raise Unsupported("union() is not supported: combine conditions with Q(…) | Q(…).")

    intersection = difference = union

    def extra(self, *arguments, **options):
        raise Unsupported("Queries in SQL are not supported: scripts read through the models.")

    raw = explain = extra

    def __getattr__(self, name):
        """Methods that NetBox gives to single models, and clear words for Django's asynchronous ones."""
        method = METHODS.get(self._model, {}).get(name) if not name.startswith("_") else None
        if method is not None:
            return functools.partial(method, self)
        if name in ASYNCHRONOUS:
            raise Unsupported(f"{name}() is not supported: scripts are not asynchronous; use {name[1:]}().")
        if name == "query":
            raise Unsupported("The SQL of a query set is not available to scripts.")
        raise AttributeError(f"'RestrictedQuerySet' object has no attribute '{name}'")

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

    def _subquery(self, is_exists=False):
        """The query set as a part of an expression of another one; values of that one are its references."""
        names = [] if is_exists else (self._names or {}).get("names", ["pk"])
        if len(names) > 1:
            raise FieldError("A subquery must return one column: name it in values(…).")
        offset, limit = self._window()
        group = [self._column(name) for name in self._names["group"]] if self._is_grouped else None
        columns = [self._column(name) for name in names]
        question = {**self._question(), "columns": columns, "group": group, "offset": offset, "limit": limit}
        if self._is_empty:
            question["where"] = [{"all": [], "not": True}]
        references = []
        question = hoisted(question, references)
        return {"exists" if is_exists else "subquery": question, "references": references}

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
                    record.__dict__[name] = unmarked(value)
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
        columns = [self._column(name) for name in names]
        group = [self._column(name) for name in self._names["group"]] if self._is_grouped else None
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

    def _column(self, name):
        return {"annotation": name} if name in self._annotations else {"path": self._path(name)}

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
        if self._is_grouped:
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

    def in_bulk(self, id_list=None, *, field_name="pk"):
        records = self if id_list is None else self.filter(**{f"{field_name}__in": list(id_list)})
        return {getattr(record, field_name): record for record in records}

    def contains(self, record):
        if not isinstance(record, Record):
            raise TypeError("'obj' must be a model instance.")
        if record.pk is None:
            raise ValueError("QuerySet.contains() cannot be used on unsaved objects.")
        if self._found is not None or self._slice != (0, None):
            return record in self._all()
        return record._model == self._model and self.filter(pk=record.pk).exists()

    def complex_filter(self, condition):
        return self.filter(condition)

    @property
    def ordered(self):
        return bool(self._order) or not self._is_grouped

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
        if any(options.values()):
            raise Unsupported(f"bulk_create({next(iter(options))}=…) is not supported: use update_or_create().")
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
    objects = Selection(record._session, record._model).filter(pk=record.pk)
    rows = objects._table([objects._inner(expression(value))])
    return unmarked(rows[0][0])


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
        names = [one for one in records if isinstance(one, str) and self._model == "extras.tag"]
        ids = {}
        for one in records:
            if one not in names:
                ids[one] = one.pk if isinstance(one, Record) else int(one)
        if not names:
            return list(ids.values())
        tags = Selection(self._session, "extras.tag")
        known_tags = {tag.name: tag.pk for tag in tags.filter(name__in=names)}
        for name in dict.fromkeys(names):
            if name not in known_tags:
                known_tags[name] = tags.create(name=name, slug=slug_of(name)).pk
        return [known_tags[one] if isinstance(one, str) else ids[one] for one in records]

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
