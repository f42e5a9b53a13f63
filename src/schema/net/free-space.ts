import { type Interface, lastOf, widthOf } from './ip.ts'

/** The fewest networks that together contain exactly the addresses from `first` to `last`, ascending. */
export function networksBetween(family: 4 | 6, first: bigint, last: bigint): Interface[] {
  const width = widthOf(family)
  const networks: Interface[] = []
  for (let value = first; value <= last; ) {
    let host = 0
    // As large as the start's alignment and the remaining space allow.
    while (host < width && isAligned(value, host + 1) && value + (1n << BigInt(host + 1)) - 1n <= last) {
      host += 1
    }
    networks.push({ family, value, length: width - host })
    value += 1n << BigInt(host)
  }
  return networks
}

const isAligned = (value: bigint, bits: number): boolean => (value & ((1n << BigInt(bits)) - 1n)) === 0n

/** The part of a network that other networks, which may overlap, do not cover: the fewest networks, ascending. */
export function freeNetworks(whole: Interface, taken: readonly Interface[]): Interface[] {
  const { family } = whole
  const end = lastOf(whole).value
  const sorted = taken.toSorted((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
  const free: Interface[] = []
  let next = whole.value
  for (const network of sorted) {
    if (network.value > next) free.push(...networksBetween(family, next, network.value - 1n))
    const after = lastOf(network).value + 1n
    if (after > next) next = after
  }
  if (next <= end) free.push(...networksBetween(family, next, end))
  return free
}

export interface Taken {
  readonly network: Interface
  /** The remaining free networks, ascending. */
  readonly rest: readonly Interface[]
}

/** Takes a network of the length from the first free network that is large enough; undefined if none is. */
export function takeNetwork(free: readonly Interface[], length: number): Taken | undefined {
  const index = free.findIndex((network) => network.length <= length)
  const source = free[index]
  if (!source) return undefined
  const network = { ...source, length }
  return { network, rest: free.toSpliced(index, 1, ...freeNetworks(source, [network])) }
}
