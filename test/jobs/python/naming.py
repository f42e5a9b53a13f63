"""A module that a script imports; it contains none."""


def short_name(site):
    return site.name[:4]
