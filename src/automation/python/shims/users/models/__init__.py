from orm import publish as _publish

_publish(
    __name__,
    owners="Owner OwnerGroup",
    permissions="ObjectPermission",
    users="Group User",
)
