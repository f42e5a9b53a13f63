from django.db.models import (
    Case,
    Exists,
    ExpressionWrapper,
    F,
    OrderBy,
    OuterRef,
    RowRange,
    Subquery,
    Value,
    ValueRange,
    When,
    Window,
)
