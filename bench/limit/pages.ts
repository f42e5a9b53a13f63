import type { Dataset } from '../dataset.ts'
import type { WantedPage } from './page-statements.ts'

interface NamedPage extends WantedPage {
  /** Name of the read shape. */
  readonly name: string
}

/** Pages with a target. */
export const PAGE_OF_LIMIT = 'devices, 50'
export const DETAIL_OF_LIMIT = 'one device'

/** The pages that the bare server also sends. */
export function pagesOfLimit({ device, counts }: Dataset): readonly NamedPage[] {
  const rows = (count: number | undefined) => Math.min(50, count ?? 0)
  return [
    {
      name: PAGE_OF_LIMIT,
      path: '/api/dcim/devices/?limit=50',
      table: 'dcim_device',
      rows: rows(counts.devices),
    },
    {
      name: 'interfaces, 50',
      path: '/api/dcim/interfaces/?limit=50',
      table: 'dcim_interface',
      rows: rows(counts.interfaces),
    },
    {
      name: DETAIL_OF_LIMIT,
      path: `/api/dcim/devices/${device}/`,
      table: 'dcim_device',
      rows: 1,
    },
  ]
}
