import type { Dataset } from '../dataset.ts'
import type { WantedPage } from './page-statements.ts'

interface NamedPage extends WantedPage {
  /** As among all reads. */
  readonly name: string
}

/** Those with a bar. */
export const PAGE_OF_LIMIT = 'devices, 50'
export const DETAIL_OF_LIMIT = 'one device'

/** The pages that a bare server sends too. */
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
