import { choices } from '../../schema/choices.ts'
import { description, housekeeping, LOGGED } from '../../schema/common.ts'
import { choice, foreignKey, genericForeignKey, integer, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { CABLING, cabled, cabledFilters, cablePosition, linkPeers, occupied } from '../dcim/cabling/cabled.ts'
import { scopeFilters } from '../dcim/scope.ts'

const circuitTerminationSide = choices([
  ['A', 'A'],
  ['Z', 'Z'],
])

/** One of the two ends (A, Z) of a circuit and the place where it terminates. */
export const circuitTermination = model({
  name: 'circuits.circuittermination',
  path: 'circuits/circuit-terminations',
  labels: ['circuit termination', 'circuit terminations'],

  fields: {
    circuit: foreignKey('circuits.circuit', { onDelete: 'cascade', related: 'terminations' }),
    term_side: choice(circuitTerminationSide, {
      max: 1,
      bare: true,
      label: 'Termination side',
      filter: 'single',
    }),
    termination: genericForeignKey(
      ['circuits.providernetwork', 'dcim.location', 'dcim.region', 'dcim.site', 'dcim.sitegroup'],
      { nullable: true, resetOnPut: true, onDelete: 'keep', example: 'dcim.site' },
    ),
    port_speed: integer({ range: [0, 2147483647], nullable: true, label: 'Port speed (Kbps)', unit: 'kbps' }),
    upstream_speed: integer({
      range: [0, 2147483647],
      nullable: true,
      label: 'Upstream speed (Kbps)',
      unit: 'kbps',
    }),
    xconnect_id: text({ max: 50, default: '', label: 'Cross-connect ID' }),
    pp_info: text({ max: 100, default: '', label: 'Patch panel/port(s)' }),
    description,
    ...cabled,
    ...linkPeers('circuits.circuittermination'),
    ...housekeeping,
    _occupied: occupied,
    ...cablePosition,
    _provider_network: foreignKey('circuits.providernetwork', {
      related: 'circuit_terminations',
      nullable: true,
      hidden: true,
    }),
    _location: foreignKey('dcim.location', {
      onDelete: 'cascade',
      related: 'circuit_terminations',
      nullable: true,
      hidden: true,
    }),
    _site: foreignKey('dcim.site', {
      onDelete: 'cascade',
      related: 'circuit_terminations',
      nullable: true,
      hidden: true,
    }),
    _region: foreignKey('dcim.region', {
      onDelete: 'cascade',
      related: 'circuit_terminations',
      nullable: true,
      hidden: true,
    }),
    _site_group: foreignKey('dcim.sitegroup', {
      onDelete: 'cascade',
      related: 'circuit_terminations',
      nullable: true,
      hidden: true,
    }),
  },

  display: '{circuit.display}: Termination {term_side}',
  graphql: {
    enums: {
      cable_end: ['CableEndEnum', 'SIDE'],
      term_side: ['CircuitTerminationSideEnum', 'SIDE'],
    },
  },
  brief: ['id', 'url', 'display', 'circuit', 'term_side', 'description', 'cable', '_occupied'],
  order: ['circuit', 'term_side'],
  search: ['description', 'pp_info', 'circuit.cid', 'xconnect_id'],
  unique: [{ fields: ['circuit', 'term_side'] }],

  filters: {
    ...scopeFilters,
    ...cabledFilters,
    provider_network_id: related('_provider_network', 'circuits.providernetwork'),
    ...byIdAnd('slug', 'provider', related('circuit.provider', 'circuits.provider')),
  },
  // Cable paths run through connections of several requests, so each request must see the changes of the others.
  lock: CABLING,
  features: [...LOGGED, 'customLinks', 'exportTemplates'],
  changeRelates: 'circuit',
})
