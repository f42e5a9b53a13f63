"""Has the name of a module of the package for scripts, and imports another such file."""
from dcim.models import Region
from extras.validators import CustomValidator
from values import MOST_SITES


class FullRegions(CustomValidator):
    def validate(self, site):
        if site.region and site.region.sites.exclude(pk=site.pk).count() >= MOST_SITES:
            self.fail(f"{Region.objects.get(pk=site.region_id)} has two sites.")
