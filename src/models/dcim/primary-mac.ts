import { type DerivedField, derived, hardwareAddress } from '../../schema/field.ts'
import { hardwareAddressKind } from '../../schema/fields/address.ts'
import { isRefused } from '../../schema/outcome.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

const ADDRESS = hardwareAddress({ bytes: 6 })

const addressOf = (column: ColumnOf): Sql => sql`upper(${column('primary_mac_address.mac_address')}::text)`

/** The address of an interface's primary MAC address, as API version 4.6 describes it: read-only. */
export const earlierPrimaryMac: DerivedField = derived('text', addressOf, { nullable: true })

/** The same, but also writable: the rules find or create the address. */
export const primaryMac: DerivedField = derived('text', addressOf, {
  nullable: true,
  input: (input) => {
    if (input === null) return { value: null }
    const outcome = hardwareAddressKind.parse(ADDRESS, input, () => false)
    return isRefused(outcome) ? { refused: outcome.refused } : { value: outcome.value }
  },
})
