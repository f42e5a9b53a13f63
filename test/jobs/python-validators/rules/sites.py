"""Validators for the tests, in a directory without `__init__.py`."""
from extras.validators import CustomValidator


class ActiveSites(CustomValidator):
    def validate(self, instance, request):
        if instance.status == "active" and not instance.description:
            self.fail(f"{request.user.username} must describe active sites.", field="description")


class FacilityStays(CustomValidator):
    """With the signature of older releases."""

    def validate(self, site):
        if site.pk is not None and site._prechange_snapshot["facility"] and not site.facility:
            self.fail("The facility must not be removed.", field="facility")
