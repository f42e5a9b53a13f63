from django.utils.text import slugify
from errors import AbortScript
from script import Report
from variables import (
    BooleanVar,
    ChoiceVar,
    DateTimeVar,
    DateVar,
    DecimalVar,
    FileVar,
    IntegerVar,
    IPAddressVar,
    IPAddressWithMaskVar,
    IPNetworkVar,
    MultiChoiceVar,
    MultiObjectVar,
    ObjectVar,
    ScriptVariable,
    StringVar,
    TextVar,
)

_ = str
