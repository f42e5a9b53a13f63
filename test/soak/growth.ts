/** A reading of the server's resources. */
export interface Sample {
  /** Seconds since the load began. */
  readonly time: number
  /** Bytes of memory of the process. */
  readonly memory: number
  /** Bytes of memory of the PostgreSQL server. */
  readonly database: number
  /** Bytes of live JavaScript objects, and those that have not been collected yet. */
  readonly heap: number
  readonly descriptors: number
  /** Connections to the database. */
  readonly connections: number
}

/** How a resource has developed after the warm-up. */
export interface Growth {
  readonly resource: string
  /** Values at the beginning and at the end, in the resource's unit. */
  readonly before: number
  readonly after: number
  /** Limit for the value at the end, above which it counts as growth. */
  readonly limit: number
}

type Resource = Exclude<keyof Sample, 'time'>
type Summary = (values: readonly number[]) => number

interface Measure {
  readonly resource: Resource
  readonly unit: number
  readonly name: string
  readonly summary: Summary
  /** Relative and absolute amount by which it may grow without counting as a leak. */
  readonly mayGrow: { readonly part: number; readonly amount: number }
}

const median: Summary = (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const smallest: Summary = (values) => Math.min(...values)
const largest: Summary = (values) => Math.max(...values)

const MEGABYTE = 1_048_576

const MEASURES: readonly Measure[] = [
  {
    ...{ resource: 'memory', unit: MEGABYTE, name: 'memory (MB)', summary: median },
    mayGrow: { part: 1, amount: 16 },
  },
  // Each connection keeps the plans of its statements, and all of them share the cache.
  {
    ...{ resource: 'database', unit: MEGABYTE, name: 'PostgreSQL (MB)', summary: median },
    mayGrow: { part: 1, amount: 64 },
  },
  // The heap is at its smallest right after a collection.
  {
    ...{ resource: 'heap', unit: MEGABYTE, name: 'heap (MB)', summary: smallest },
    mayGrow: { part: 1, amount: 8 },
  },
  // A client has a connection open or has just closed it, so a busier machine shows up to sixteen descriptors more.
  {
    ...{ resource: 'descriptors', unit: 1, name: 'file descriptors', summary: median },
    mayGrow: { part: 0, amount: 16 },
  },
  {
    ...{ resource: 'connections', unit: 1, name: 'connections', summary: largest },
    mayGrow: { part: 0, amount: 2 },
  },
]

/**
 * Compares the last third of the samples after the warm-up, in seconds, with the first. `tolerance`: part by which memory may grow, since
 * its collector decides when it is released. Throws with fewer than six samples.
 */
export function growthOf(samples: readonly Sample[], warmUp: number, tolerance: number): readonly Growth[] {
  const counted = samples.filter(({ time }) => time >= warmUp)
  const third = Math.floor(counted.length / 3)
  if (third < 2) throw new Error('There are too few samples after the warm-up')
  return MEASURES.map(({ resource, unit, name, summary, mayGrow }) => {
    const of = (part: readonly Sample[]) => summary(part.map((sample) => sample[resource])) / unit
    const [before, after] = [of(counted.slice(0, third)), of(counted.slice(-third))]
    const limit = before * (1 + tolerance * mayGrow.part) + mayGrow.amount
    return { resource: name, before, after, limit }
  })
}

export const hasGrown = ({ after, limit }: Growth): boolean => after > limit
