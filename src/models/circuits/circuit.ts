import type { Messages } from '../../base/errors.ts'
import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, date, decimal, foreignKey, instruction, integer, reverse, text } from '../../schema/field.ts'
import { byIdAnd, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { distanceUnit } from '../core/choices.ts'
import { distanceNeedsUnit, dropUnitWithoutDistance, refuseNegative } from '../dcim/measures.rules.ts'
import { storedMetres } from '../dcim/units.ts'
import { providerAccount } from './provider-account.ts'

/** Statuses of a circuit. */
export const circuitStatus = choices([
  ['planned', 'Planned', 'cyan'],
  ['provisioning', 'Provisioning', 'blue'],
  ['active', 'Active', 'green'],
  ['offline', 'Offline', 'red'],
  ['deprovisioning', 'Deprovisioning', 'yellow'],
  ['decommissioned', 'Decommissioned', 'gray'],
])

const TERMINATION_FIELDS = [
  'id',
  'url',
  'display_url',
  'display',
  'termination_type',
  'termination_id',
  'termination',
  'port_speed',
  'upstream_speed',
  'xconnect_id',
  'description',
] as const

/**
 * NetBox 4.6.8 accepts a list under this name and then fails. Here only an empty list is accepted, because groups are
 * assigned at their own endpoint.
 */
function readAssignments(input: unknown): { readonly value: unknown } | { readonly refused: Messages } {
  if (input === null) return { refused: ['This field may not be null.'] }
  if (!Array.isArray(input)) return { refused: { non_field_errors: ['Expected a list of items.'] } }
  return input.length === 0
    ? { value: undefined }
    : { refused: ['Assign circuits to groups at circuits/circuit-group-assignments/.'] }
}

const ASSIGNMENT = ['id', 'url', 'display', ['group', ['id', 'url', 'display', 'name']], 'priority'] as const

/** A line between two places, bought from a provider under a circuit id. */
export const circuit = model({
  name: 'circuits.circuit',
  path: 'circuits/circuits',
  labels: ['circuit', 'circuits'],
  about: 'A line of a provider, which ends at sites or in the provider’s network.',

  fields: {
    cid: text({ max: 100, label: 'Circuit ID' }),
    provider: foreignKey('circuits.provider', { related: 'circuits' }),
    provider_account: foreignKey('circuits.provideraccount', {
      related: 'circuits',
      nullable: true,
      resetOnPut: true,
    }),
    type: foreignKey('circuits.circuittype', { related: 'circuits' }),
    status: choice(circuitStatus, { default: 'active' }),
    tenant,
    install_date: date({ nullable: true, label: 'Installed' }),
    termination_date: date({ nullable: true, label: 'Terminates' }),
    commit_rate: integer({ range: [0, 2147483647], nullable: true, label: 'Commit rate (Kbps)', unit: 'kbps' }),
    description,
    distance: decimal({ unit: 'distance_unit', digits: 8, places: 2, nullable: true }),
    distance_unit: choice(distanceUnit, { nullable: true, blank: true, filter: 'single' }),
    termination_a: foreignKey('circuits.circuittermination', {
      onDelete: 'setNull',
      related: '+',
      readOnly: true,
      maintained: true,
      projection: TERMINATION_FIELDS,
    }),
    termination_z: foreignKey('circuits.circuittermination', {
      onDelete: 'setNull',
      related: '+',
      readOnly: true,
      maintained: true,
      projection: TERMINATION_FIELDS,
    }),
    owner,
    comments,
    ...housekeeping,
    assignments: reverse('circuits.circuitgroupassignment', 'member', { projection: ASSIGNMENT }),
    _abs_distance: storedMetres('distance', 'distance_unit'),
  },

  display: '{cid}',
  earlier: {
    fields: { assignments: instruction({ type: 'array', items: { type: 'integer' } }, readAssignments) },
  },
  graphql: { enums: { status: ['status', ''], distance_unit: ['DistanceUnitEnum', ''] } },
  brief: ['id', 'url', 'display', 'cid', 'provider', 'description'],
  order: ['provider', 'provider_account', 'cid'],
  search: words(`
    comments description terminations.description terminations.pp_info cid terminations.xconnect_id
  `),
  unique: [{ fields: ['provider', 'cid'] }, { fields: ['provider_account', 'cid'] }],

  filters: {
    provider_account: related('provider_account', 'circuits.provideraccount', 'account'),
    provider_network_id: related('terminations._provider_network', 'circuits.providernetwork'),
    ...byIdAnd('slug', 'region', relatedTree('terminations._region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('terminations._site_group', 'dcim.sitegroup')),
    ...byIdAnd('slug', 'site', related('terminations._site', 'dcim.site')),
    location_id: related('terminations._location', 'dcim.location'),
  },
  features: [...PRIMARY, 'contacts', 'imageAttachments'],
})

const accountIsWithProvider: Rule<typeof circuit.fields> = async ({ next, read }) => {
  if (next.provider_account === null) return
  const account = await read.get(providerAccount, next.provider_account)
  return account.provider === next.provider
    ? undefined
    : { provider_account: `${account.display} is an account with another provider.` }
}

export const circuitModel = registered(circuit, {
  behaviour: behaviour(circuit, {
    modelRules: [distanceNeedsUnit, refuseNegative('distance'), accountIsWithProvider],
    beforeSave: [dropUnitWithoutDistance],
  }),
  context: ['provider'],
  columns: words('cid provider type status tenant termination_a termination_z description'),
  labels: {
    commit_rate: 'Commit Rate',
    provider_account: 'Account',
    termination_a: 'Side A',
    termination_z: 'Side Z',
  },
  panels: words(`
    provider provider_account cid type status distance tenant install_date termination_date
    commit_rate description
  `),
  overview: [
    {
      model: 'tenancy.contactassignment',
      by: { object_type: '=circuits.circuit', object_id: 'id' },
      label: 'Contacts',
    },
  ],
  cloned: words(`
    provider provider_account type status tenant install_date termination_date commit_rate
    description
  `),
  form: {
    Circuit: words(`
      provider provider_account cid type status distance distance_unit description tags
    `),
    'Service Parameters': words('install_date termination_date commit_rate'),
  },
  narrowedBy: { provider_account: { provider_id: 'provider' } },
  filters: {
    Provider: words('provider_id provider_account_id provider_network_id'),
    Attributes: words(`
      type_id status install_date termination_date commit_rate distance distance_unit
    `),
    Location: words('region_id site_group_id site_id location_id'),
  },
  bulkEdit: {
    Circuit: words('provider type status description'),
    'Service Parameters': words('provider_account install_date termination_date commit_rate'),
    Attributes: words('distance distance_unit'),
  },
  importRequires: ['status'],
  search: {
    weights: { cid: 100 },
    shown: words('provider provider_account type status tenant description'),
  },
})
