from choices import named as _named
from choices import publish as _publish

_publish(
    __name__,
    ServiceProtocolChoices=_named(prefix="PROTOCOL"),
    VLANQinQRoleChoices=_named(ROLE_SERVICE="svlan", ROLE_CUSTOMER="cvlan"),
)
