"""Conditions and expressions of query sets, as data that the service compiles to SQL."""

import datetime
import decimal
from collections.abc import Iterator, KeysView, ValuesView

from errors import Unsupported


class Combinable:
    """An expression with arithmetic."""

    def data(self):
        raise NotImplementedError

    def _with(self, operator, operand, reverse=False):
        pair = [operand, self] if reverse else [self, operand]
        return Combined(operator, *pair)

    def __add__(self, operand):
        return self._with("+", operand)

    def __sub__(self, operand):
        return self._with("-", operand)

    def __mul__(self, operand):
        return self._with("*", operand)

    def __truediv__(self, operand):
        return self._with("/", operand)

    def __radd__(self, operand):
        return self._with("+", operand, True)

    def __rsub__(self, operand):
        return self._with("-", operand, True)

    def __rmul__(self, operand):
        return self._with("*", operand, True)

    def asc(self, nulls_first=None, nulls_last=None):
        return Ordered(self, False, nulls_first, nulls_last)

    def desc(self, nulls_first=None, nulls_last=None):
        return Ordered(self, True, nulls_first, nulls_last)


class Ordered:
    """Django's `OrderBy`."""

    def __init__(self, expression, descending=False, nulls_first=None, nulls_last=None):
        if nulls_first and nulls_last:
            raise ValueError("nulls_first and nulls_last are mutually exclusive")
        self.expression = expression
        self.descending = descending
        self.nulls = "first" if nulls_first else "last" if nulls_last else None

    def data(self):
        return {"expression": expression(self.expression), "descending": self.descending, "nulls": self.nulls}


def ordered(term):
    """A term of an order: `-name`, an expression, or one with a direction."""
    if isinstance(term, Ordered):
        return term
    if isinstance(term, str):
        return Ordered(F(term.removeprefix("-")), term.startswith("-"))
    return Ordered(term)


class Combined(Combinable):
    def __init__(self, operator, left, right):
        self.operator = operator
        self.left = left
        self.right = right

    def data(self):
        return {"operator": self.operator, "of": [expression(self.left), expression(self.right)]}


class F(Combinable):
    """The value of a field, by its path."""

    def __init__(self, name):
        self.name = name

    def data(self):
        return {"path": self.name}


class OuterRef(F):
    """The value of a field in the query set around a subquery."""

    def data(self):
        return {"outer": expression(self.name)}


class Subquery(Combinable):
    """The value that a query set with one row and one column has."""

    def __init__(self, queryset, output_field=None):
        if not hasattr(queryset, "_subquery"):
            raise TypeError(f"{type(self).__name__}(…) takes a query set.")
        self.queryset = queryset

    def data(self):
        return self.queryset._subquery()


class Exists(Subquery):
    """Whether a query set has rows: a value, and a condition."""

    def __init__(self, queryset, negated=False, output_field=None):
        super().__init__(queryset)
        self.negated = negated

    def __invert__(self):
        return Exists(self.queryset, not self.negated)

    def __and__(self, condition):
        return Q(self) & condition

    def __or__(self, condition):
        return Q(self) | condition

    def __xor__(self, condition):
        return Q(self) ^ condition

    def data(self):
        return {**self.queryset._subquery(is_exists=True), "negated": self.negated}


def hoisted(data, references):
    """A question in which values of the query set around it are numbers; their expressions are added to `references`."""
    if isinstance(data, list):
        return [hoisted(item, references) for item in data]
    if not isinstance(data, dict):
        return data
    if isinstance(data.get("outer"), dict):
        references.append(data["outer"])
        return {"reference": len(references) - 1}
    # Values are no expressions, whatever their keys.
    return {key: item if key in ("wanted", "value") else hoisted(item, references) for key, item in data.items()}


class Value(Combinable):
    def __init__(self, value, output_field=None):
        self.value = value

    def data(self):
        data = {"value": plain(self.value)}
        # In JSON, 4.0 is a whole number.
        return {"cast": "FloatField", "of": [data]} if isinstance(self.value, float) else data


