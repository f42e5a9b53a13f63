"""The Diode SDK, its replay tool, the device backend and the worker of the Orb agent, and pynetbox as observers."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import time

import pynetbox
import requests
from netboxlabs.diode.sdk import DiodeClient, DiodeDryRunClient
from netboxlabs.diode.sdk.ingester import Device, DeviceType, Entity, Interface, IPAddress

url = os.environ["CADASTRE_URL"]
work = pathlib.Path(os.environ["WORK"])
target = url.replace("http://", "grpc://") + "/diode"
api = requests.Session()
api.headers["Authorization"] = f"Token {os.environ['CADASTRE_TOKEN']}"
passed = failed = 0


def check(what: str, got: object, expected: object) -> None:
    global passed, failed
    if got == expected:
        passed += 1
        return
    failed += 1
    print(f"{what}: {got!r} instead of {expected!r}")


def get(path: str, **parameters: object) -> dict:
    response = api.get(f"{url}/api/{path}/", params=parameters)
    response.raise_for_status()
    return response.json()


def drift(**parameters: object) -> list:
    return get("plugins/observed/drift", limit=0, **parameters)["results"]


def accept(items: list) -> requests.Response:
    ids = [item["id"] for item in items]
    return api.post(f"{url}/api/plugins/observed/drift/accept/", json={"ids": ids})


created = api.post(f"{url}/api/plugins/observed/clients/", json={"name": "Agents"})
check("a client is created", created.status_code, 201)
credentials = created.json()
keys = {"client_id": credentials["client_id"], "client_secret": credentials["client_secret"]}


def client(name: str) -> DiodeClient:
    return DiodeClient(target=target, app_name=name, app_version="1.0.0", **keys)


def switch(number: int, **values: object) -> Entity:
    return Entity(
        device=Device(
            name=f"observed-{number}",
            serial=f"SN{number}",
            site="Observed site",
            role="Observed role",
            device_type=DeviceType(model="OS-1", manufacturer="Observed maker"),
            status="active",
            **values,
        )
    )


# The SDK: new objects, accepted, and the same again.
with client("sdk") as sdk:
    entities = [
        switch(1),
        Entity(interface=Interface(name="eth0", type="1000base-t", device=switch(1).device, mtu=1500)),
        Entity(
            ip_address=IPAddress(
                address="192.0.2.77/24",
                assigned_object_interface=Interface(name="eth0", device=switch(1).device),
            )
        ),
    ]
    check("no errors", list(sdk.ingest(entities=entities).errors), [])
    check("new devices", [item["display"] for item in drift(kind="dcim.device")], ["observed-1"])
    answer = accept(drift())
    check(f"accepted: {answer.text}", answer.status_code, 200)
    check("nothing is left", drift(), [])
    check("the port exists", get("dcim/interfaces", device="observed-1")["results"][0]["mtu"], 1500)
    sdk.ingest(entities=entities)
    check("nothing is new", drift(), [])
    sdk.ingest(entities=[switch(1, description="Rack 7")])
    check("a changed field", [(item["field"], item["observed"]) for item in drift()], [("description", "Rack 7")])
    sdk.ingest(entities=[switch(1, description="")])
    check("an empty value is a value", drift(), [])

    # 10,000 devices in one request, twice.
    many = [switch(number) for number in range(10_000)]
    seconds = []
    for _ in range(2):
        start = time.monotonic()
        check("no errors of many", list(sdk.ingest(entities=many).errors), [])
        seconds.append(time.monotonic() - start)
    check("many new devices", get("plugins/observed/drift", limit=1, kind="dcim.device")["count"], 9_999)
    print(f"10,000 devices: {seconds[0]:.1f} s, again: {seconds[1]:.1f} s")

# The replay tool, with what a dry run has recorded.
with DiodeDryRunClient(app_name="recorder", output_dir=str(work)) as recorder:
    recorder.ingest(entities=[switch(20_001)])
[recording] = work.glob("recorder*.json")
replay = subprocess.run(
    ["diode-replay-dryrun", "-t", target, "-a", "replay", "-v", "1.0.0"]
    + ["-c", keys["client_id"], "-k", keys["client_secret"], str(recording)],
    capture_output=True,
    text=True,
    check=False,
)
check(f"the replay ends well: {replay.stdout} {replay.stderr}", replay.returncode, 0)
check("it has a source", get("plugins/observed/sources", name="replay")["count"], 1)


def discovered(command: str, policy: str, name: str) -> list:
    """The differences of what a backend of the agent, as the source of this name, sends for a policy."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = open(work / f"{command}.log", "w+")
    backend = subprocess.Popen(
        [command, "-s", "127.0.0.1", "-p", str(port), "-t", target]
        + ["-c", keys["client_id"], "-k", keys["client_secret"]],
        stdout=log,
        stderr=log,
        env=os.environ | {"PYTHONPATH": str(pathlib.Path(__file__).parent)},
    )
    try:
        for _ in range(120):
            try:
                answer = requests.post(
                    f"http://127.0.0.1:{port}/api/v1/policies",
                    data=policy,
                    headers={"Content-Type": "application/x-yaml"},
                )
                break
            except requests.ConnectionError:
                time.sleep(0.5)
        check(f"{command} takes the policy: {answer.text}", answer.status_code, 201)
        for _ in range(120):
            if get("plugins/observed/sources", name=name)["count"] > 0:
                break
            time.sleep(0.5)
    finally:
        backend.terminate()
        backend.wait()
    sources = get("plugins/observed/sources", name=name)["results"]
    check(f"{command} is a source", len(sources), 1)
    if not sources:
        log.seek(0)
        print(log.read()[-3000:])
        return []
    for run in get("plugins/observed/runs", source_id=sources[0]["id"])["results"]:
        print(f"{command}:", run["entities"], "entities", run["problems"])
    return drift(source_id=sources[0]["id"])


