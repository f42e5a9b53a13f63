import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Interface } from './ip.ts'
import { isReachable } from './reachable-address.ts'

/** A server was not connected to: none of its addresses is public or in an allowed network. */
export class ClosedAddress extends Error {
  override readonly name = 'ClosedAddress'
  /** The name with one of its addresses, or the address alone. */
  readonly place: string

  constructor(place: string) {
    super(`${place} is a private, loopback or reserved address`)
    this.place = place
  }
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * A DNS lookup for connections to servers that users name. It leaves out addresses that are neither public nor in
 * `allowed`, and fails with ClosedAddress if none is left. It is created for each new connection, which then uses its
 * result, so that a name whose addresses change cannot reach other addresses.
 */
export const guardedLookup =
  (allowed: readonly Interface[], resolve: Resolve = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const open = addresses.filter(({ address }) => isReachable(address, allowed))
      const [first] = open
      if (!first) {
        const [closed] = addresses
        return callback(new ClosedAddress(`${hostname} (${closed?.address ?? 'no address'})`), [])
      }
      if (options.all) return callback(null, open)
      callback(null, first.address, first.family)
    })
  }

/** Throws ClosedAddress if the host is an address that is not allowed, since addresses are not looked up. */
export function refuseClosedHost({ hostname }: URL, allowed: readonly Interface[]): void {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0 && !isReachable(address, allowed)) throw new ClosedAddress(address)
}