class Function(Combinable):
    """A function of `django.db.models.functions`; what it takes and does is known to the service."""

    def __init__(self, *arguments, output_field=None, tzinfo=None, **options):
        if tzinfo is not None:
            raise Unsupported(f"{type(self).__name__}(tzinfo=…) is not supported: times are in UTC.")
        # Arguments that Django lets callers name: `precision`, `length`, `fill_text`.
        self.arguments = [*arguments, *options.values()]

    @property
    def default_name(self):
        raise TypeError("Complex expressions require an alias")

    def data(self):
        return {"function": type(self).__name__, "of": [expression(one) for one in self.arguments]}


class OffsetFunction(Function):
    """`Lag` and `Lead`."""

    def __init__(self, expression, offset=1, default=None, **options):
        super().__init__(expression, offset, *([] if default is None else [default]), **options)


class Window(Combinable):
    """A function over the rows that agree in `partition_by`, in an order."""

    def __init__(self, expression, partition_by=None, order_by=None, frame=None, output_field=None):
        self.expression = expression
        self.partition_by = listed(partition_by)
        self.order_by = listed(order_by)
        self.frame = frame

    def data(self):
        return {
            "window": expression(self.expression),
            "partition": [expression(one) for one in self.partition_by],
            "order": [ordered(one).data() for one in self.order_by],
            "frame": None if self.frame is None else self.frame.data(),
        }


class Frame:
    """The rows of a window that a function takes, counted from the current one."""

    unit = ""

    def __init__(self, start=None, end=None):
        if start is not None and end is not None and start > end:
            raise ValueError("The start of a frame must not be after its end.")
        self.start = start
        self.end = end

    def data(self):
        return {"unit": self.unit, "start": self.start, "end": self.end}


class RowRange(Frame):
    unit = "rows"


class ValueRange(Frame):
    unit = "range"


def listed(value):
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


class OutputField:
    """A field of Django as the type of an expression: `Cast("vid", CharField())`."""

    def __init__(self, *arguments, **options):
        pass


class Cast(Combinable):
    def __init__(self, value, output_field):
        self.value = value
        self.type = output_field if isinstance(output_field, type) else type(output_field)

    def data(self):
        return {"cast": self.type.__name__, "of": [expression(self.value)]}


class ExpressionWrapper(Combinable):
    def __init__(self, expression, output_field=None):
        self.expression = expression

    def data(self):
        return expression(self.expression)


class When:
    """A case of `Case`: a condition and the value if it holds."""

    def __init__(self, condition=None, then=None, **wanted):
        self.condition = Q(*([] if condition is None else [condition]), **wanted)
        self.then = then


class Case(Combinable):
    """The value of the first case whose condition holds."""

    def __init__(self, *cases, default=None, output_field=None):
        self.cases = cases
        self.default = default

    def data(self):
        cases = [{"when": one.condition.data(), "value": expression(one.then)} for one in self.cases]
        return {"cases": cases, "otherwise": expression(self.default)}


class Aggregate(Combinable):
    """A figure over many rows, possibly only some of them (`filter`)."""

    name = ""

    def __init__(self, path, filter=None, distinct=False, default=None, **options):
        self.function = self.name
        self.path = path
        self.filter = filter
        self.distinct = distinct
        self.default = default

    @property
    def default_name(self):
        if not isinstance(self.path, str):
            raise TypeError("Complex aggregates require an alias")
        return f"{self.path}__{self.name}"

    def data(self):
        data = {"aggregate": self.function, "of": None if self.path == "*" else expression(self.path), "distinct": self.distinct}
        if self.filter is not None:
            data["where"] = self.filter.data()
        if self.default is not None:
            return {"function": "Coalesce", "of": [data, expression(self.default)]}
        return data


class Count(Aggregate):
    name = "count"


class Sum(Aggregate):
    name = "sum"


class Avg(Aggregate):
    name = "avg"


class Min(Aggregate):
    name = "min"


class Max(Aggregate):
    name = "max"


class StdDev(Aggregate):
    name = "stddev"
    stem = "stddev"

    def __init__(self, path, sample=False, **options):
        super().__init__(path, **options)
        self.function = f"{self.stem}_{'samp' if sample else 'pop'}"


