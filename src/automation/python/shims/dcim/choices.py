from choices import named as _named
from choices import publish as _publish

_publish(
    __name__,
    CableEndChoices=_named("dcim.CableTermination.cable_end", "SIDE"),
    CableProfileChoices=_named(prefix=""),
    InterfacePoETypeChoices=_named(
        TYPE_1_8023AF="type1-ieee802.3af",
        TYPE_2_8023AT="type2-ieee802.3at",
        TYPE_3_8023BT="type3-ieee802.3bt",
        TYPE_4_8023BT="type4-ieee802.3bt",
    ),
    InterfaceTypeChoices=_named(
        TYPE_100ME_FIXED="100base-tx",
        TYPE_1GE_FIXED="1000base-t",
        TYPE_1GE_LX_FIXED="1000base-lx",
        TYPE_1GE_SX_FIXED="1000base-sx",
        TYPE_1GE_TX_FIXED="1000base-tx",
        TYPE_2GE_FIXED="2.5gbase-t",
        TYPE_5GE_FIXED="5gbase-t",
        TYPE_10GE_FIXED="10gbase-t",
        TYPE_50GE_QSFP28="50gbase-x-sfp28",
    ),
    PowerFeedPhaseChoices=_named(PHASE_SINGLE="single-phase", PHASE_3PHASE="three-phase"),
    PowerOutletTypeChoices=_named(TYPE_DC="dc-terminal", TYPE_USB_MICROB="usb-micro-b"),
    PowerPortTypeChoices=_named(
        TYPE_DC="dc-terminal",
        TYPE_NEUTRIK_POWERCON_20A="neutrik-powercon-20",
        TYPE_NEUTRIK_POWERCON_32A="neutrik-powercon-32",
        TYPE_USB_3_MICROB="usb-3-micro-b",
    ),
    RackFormFactorChoices=_named(
        TYPE_2POST="2-post-frame",
        TYPE_4POST="4-post-frame",
        TYPE_CABINET="4-post-cabinet",
        TYPE_WALLFRAME="wall-frame",
        TYPE_WALLFRAME_VERTICAL="wall-frame-vertical",
        TYPE_WALLCABINET="wall-cabinet",
        TYPE_WALLCABINET_VERTICAL="wall-cabinet-vertical",
    ),
    RackWidthChoices=_named(WIDTH_10IN=10, WIDTH_19IN=19, WIDTH_21IN=21, WIDTH_23IN=23),
)
