"""A driver that answers from recorded files."""

from napalm.base.mock import MockDriver


class LabDriver(MockDriver):
    """The name under which NAPALM looks for it follows from that of the package."""


__all__ = ("LabDriver",)
