import type { ActionRequest } from '../../api/actions/action.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import type { Registry } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** The model of the numbers of a VLAN group. */
export const vlanModel = (registry: Registry) => registry.model('ipam.vlan')

/** A number of a VLAN group that is in use. */
export interface UsedVlanId {
  readonly vid: number
  readonly id: number
  readonly name: string
  readonly status: string
  /** False: the user may know only that the number is not free. */
  readonly isVisible: boolean
}

/** The numbers of a VLAN group in use, ascending. */
export async function usedVlanIds(
  { service, actor }: Pick<ActionRequest, 'service' | 'actor'>,
  group: number,
): Promise<readonly UsedVlanId[]> {
  const model = vlanModel(service.registry)
  const rows = permittedRowsOrNone(actor, 'view', model, service.settings)
  const vlans = await service.database.query<UsedVlanId & Record<string, unknown>>(sql`
    select t.vid, t.id, t.name, t.status, ${rows === 'all' ? sql`true` : sql`(${rows})`} as "isVisible"
    from ${table(model)} t where t.group_id = ${group}::bigint order by t.vid, t.id`)
  return vlans.map((each) => ({ ...each, vid: Number(each.vid), id: Number(each.id) }))
}
