from choices import named as _named
from choices import publish as _publish

_publish(
    __name__,
    TokenVersionChoices=_named(V1=1, V2=2),
)
