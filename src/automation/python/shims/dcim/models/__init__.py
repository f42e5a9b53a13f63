from orm import publish as _publish

_publish(
    __name__,
    cables="Cable CableBundle CableTermination",
    device_component_templates=(
        "ConsolePortTemplate ConsoleServerPortTemplate DeviceBayTemplate FrontPortTemplate InterfaceTemplate InventoryItemTemplate "
        "ModuleBayTemplate PowerOutletTemplate PowerPortTemplate RearPortTemplate"
    ),
    device_components=(
        "ConsolePort ConsoleServerPort DeviceBay FrontPort Interface InventoryItem "
        "InventoryItemRole ModuleBay PowerOutlet PowerPort RearPort"
    ),
    devices="Device DeviceRole DeviceType MACAddress Manufacturer Platform VirtualChassis VirtualDeviceContext",
    modules="Module ModuleType ModuleTypeProfile",
    power="PowerFeed PowerPanel",
    racks="Rack RackGroup RackReservation RackRole RackType",
    sites="Location Region Site SiteGroup",
)
