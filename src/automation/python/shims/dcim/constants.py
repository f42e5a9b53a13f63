from dcim.choices import InterfaceTypeChoices as _types

VIRTUAL_IFACE_TYPES = ["virtual", "lag", "bridge"]
WIRELESS_IFACE_TYPES = [
    kind
    for kind in _types.values()
    if kind.startswith("ieee802.1") or kind in ("other-wireless", "gsm", "cdma", "lte", "4g", "5g")
]
NONCONNECTABLE_IFACE_TYPES = [*VIRTUAL_IFACE_TYPES, *WIRELESS_IFACE_TYPES]
RACK_U_HEIGHT_DEFAULT = 42
RACK_STARTING_UNIT_DEFAULT = 1
INTERFACE_MTU_MIN = 1
INTERFACE_MTU_MAX = 65536
