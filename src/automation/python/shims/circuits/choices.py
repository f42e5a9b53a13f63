from choices import publish as _publish

_publish(__name__)
