import { contains, type Interface, type Ip, parseInterface, parseIp } from './ip.ts'

/** Networks that contain no public servers (IANA special-purpose registries), including multicast. */
const NOT_PUBLIC: readonly Interface[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/8',
  '64:ff9b::/32',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
].flatMap((text) => parseInterface(text) ?? [])

/** First 96 bits of IPv6 addresses that represent the IPv4 address in their last 32 bits. */
const EMBEDDING: ReadonlySet<bigint> = new Set([
  0xffffn, // ::ffff:0:0/96, IPv4-mapped
  0x64_ff9b_0000_0000_0000_0000n, // 64:ff9b::/96, NAT64 (RFC 6052)
])

/** The IPv4 address that an IPv6 address represents; any other address unchanged. */
function withoutEmbedding(ip: Ip): Ip {
  if (ip.family === 4 || !EMBEDDING.has(ip.value >> 32n)) return ip
  return { family: 4, value: ip.value & 0xffffffffn }
}

/**
 * Whether the service may connect to an address: a public one, or one in a network that the configuration allows. Text
 * that is not an address is refused.
 */
export function isReachable(address: string, allowed: readonly Interface[]): boolean {
  const parsed = parseIp(address.replace(/%.*$/, ''))
  if (parsed === undefined) return false
  const ip = withoutEmbedding(parsed)
  if (allowed.some((network) => contains(network, ip) || contains(network, parsed))) return true
  return !NOT_PUBLIC.some((network) => contains(network, ip))
}
