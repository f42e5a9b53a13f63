import { LRUCache } from 'lru-cache'

/** Key of a cached value. */
export type CacheKey = string | number

/** More names than requests use at a time; clients determine some of them. */
const MOST_NAMES = 10_000
/** Ids below this have a number as their key. */
const IDS = 2 ** 32
/** Names that leave room for these ids among the exact integers. */
const NUMBERED_NAMES = 2 ** 20

const numbers = new LRUCache<string, number>({ max: MOST_NAMES })
let count = 0

/** Keys of values that are made of rows, by the ids of these. Numbers, if possible: a map takes five times as long to find a new text. */
export function rowKeys(name: string): (id: number) => CacheKey {
  const number = numbers.get(name) ?? numbered(name)
  const first = number * IDS
  const isNumbered = number < NUMBERED_NAMES
  return (id) => (isNumbered && id < IDS ? first + id : `${name} ${id}`)
}

function numbered(name: string): number {
  const number = count++
  numbers.set(name, number)
  return number
}