def accept_all(items: list) -> None:
    """Accepts all differences of one source."""
    answer = accept(items)
    check(f"accepted: {answer.text}", answer.status_code, 200)
    left = drift(source_id=items[0]["source"]["id"])
    check("all of it", [(i["kind"], i["field"], i["observed"], i["current"]) for i in left], [])


# The device backend of the agent, with a recorded switch.
answers = {
    "get_facts": {
        "hostname": "lab-switch",
        "fqdn": "lab-switch.example.net",
        "vendor": "Lab",
        "model": "LS-3",
        "os_version": "4.30",
        "serial_number": "LAB0001",
        "uptime": 100,
        "interface_list": ["Ethernet1", "Management1", "Vlan10"],
    },
    "get_interfaces": {
        name: {
            "is_up": True,
            "is_enabled": True,
            "description": f"port {name}",
            "last_flapped": 1.0,
            "speed": speed,
            "mtu": 1500,
            "mac_address": f"02:00:00:00:00:0{index}",
        }
        for index, (name, speed) in enumerate([("Ethernet1", 10_000), ("Management1", 1_000), ("Vlan10", 0)])
    },
    "get_interfaces_ip": {"Management1": {"ipv4": {"192.0.2.10": {"prefix_length": 24}}}},
    "get_vlans": {"10": {"name": "users", "interfaces": ["Ethernet1"]}},
}
recordings = work / "recordings"
recordings.mkdir()
for name, content in answers.items():
    for count in range(1, 4):
        (recordings / f"{name}.{count}").write_text(json.dumps(content))
policy = f"""
policies:
  lab:
    config:
      defaults:
        site: Lab
        role: Switch
    scope:
      - driver: lab
        hostname: 192.0.2.10
        username: u
        password: p
        optional_args:
          path: {recordings}
"""
found = discovered("device-discovery", policy, "device-discovery")
if found:
    check(
        "what the backend has discovered",
        sorted(item["observed"] for item in found if item["kind"] in ("dcim.device", "dcim.interface", "ipam.ipaddress")),
        ["192.0.2.10/24", "Ethernet1", "Management1", "Vlan10", "lab-switch"],
    )
    accept_all(found)
    [device] = get("dcim/devices", name="lab-switch")["results"]
    check("the primary address", (device["primary_ip4"] or {}).get("address"), "192.0.2.10/24")

# The agent's worker, with a backend of one's own.
policy = """
policies:
  lab:
    config:
      package: lab_worker
    scope:
      devices: [worker-1, worker-2]
"""
found = discovered("orb-worker", policy, "lab-worker")
if found:
    check(
        "what the worker has sent",
        sorted(item["observed"] for item in found if item["kind"] in ("dcim.device", "dcim.interface")),
        ["eth0", "eth0", "eth1", "eth1", "worker-1", "worker-2"],
    )
    accept_all(found)
    ports = get("dcim/interfaces", device=["worker-1", "worker-2"])["results"]
    check(
        "its ports",
        [(port["device"]["name"], port["name"], port["type"]["value"], port["mtu"]) for port in ports],
        [(device, name, "1000base-t", 9000) for device in ("worker-1", "worker-2") for name in ("eth0", "eth1")],
    )

# pynetbox, with a token that observes: it goes on with objects that do not exist yet.
[user] = get("users/users", username=os.environ["CADASTRE_USER"])["results"]
token = api.post(f"{url}/api/users/tokens/", json={"user": user["id"], "version": 1, "observing": True, "description": "script"})
check("a token that observes is created", token.status_code, 201)
nb = pynetbox.api(url, token=token.json()["key"])
[lab] = nb.dcim.devices.filter(name="lab-switch")
server = nb.dcim.devices.create(
    name="py1", site=lab.site.id, role=lab.role.id, device_type=lab.device_type.id, serial="PY1"
)
ports = nb.dcim.interfaces.create(
    [{"device": server.id, "name": f"e{index}", "type": "1000base-t"} for index in range(3)]
)
address = nb.ipam.ip_addresses.create(
    address="198.51.100.9/24", assigned_object_type="dcim.interface", assigned_object_id=ports[0].id
)
check("an update of what does not exist", server.update({"primary_ip4": address.id}), True)
ports[1].description = "Uplink"
check("a saved change", ports[1].save(), True)
check("nothing is written", nb.dcim.devices.get(name="py1"), None)
[source] = get("plugins/observed/sources", name="script")["results"]
answer = accept(drift(source_id=source["id"]))
check(f"what pynetbox has created is accepted: {answer.text}", answer.status_code, 200)
check("with the ids that it was told", nb.dcim.interfaces.get(ports[1].id).description, "Uplink")
check("and the address", str(nb.dcim.devices.get(server.id).primary_ip4), "198.51.100.9/24")
check("a deletion", nb.dcim.interfaces.get(ports[2].id).delete(), True)
check("what is missing", [(d["change"], d["display"]) for d in drift(source_id=source["id"])], [("missing", "e2")])

print(f"{passed} passed, {failed} failed, 0 skipped")
sys.exit(failed > 0)
