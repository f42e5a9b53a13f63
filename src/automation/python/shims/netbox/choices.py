from choices import ColorChoices
from choices import named as _named
from choices import publish as _publish

_publish(
    __name__,
    ButtonColorChoices=_named("extras.CustomLink.button_class", GREY="gray"),
    DistanceUnitChoices=_named("circuits.Circuit.distance_unit", "UNIT"),
    WeightUnitChoices=_named("dcim.DeviceType.weight_unit", "UNIT"),
)
