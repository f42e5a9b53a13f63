"""Functions that the service compiles to SQL. It tells their names; `python/questions/functions.ts` lists them."""

import session as _session
from errors import Unsupported as _Unsupported
from expressions import Cast
from expressions import Function as _Function
from expressions import OffsetFunction as _OffsetFunction

_functions = {name: type(name, (_Function,), {"__module__": __name__}) for name in _session.current.facts["functions"]}
globals().update(_functions)

Lag = type("Lag", (_OffsetFunction,), {"__module__": __name__})
Lead = type("Lead", (_OffsetFunction,), {"__module__": __name__})


def _by_unit(prefix):
    """`Extract("created", "year")` is `ExtractYear("created")`; so is `Trunc`."""

    def function(value, unit, **options):
        name = prefix + "".join(part.capitalize() for part in unit.split("_"))
        if name not in _functions:
            raise _Unsupported(f"{prefix}(…, '{unit}') is not supported.")
        return _functions[name](value, **options)

    return function


Extract = _by_unit("Extract")
Trunc = _by_unit("Trunc")
