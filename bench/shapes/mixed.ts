/** Collections whose pages and objects the mixed load reads and changes. */
export const MIXED_COLLECTIONS = [
  '/api/dcim/devices/',
  '/api/dcim/interfaces/',
  '/api/dcim/sites/',
  '/api/ipam/prefixes/',
  '/api/ipam/ip-addresses/',
] as const

/** Pages of each collection. */
const PAGES = 10
export const PAGE_SIZE = 50

/** Paths of the pages of a collection that are read. */
export const pagesOf = (collection: string): string[] =>
  Array.from(
    { length: PAGES },
    (_, page) => `${collection}?limit=${PAGE_SIZE}&offset=${page * PAGE_SIZE}`,
  )
