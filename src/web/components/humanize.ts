import { ownValue } from '../../schema/json.ts'

/** A name as words: `available-ips` becomes `Available IPs`. */
export function humanize(name: string): string {
  const words = name
    .replace(/^_/, '')
    .split(/[-_ ]/)
    .map((word) => ownValue(ACRONYMS, word) ?? word)
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Words that are written in capitals. */
const ACRONYMS: Readonly<Record<string, string>> = {
  asn: 'ASN',
  asns: 'ASNs',
  dns: 'DNS',
  id: 'ID',
  ids: 'IDs',
  ike: 'IKE',
  ip: 'IP',
  ip4: 'IPv4',
  ip6: 'IPv6',
  ipaddresses: 'IP addresses',
  ips: 'IPs',
  ipsec: 'IPSec',
  l2vpn: 'L2VPN',
  lag: 'LAG',
  lans: 'LANs',
  mac: 'MAC',
  nat: 'NAT',
  oob: 'OOB',
  pfs: 'PFS',
  poe: 'PoE',
  qinq: 'Q-in-Q',
  rf: 'RF',
  rir: 'RIR',
  svlan: 'SVLAN',
  ui: 'UI',
  url: 'URL',
  vc: 'VC',
  vdcs: 'VDCs',
  vid: 'VID',
  vlan: 'VLAN',
  vlans: 'VLANs',
  vrf: 'VRF',
  wwn: 'WWN',
}
