"""A backend of the Orb agent's worker: devices with two ports each."""

from collections.abc import Iterable

from netboxlabs.diode.sdk.ingester import Device, DeviceType, Entity, Interface

# The worker takes the first `Backend` that it finds in this module, so the base class must not be one of its names.
from worker import backend
from worker.models import Metadata, Policy


class LabBackend(backend.Backend):
    """Yields the devices of the policy's scope."""

    @classmethod
    def describe(cls) -> Metadata:
        return Metadata(name="lab", app_name="lab-worker", app_version="1.0.0")

    def run(self, policy_name: str, policy: Policy, **_: object) -> Iterable[Entity]:
        for name in policy.scope["devices"]:
            device = Device(
                name=name,
                site="Worker site",
                role="Worker role",
                device_type=DeviceType(model="WS-2", manufacturer="Worker maker"),
                status="active",
            )
            yield Entity(device=device)
            for port in ("eth0", "eth1"):
                yield Entity(interface=Interface(name=port, type="1000base-t", mtu=9000, device=device))
