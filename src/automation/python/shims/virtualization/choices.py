from choices import named as _named
from choices import publish as _publish

_publish(
    __name__,
    VirtualMachineStartOnBootChoices=_named(prefix="STATUS", STATUS_LAST_STATE="laststate"),
)
