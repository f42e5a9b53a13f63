from forms import (
    add_blank_choice,
    expand_alphanumeric_pattern,
    expand_ipaddress_pattern,
    expand_ipnetwork_pattern,
    parse_alphanumeric_range,
    parse_numeric_range,
)

from .constants import *
