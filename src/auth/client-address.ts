import { type Ip, parseIp } from '../net/ip.ts'

const MAPPED = /^::ffff:(?=\d+\.)/i
const ZONE = /%.*$/

/**
 * The address of a client; undefined where there is none. An IPv4 client of a socket for both families
 * comes as ::ffff:192.0.2.1, one of the same link with the name of the interface behind a %.
 */
export const parseClientAddress = (address: string | undefined): Ip | undefined =>
  address === undefined ? undefined : parseIp(address.replace(MAPPED, '').replace(ZONE, ''))
