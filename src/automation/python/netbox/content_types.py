"""`ContentType`: the kinds of objects, as scripts get them from django.contrib.contenttypes."""

from errors import ObjectDoesNotExist
from objects import ObjectType


class ContentType(ObjectType):
    """A kind of object: `dcim.site`."""

    session = None

    @property
    def id(self):
        return self

    pk = id

    @property
    def name(self):
        return self.session.models[str.__str__(self)]["labels"][0]

    def model_class(self):
        return self.session.classes.get(str.__str__(self))

    def get_object_for_this_type(self, **wanted):
        return self.model_class().objects.get(**wanted)

    def _plain(self):
        return str.__str__(self)

    def __str__(self):
        described = self.session.models.get(str.__str__(self))
        app = {"dcim": "DCIM", "ipam": "IPAM", "vpn": "VPN"}.get(self.app_label, self.app_label.title())
        return f"{app} | {described['labels'][0]}" if described else str.__str__(self)


class ContentTypes:
    """`ContentType.objects`."""

    def get_for_model(self, model, for_concrete_model=True):
        return ContentType(model._model)

    def get_for_models(self, *models):
        return {model: ContentType(model._model) for model in models}

    def get(self, **wanted):
        types = self.filter(**wanted)
        if not types:
            raise ContentType.DoesNotExist("ContentType matching query does not exist.")
        return types[0]

    def get_by_natural_key(self, app_label, model):
        return self.get(app_label=app_label, model=model)

    def filter(self, **wanted):
        def fits(name):
            app, _, model = name.partition(".")
            values = {"app_label": app, "model": model, "id": name, "pk": name}
            return all(
                values.get(key.partition("__")[0]) in value if key.endswith("__in") else values.get(key) == value
                for key, value in wanted.items()
            )

        return [ContentType(name) for name in ContentType.session.models if fits(name)]

    def all(self):
        return self.filter()


ContentType.DoesNotExist = type("DoesNotExist", (ObjectDoesNotExist,), {"__module__": "django.contrib.contenttypes.models"})
ContentType.objects = ContentTypes()
