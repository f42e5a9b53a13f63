from forms import NETBOX_WIDGETS as _widgets

globals().update(_widgets)
