/** What access lists demand beyond their data: one list per interface, direction and family, and ports of protocols with ports. */
import { type AnyRow, behaviourOf, packCode, sql, table, type UntypedChange } from 'cadastre'

/** Hosts, whose lists have no direction. */
const HOSTS: ReadonlySet<unknown> = new Set(['dcim.device', 'dcim.virtualchassis', 'virtualization.virtualmachine'])

/** Whether lists of these families concern the same packets. */
const overlap = (one: unknown, other: unknown): boolean => one === other || one === 'dual' || other === 'dual'

interface Assigned {
  readonly id: number
  readonly target: string
  readonly family: string
}

const targetOf = (row: AnyRow): string => [row.assigned_object_type, row.assigned_object_id, row.direction].join(' ')

/** An interface has at most one list for a family and direction. */
async function isOnlyOne({ next: row, batch, read }: UntypedChange) {
  const target = targetOf(row)
  const assigned = await read.database.query<Record<string, unknown> & Assigned>(sql`
    select a.id, a.assigned_object_type || ' ' || a.assigned_object_id || ' ' || a.direction as target, l.family
    from ${table('netbox_acls.aclassignment')} a join ${table('netbox_acls.accesslist')} l on l.id = a.access_list_id
    where a.assigned_object_type = ${row.assigned_object_type} and a.assigned_object_id = ${row.assigned_object_id}::bigint`)
  const families = new Map(
    (
      await read.database.query<Record<string, unknown> & { id: number; family: string }>(
        sql`select id, family from ${table('netbox_acls.accesslist')}
        where id = any(${batch.map((other) => other.access_list)}::bigint[])`,
      )
    ).map(({ id, family }) => [id, family]),
  )
  const family = families.get(Number(row.access_list))
  const replaced = new Set(batch.map(({ id }) => id))
  const others = [
    ...assigned.filter(({ id }) => !replaced.has(id)),
    ...batch
      .filter((other) => other !== row)
      .map((other) => ({ target: targetOf(other), family: families.get(Number(other.access_list)) ?? '' })),
  ]
  return others.some((other) => other.target === target && overlap(other.family, family))
    ? { direction: 'The object has an access list for this family and direction already.' }
    : undefined
}

const WITH_PORTS: ReadonlySet<unknown> = new Set(['tcp', 'udp'])

function portsNeedProtocol({ next: row }: UntypedChange) {
  if (WITH_PORTS.has(row.protocol)) return undefined
  const set = ['source_port_ranges', 'destination_port_ranges'].filter((name) => {
    const ranges = row[name]
    return Array.isArray(ranges) && ranges.length > 0
  })
  if (set.length === 0) return undefined
  return Object.fromEntries(set.map((name) => [name, 'Ports can only be set if the protocol is TCP or UDP.']))
}

export default packCode({
  behaviours: [
    behaviourOf('netbox_acls.aclassignment', {
      normalize: [({ next }) => (HOSTS.has(next.assigned_object_type) ? { direction: 'none' } : undefined)],
      modelRules: [isOnlyOne],
    }),
    behaviourOf('netbox_acls.aclextendedrule', { modelRules: [portsNeedProtocol] }),
  ],
})
