import { custom } from '../../schema/filter.ts'
import { sql } from '../../sql/fragment.ts'

/** Types of interfaces without hardware: no cable can end at them. */
export const VIRTUAL_INTERFACE_TYPES: readonly string[] = ['virtual', 'bridge', 'lag']

/** Types of radio interfaces: no cable can end at them either. */
export const WIRELESS_INTERFACE_TYPES: readonly string[] = ['ieee802.11a', 'ieee802.11g', 'ieee802.11n', 'ieee802.11ac', 'ieee802.11ad', 'ieee802.11ax', 'ieee802.11ay', 'ieee802.11be', 'ieee802.15.1', 'ieee802.15.4', 'other-wireless', 'gsm', 'cdma', 'lte', '4g', '5g']

/** `physical`, `virtual` or `wireless`; anything else gives no rows. */
export const kindFilter = custom({
  value: 'text',
  multiple: false,
  where: ({ column }, [kind]) => {
    if (kind === 'virtual') return sql`${column('type')} = any(${VIRTUAL_INTERFACE_TYPES}::text[])`
    if (kind === 'wireless') return sql`${column('type')} = any(${WIRELESS_INTERFACE_TYPES}::text[])`
    if (kind !== 'physical') return sql`false`
    return sql`${column('type')} <> all(${[
      ...VIRTUAL_INTERFACE_TYPES,
      ...WIRELESS_INTERFACE_TYPES,
    ]}::text[])`
  },
})
