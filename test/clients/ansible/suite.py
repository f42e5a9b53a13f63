"""An unmodified netbox.netbox collection works with an inventory: modules, lookup plugin, inventory plugin.

Each task and each statement about the inventory counts as one test. `run` starts a server.
"""

import json
import re
import subprocess
import sys
import urllib.request
from os import environ
from pathlib import Path

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
RESULT = re.compile(r"^(ok|changed|fatal|failed): \[localhost\]", re.MULTILINE)

passed = failed = 0


def check(name, good, told=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {told.strip()[:1500]}")


def command(*words, **more):
    result = subprocess.run([BIN / words[0], *words[1:]], capture_output=True, text=True, cwd=HERE, env={**environ, **more})
    if result.returncode not in (0, 2):
        print(result.stdout[-2000:], result.stderr[-4000:])
    return result.stdout


def outcomes(playbook):
    """Name, outcome and output of each task."""
    output = command("ansible-playbook", "-i", "localhost,", "-e", f"ansible_python_interpreter={sys.executable}", playbook)
    tasks = re.split(r"^TASK \[(.*?)\] \**$", output.split("PLAY RECAP")[0], flags=re.MULTILINE)[1:]
    for name, told in zip(tasks[::2], tasks[1::2], strict=True):
        found = RESULT.search(told)
        yield name, found and found[1], told


def api(path):
    request = urllib.request.Request(
        environ["CADASTRE_URL"] + path, headers={"Authorization": f"Token {environ['CADASTRE_TOKEN']}"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def plain(value):
    """Without the marks that keep texts of others from being templates."""
    if isinstance(value, dict):
        if set(value) == {"__ansible_unsafe"}:
            return value["__ansible_unsafe"]
        return {plain(name): plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def test_modules():
    for run, wanted in (("first", "changed"), ("second", "ok")):
        tasks = list(outcomes("modules.yml"))
        check(f"{run} run: at least 25 modules", len({name for name, _, _ in tasks}) >= 25, str(len(tasks)))
        for name, outcome, told in tasks:
            check(f"{run} run of {name} is {wanted}", outcome == wanted, told)


def master_of(device):
    chassis = device["virtual_chassis"] or {}
    return (chassis.get("master") or {}).get("id")


def test_inventory():
    told = command(
        "ansible-inventory",
        "-i",
        "inventory.yml",
        "--list",
        NETBOX_API=environ["CADASTRE_URL"],
        NETBOX_TOKEN=environ["CADASTRE_TOKEN"],
    )
    inventory = plain(json.loads(told or "{}"))
    hosts = inventory.get("_meta", {}).get("hostvars", {})
    devices = api("/api/dcim/devices/?limit=0&fields=id,name,virtual_chassis")["results"]
    # Of a virtual chassis only the master is a host.
    devices = [each for each in devices if master_of(each) in (None, each["id"])]
    machines = api("/api/virtualization/virtual-machines/?limit=0&fields=id,name")["results"]
    names = {each["name"] for each in devices + machines if each["name"]}
    check("every named device and machine is a host", names <= set(hosts), str(sorted(names - set(hosts))[:5]))
    host = hosts.get("ans-sw1", {})
    for key, value in (("sites", ["ans-site"]), ("serial", "A1"), ("tags", ["ans-tag"])):
        check(f"{key} of a host", host.get(key) == value, str(host.get(key)))
    context = host.get("config_context")
    joined = {"ntp": ["192.0.2.1"], "here": True}
    check("context of a host", context and joined.items() <= context[0].items(), str(context))
    interfaces = {each["name"]: each for each in host.get("interfaces", [])}
    check("interfaces of a host", {"xe-0", "xe-1"} <= set(interfaces), str(list(interfaces)))
    addresses = [each["address"] for each in interfaces.get("xe-0", {}).get("ip_addresses", [])]
    check("addresses of an interface", addresses == ["198.52.7.9/24"], str(addresses))
    check("composed variable", isinstance(host.get("own_id"), int), str(host.get("own_id")))
    group = inventory.get("sites_ans-site", {})
    check("group of a site", "ans-sw1" in group.get("hosts", []), str(group))


def test_documented_inventory():
    """The inventory for many hosts in docs/use/clients.md, with a site of this service."""
    page = (HERE.parents[2] / "docs/use/clients.md").read_text()
    [example] = re.findall(r"```yaml\n(plugin: netbox\.netbox\.nb_inventory\n[^`]*fetch_all[^`]*\n)```", page, flags=re.DOTALL)
    hosts = api("/api/dcim/devices/?status=active&has_primary_ip=true&limit=0&fields=name,site,virtual_chassis,id")["results"]
    site = next(device["site"]["slug"] for device in hosts if device["name"])
    example = example.replace("https://cadastre.example.com", environ["CADASTRE_URL"])
    example = example.replace("<token>", environ["CADASTRE_TOKEN"]).replace("harbour-house", site)
    path = Path(environ["HOME"]) / "documented.yml"
    path.write_text(example)
    inventory = plain(json.loads(command("ansible-inventory", "-i", str(path), "--list") or "{}"))
    names = {device["name"] for device in hosts if device["site"]["slug"] == site and device["name"]}
    group = inventory.get(f"sites_{site.replace('-', '_')}", inventory.get(f"sites_{site}", {}))
    check("the documented inventory has the hosts of its filters", names <= set(group.get("hosts", [])), str(group))


def test_others():
    for name, outcome, told in outcomes("others.yml"):
        check(name, outcome in ("ok", "changed"), told)


test_modules()
test_inventory()
test_documented_inventory()
test_others()
print(f"{passed} passed, {failed} failed, 0 skipped")
sys.exit(failed > 0)
