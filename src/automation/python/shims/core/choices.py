from choices import named as _named
from choices import publish as _publish

_publish(
    __name__,
    DataSourceStatusChoices=_named(prefix=""),
    JobNotificationChoices=_named("core.Job.notifications", "NOTIFICATION"),
    ManagedFileRootPathChoices=_named("extras.ScriptModule.file_root", ""),
)
