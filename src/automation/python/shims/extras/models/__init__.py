from orm import publish as _publish

_publish(
    __name__,
    configs="ConfigContext ConfigContextProfile ConfigTemplate",
    customfields="CustomField CustomFieldChoiceSet",
    models="Bookmark CustomLink EventRule ExportTemplate ImageAttachment JournalEntry SavedFilter TableConfig Webhook",
    notifications="Notification NotificationGroup Subscription",
    scripts="Script",
    tags="Tag",
)
