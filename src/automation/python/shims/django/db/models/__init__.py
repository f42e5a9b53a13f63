import session as _session
from errors import ObjectDoesNotExist, ProtectedError, RestrictedError
from expressions import (
    Aggregate,
    Avg,
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    Max,
    Min,
    OuterRef,
    Prefetch,
    Q,
    RowRange,
    StdDev,
    Subquery,
    Sum,
    Value,
    ValueRange,
    Variance,
    When,
    Window,
)
from expressions import Ordered as OrderBy
from expressions import OutputField as _OutputField
from orm import Model
from query_sets import Selection as QuerySet

# Fields as types of expressions, those that the service can cast to.
globals().update({name: type(name, (_OutputField,), {"__module__": __name__}) for name in _session.current.facts["fieldTypes"]})
