from choices import named as _named
from choices import publish as _publish

_publish(
    __name__,
    EncryptionAlgorithmChoices=_named(ENCRYPTION_3DES="3des-cbc", ENCRYPTION_DES="des-cbc"),
)
