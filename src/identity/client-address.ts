import { type Ip, parseIp } from '../schema/net/ip.ts'

const MAPPED = /^::ffff:(?=\d+\.)/i
const ZONE = /%.*$/

/**
 * The address of a client; undefined if there is none. On a dual-stack socket an IPv4 client appears as
 * ::ffff:192.0.2.1; a link-local address ends with % and the interface's name.
 */
export const parseClientAddress = (address: string | undefined): Ip | undefined =>
  address === undefined ? undefined : parseIp(address.replace(MAPPED, '').replace(ZONE, ''))
