from choices import named as _named
from choices import publish as _publish

_publish(
    __name__,
    WirelessChannelChoices=_named("dcim.Interface.rf_channel"),
    WirelessRoleChoices=_named("dcim.Interface.rf_role"),
)
