import session as _session
from errors import NoReverseMatch


def reverse(name, args=(), kwargs=None, **options):
    """Paths of pages: `dcim:device` with an id, `dcim:device_list` without."""
    app, _, model = name.partition(":")
    id = (list(args) or list((kwargs or {}).values()) or [None])[0]
    described = _session.current.models.get(f"{app}.{model.removesuffix('_list')}")
    if described and described["page"] and (id is None) == model.endswith("_list"):
        return described["page"] if id is None else f"{described['page']}{id}/"
    raise NoReverseMatch(f"Reverse for '{name}' not found.")
