"""octoDNS with its provider for the DNS plugin of NetBox: zones from files into a running service, and back."""

import json
import os

import pynetbox
import pytest
import yaml
from octodns.manager import Manager

URL, TOKEN = os.environ["CADASTRE_URL"], os.environ["CADASTRE_TOKEN"]
ZONE = "octodns.example."
DKIM = "v=DKIM1\\; k=rsa\\; p=" + "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A" * 12

# All types that the provider supports, except LOC, whose longitude it formats wrongly.
RECORDS = {
    "": [
        {"type": "CAA", "ttl": 3600, "value": {"flags": 0, "tag": "issue", "value": "ca.example.net"}},
        {"type": "MX", "ttl": 3600, "values": [{"preference": 10, "exchange": "mail.octodns.example."}, {"preference": 20, "exchange": "mx.example.net."}]},
        {"type": "TXT", "ttl": 3600, "values": ["v=spf1 mx -all", "site-verification=1\\;2"]},
    ],
    "_443._tcp.www": {"type": "TLSA", "ttl": 300, "value": {"certificate_usage": 3, "selector": 1, "matching_type": 1, "certificate_association_data": "ab" * 32}},
    "_sip._tcp": {"type": "SRV", "ttl": 300, "value": {"priority": 10, "weight": 20, "port": 5060, "target": "sip.octodns.example."}},
    "alias": {"type": "CNAME", "ttl": 300, "value": "www.octodns.example."},
    "dkim._domainkey": {"type": "TXT", "ttl": 300, "value": DKIM},
    "old": {"type": "DNAME", "ttl": 300, "value": "www.example.net."},
    "ptr": {"type": "PTR", "ttl": 300, "value": "www.octodns.example."},
    "part": {"type": "NS", "ttl": 43200, "values": ["ns1.example.net.", "ns2.example.net."]},
    "service": {"type": "HTTPS", "ttl": 300, "value": {"svcpriority": 1, "targetname": ".", "svcparams": {"alpn": ["h2", "h3"], "port": "8443"}}},
    "svc": {"type": "SVCB", "ttl": 300, "value": {"svcpriority": 1, "targetname": "www.octodns.example.", "svcparams": {"alpn": ["dot"]}}},
    "www": [
        {"type": "A", "ttl": 300, "values": ["192.0.2.1", "192.0.2.2"]},
        {"type": "AAAA", "ttl": 300, "value": "2001:db8::1"},
        {"type": "SSHFP", "ttl": 300, "value": {"algorithm": 4, "fingerprint_type": 2, "fingerprint": "0123456789abcdef" * 4}},
    ],
}
TYPES = {"A", "AAAA", "CAA", "CNAME", "DNAME", "HTTPS", "MX", "NS", "PTR", "SRV", "SSHFP", "SVCB", "TLSA", "TXT"}


@pytest.fixture(scope="module")
def dns():
    api = pynetbox.api(URL, token=TOKEN)
    pack = api.core.packs.get(name="dns")
    pack.enabled = True
    pack.save()
    plugin = api.plugins.netbox_dns
    server = plugin.nameservers.create(name="ns1.example.net")
    plugin.zones.create(name=ZONE[:-1], nameservers=[server.id], soa_mname=server.id, soa_rname="hostmaster.example.net")
    return plugin


class Sync:
    def __init__(self, folder):
        self.folder, self.files = folder, folder / "zones"
        self.files.mkdir()
        provider = {"class": "octodns_netbox_dns.NetBoxDNSProvider", "url": URL, "token": TOKEN, "view": None}
        files = {"class": "octodns.provider.yaml.YamlProvider", "directory": str(self.files)}
        self.config = folder / "config.yaml"
        self.config.write_text(
            yaml.safe_dump(
                {
                    "providers": {"files": files, "server": provider},
                    "zones": {ZONE: {"sources": ["files"], "targets": ["server"]}},
                }
            )
        )

    def write(self, records):
        (self.files / f"{ZONE}yaml").write_text(yaml.safe_dump(records))

    def run(self):
        """The number of changes that a run plans and makes."""
        return Manager(str(self.config)).sync(dry_run=False, force=True)

    def dump(self):
        folder = self.folder / "dumped"
        Manager(str(self.config)).dump(zone=ZONE, output_dir=str(folder), sources=["server"])
        return yaml.safe_load((folder / f"{ZONE}yaml").read_text())


@pytest.fixture
def sync(tmp_path, dns):
    return Sync(tmp_path)


def listed(records):
    """Records by name, each a list, without what says nothing."""
    return {
        name: sorted((entry if isinstance(entry, list) else [entry]), key=lambda record: record["type"])
        for name, entry in records.items()
    }


def as_text(value):
    return json.dumps(value, sort_keys=True)


def of_server(dns):
    return {(record.name, record.type) for record in dns.records.filter(zone=ZONE[:-1], managed=False)}


def test_a_second_run_plans_nothing(sync, dns):
    apex = {"type": "NS", "ttl": 43200, "value": "ns1.example.net."}
    records = {**RECORDS, "": [*RECORDS[""], apex]}
    sync.write(records)
    assert sync.run() > 0
    assert sync.run() == 0
    assert {kind for _, kind in of_server(dns)} == TYPES


def test_a_dump_has_what_the_files_had(sync):
    dumped = listed(sync.dump())
    dumped[""] = [record for record in dumped[""] if record["type"] != "NS"]
    wanted = listed(RECORDS)
    assert dumped.keys() == wanted.keys()
    for name, entry in wanted.items():
        assert [record["type"] for record in dumped[name]] == [record["type"] for record in entry]
        for got, expected in zip(dumped[name], entry, strict=True):
            for key in ("value", "values"):
                if isinstance(expected.get(key), list):
                    assert sorted(map(as_text, got[key])) == sorted(map(as_text, expected[key])), name
                elif key in expected:
                    assert got[key] == expected[key], name


def test_changes_are_made_once(sync, dns):
    changed = {
        **{name: entry for name, entry in RECORDS.items() if name not in ("alias", "service", "svc", "old", "dkim._domainkey")},
        "www": [{"type": "A", "ttl": 600, "values": ["192.0.2.1", "192.0.2.3"]}, *RECORDS["www"][1:]],
        "": [*RECORDS[""], {"type": "NS", "ttl": 43200, "value": "ns1.example.net."}],
    }
    sync.write(changed)
    assert sync.run() == 6
    assert sync.run() == 0
    assert {str(record.value): record.ttl for record in dns.records.filter(name="www", type="A", zone=ZONE[:-1])} == {
        "192.0.2.1": 600,
        "192.0.2.3": 600,
    }
    assert not list(dns.records.filter(name="alias", zone=ZONE[:-1]))


def test_pynetbox_reads_and_writes_all_collections(dns):
    for name in ("views", "zones", "nameservers", "records", "registrars", "contacts", "zonetemplates"):
        assert getattr(dns, name).count() >= 0
    assert dns.recordtemplates.count() + dns.dnsseckeytemplates.count() + dns.dnssecpolicies.count() == 0
    assert dns.prefixes.count() > 0
    zone = dns.zones.get(name=ZONE[:-1])
    record = dns.records.create(zone=zone.id, name="py", type="A", value="192.0.2.9")
    record.ttl = 60
    assert record.save()
    assert dns.records.get(record.id).fqdn == "py.octodns.example."
    with pytest.raises(pynetbox.RequestError):
        dns.records.get(zone_id=zone.id, type="SOA").delete()
    assert record.delete()
