from forms import NETBOX_FIELDS as _fields
from forms import ExpandableIPAddressField, ExpandableIPNetworkField, ExpandableNameField

globals().update(_fields)
