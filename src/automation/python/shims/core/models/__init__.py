from orm import publish as _publish

_publish(
    __name__,
    change_logging="ObjectChange",
    data="DataFile DataSource",
    jobs="Job",
    object_types="ObjectType",
)
