import { contains, type Interface, type Ip, parseInterface, parseIp } from '../net/ip.ts'

/** Networks that webhooks reach only if the configuration names them: those that are not part of the public Internet. */
const CLOSED: readonly Interface[] = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by customers of a provider
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // former relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '::/96', // unspecified, loopback, former IPv4-compatible addresses
  '64:ff9b:1::/48', // local translation
  '100::/64', // discard
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
  'fc00::/7', // unique local
  'fe80::/10', // link-local
  'fec0::/10', // former site-local
  'ff00::/8', // multicast
].flatMap((text) => parseInterface(text) ?? [])

/** IPv6 networks whose addresses stand for the IPv4 address in the bits above `shift`. */
const EMBEDDING: readonly { readonly network: Interface; readonly shift: bigint }[] = (
  [
    ['::ffff:0:0/96', 0n], // IPv4-mapped
    ['64:ff9b::/96', 0n], // translated
    ['2002::/16', 80n], // 6to4
  ] as const
).flatMap(([text, shift]) => {
  const network = parseInterface(text)
  return network ? [{ network, shift }] : []
})

/** The IPv4 address that an IPv6 address stands for, or the address itself. */
function effective(ip: Ip): Ip {
  const found = EMBEDDING.find(({ network }) => contains(network, ip))
  return found ? { family: 4, value: (ip.value >> found.shift) & 0xffffffffn } : ip
}

/** Whether webhooks may be sent to an address: a public one, or one in the `allowed` networks. Texts that are no address are refused. */
export function isAllowedAddress(address: string, allowed: readonly Interface[]): boolean {
  const given = parseIp(address)
  if (!given) return false
  const ip = effective(given)
  if (allowed.some((network) => contains(network, ip) || contains(network, given))) return true
  return !CLOSED.some((network) => contains(network, ip))
}
