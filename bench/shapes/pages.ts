import { HAND_MADE_PAGES } from './hand-made-pages.ts'
import type { PageShape } from './page-shape.ts'

/** Collections whose pages are measured: the name in the tables, and the path below `/` and `/api/`. */
const COLLECTIONS = [
  ['devices', 'dcim/devices'],
  ['interfaces', 'dcim/interfaces'],
  ['addresses', 'ipam/ip-addresses'],
  ['prefixes', 'ipam/prefixes'],
  ['racks', 'dcim/racks'],
  ['cables', 'dcim/cables'],
  ['sites', 'dcim/sites'],
  ['VLANs', 'ipam/vlans'],
] as const

/** Rows of a list, and the number of its parts that are read. */
const ROWS = 50
const PARTS = 100

/** The list, the object and the form of each collection. */
export const PAGES_OF_MODELS: readonly PageShape[] = COLLECTIONS.flatMap(([label, collection]) => [
  {
    name: `page: ${label}, ${ROWS}`,
    collection,
    paths: (_ids: readonly number[], count: number) =>
      Array.from(
        { length: Math.max(1, Math.min(PARTS, Math.floor(count / ROWS))) },
        (_, part) => `/${collection}/?limit=${ROWS}&offset=${part * ROWS}`,
      ),
  },
  {
    name: `page: one of ${label}`,
    collection,
    paths: (ids: readonly number[]) => ids.map((id) => `/${collection}/${id}/`),
  },
  {
    name: `page: form of one of ${label}`,
    collection,
    paths: (ids: readonly number[]) => ids.map((id) => `/${collection}/${id}/edit/`),
  },
])

/** All pages. */
export const PAGES: readonly PageShape[] = [...PAGES_OF_MODELS, ...HAND_MADE_PAGES]
