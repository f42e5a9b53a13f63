"""Scripts for the tests of scripts in Python."""
from django.forms import PasswordInput, Textarea
from django.utils.text import slugify

from dcim.choices import SiteStatusChoices
from dcim.models import Region, Site
from extras.reports import Report
from extras.scripts import (
    BooleanVar, ChoiceVar, DateVar, FileVar, IntegerVar, IPNetworkVar, MultiChoiceVar, ObjectVar, Script, StringVar,
)
from naming import short_name
from utilities.exceptions import AbortScript

name = "Offices"


class OpenOffice(Script):
    class Meta:
        name = "Open an office"
        description = "Adds a site"
        commit_default = False
        field_order = ("region", "title")
        fieldsets = (("Office", ("region", "title", "status", "secret", "remarks")), ("Numbers", ("floors",)))
        job_timeout = "2m"
        notifications_default = "on_failure"

    title = StringVar(label="Name", description="As on the door", min_length=3, max_length=20)
    status = ChoiceVar(choices=SiteStatusChoices, default=SiteStatusChoices.STATUS_PLANNED)
    region = ObjectVar(model=Region, required=False, query_params={"name__ic": "north"}, null_option="Nowhere")
    floors = IntegerVar(min_value=1, max_value=90, default=2)
    secret = StringVar(widget=PasswordInput, required=False)
    remarks = StringVar(widget=Textarea, required=False)
    rooms = MultiChoiceVar(choices=(("lab", "Laboratory"), ("hall", "Hall")), required=False)
    opening = DateVar(required=False)
    network = IPNetworkVar(required=False)
    plan = FileVar(required=False)

    def run(self, data, commit):
        if data["title"] == "Stop":
            raise AbortScript("stopped")
        site = Site(name=data["title"], slug=slugify(data["title"]), status=data["status"], region=data["region"])
        site.full_clean()
        site.save()
        self.log_success(f"Opened **{short_name(site)}**", site)
        plan = data["plan"].read().decode() if data["plan"] else None
        return {"floors": data["floors"], "opening": data["opening"], "plan": plan, "rooms": data["rooms"]}


class Counts(Report):
    description = "Counts sites"

    def test_names(self):
        for site in Site.objects.all():
            self.log_success(site, "has a name")

    def test_regions(self):
        self.log_failure(None, "no regions")


class Never(Script):
    class Meta:
        scheduling_enabled = False
        job_timeout = "soon"

    sure = BooleanVar()

    def run(self, data, commit):
        return "never"


class Watch(Script):
    class Meta:
        name = "Watch regions"
        notifications_default = "never"

    def run(self, data, commit):
        return f"{data['name']} {data['slug']}"


script_order = (OpenOffice,)
