import type { Batch } from './batch.ts'
import { COLOURS } from './colours.ts'
import type { Plan } from './plan.ts'

export const TAGS = 20

const NAMED = ['dcim.device', 'dcim.site', 'dcim.interface', 'ipam.prefix', 'ipam.ipaddress']

/** Prefixes of the custom fields' names, and their types. `customValues` fills the fields. */
const FIELDS = [
  { name: 'building', type: 'text' },
  { name: 'cost_centre', type: 'integer' },
  { name: 'audited', type: 'boolean' },
] as const

/** Tenants, owners, tags and custom fields. */
export function* organisation(plan: Plan): Generator<Batch> {
  yield plan.batch('extras.tag', TAGS, (_, id) => ({
    name: `label ${id}`,
    slug: `label-${id}`,
    color: plan.random.pick(COLOURS),
  }))
  yield plan.batch('extras.customfield', FIELDS.length, (index, id) => ({
    name: `${FIELDS[index]?.name}_${id}`,
    type: FIELDS[index]?.type,
    object_types: NAMED,
  }))
  yield plan.batch('tenancy.tenantgroup', 5, (_, id) => ({
    name: `Group ${id}`,
    slug: `group-${id}`,
  }))
  yield plan.batch('tenancy.tenant', plan.tenants, (_, id) => ({
    name: `Tenant ${id}`,
    slug: `tenant-${id}`,
    group: plan.any('tenancy.tenantgroup', 5),
  }))
}

/** Values of the custom fields of one object. */
export function customValues(plan: Plan): Readonly<Record<string, unknown>> {
  const values = [`building ${1 + plan.random.below(40)}`, 1000 + plan.random.below(500), plan.random.oneIn(2)]
  return Object.fromEntries(
    FIELDS.map(({ name }, index) => [`${name}_${plan.id('extras.customfield', index)}`, values[index]]),
  )
}