class Variance(StdDev):
    name = "variance"
    stem = "var"


class Q:
    """A condition; `&`, `|`, `^` and `~` combine conditions."""

    AND = "all"
    OR = "any"

    def __init__(self, *conditions, _connector="all", _negated=False, **wanted):
        self.conditions = [*conditions, *([wanted] if wanted else [])]
        self.connector = _connector
        self.negated = _negated

    def __and__(self, condition):
        return Q(self, condition)

    def __or__(self, condition):
        return Q(self, condition, _connector="any")

    def __xor__(self, condition):
        return (self | condition) & ~(self & condition)

    def __invert__(self):
        return Q(self, _negated=True)

    def __bool__(self):
        return any(bool(one) for one in self.conditions)

    def add(self, condition, connector):
        self.conditions = [Q(*self.conditions, _connector=self.connector, _negated=self.negated), condition]
        self.connector, self.negated = connector, False
        return self

    def data(self):
        parts = [part for one in self.conditions for part in parts_of(one)]
        data = {self.connector: parts}
        return {**data, "not": True} if self.negated else data


def parts_of(condition):
    """A condition as data: what one mapping wants holds for a single related row, comparisons with other fields apart."""
    if isinstance(condition, Q):
        return [condition.data()] if condition else []
    if isinstance(condition, Combinable):
        return [{"holds": condition.data()}]
    wanted, parts = {}, []
    for name, value in condition.items():
        operand = operand_of(value)
        if operand is None:
            wanted[name] = plain(value)
            continue
        *path, lookup = name.split("__")
        if lookup not in LOOKUPS:
            path, lookup = [*path, lookup], "exact"
        parts.append({"compare": lookup, "of": [{"path": "__".join(path)}, operand]})
    return [{"wanted": wanted}, *parts] if wanted else parts


def operand_of(value):
    """The expression with which a condition compares; None for a value."""
    if isinstance(value, Combinable):
        return expression(value)
    # The ids of any other query set are values.
    subquery = value._subquery() if hasattr(type(value), "_subquery") else None
    return subquery if subquery and subquery["references"] else None


# Lookups of conditions whose right side is an expression, and of annotations; the service compiles them.
LOOKUPS = {
    *["exact", "gt", "gte", "lt", "lte", "in", "isnull"],
    *["iexact", "contains", "icontains", "startswith", "istartswith", "endswith", "iendswith"],
    *["net_contained", "net_contained_or_equal", "net_contains", "net_contains_or_equals"],
}


def is_figure(data, annotations):
    """Whether an expression is computed of several rows."""
    if not isinstance(data, dict):
        return False
    if "annotation" in data:
        return is_figure(annotations.get(data["annotation"]), annotations)
    if "window" in data:
        # A window is a value of each row; a figure in it is one of a group.
        parts = [*data["window"].get("of", ()), *data["partition"], *(one["expression"] for one in data["order"])]
        return any(is_figure(one, annotations) for one in parts)
    parts = [*(data["of"] if isinstance(data.get("of"), list) else ()), data.get("otherwise"), *data.get("references", ())]
    parts += [one["value"] for one in data.get("cases", ())]
    return "aggregate" in data or any(is_figure(one, annotations) for one in parts)


class Prefetch:
    def __init__(self, lookup, queryset=None, to_attr=None):
        self.lookup = lookup
        self.queryset = queryset
        self.to_attr = to_attr


def expression(value):
    if isinstance(value, str):
        return F(value).data()
    return value.data() if isinstance(value, Combinable) else Value(value).data()


# Not whatever can be iterated: networks are values.
SERIES = (list, tuple, set, frozenset, range, KeysView, ValuesView, Iterator)


def plain(value):
    """What the service understands: objects are their ids, everything else is JSON."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    # Asked of the class: a variable that a template does not have fails for any attribute.
    if hasattr(type(value), "_plain"):
        return value._plain()
    if isinstance(value, str):
        return str(value)
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, SERIES):
        return [plain(item) for item in value]
    if isinstance(value, datetime.datetime):
        return (value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)).isoformat()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    return str(value)
