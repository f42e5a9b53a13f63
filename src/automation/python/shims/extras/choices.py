from choices import LogLevelChoices
from choices import named as _named
from choices import publish as _publish

_publish(
    __name__,
    CustomFieldChoiceColorChoices=_named("extras.CustomLink.button_class"),
    CustomLinkButtonClassChoices=_named(LINK="ghost-dark"),
    DashboardWidgetColorChoices=_named("extras.CustomLink.button_class"),
    WebhookHttpMethodChoices=_named(prefix="METHOD"),
)
