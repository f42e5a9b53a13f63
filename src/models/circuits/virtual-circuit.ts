import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, foreignKey, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { circuitStatus } from './choices/circuit-status.ts'

/** A circuit within a provider's network, with any number of ends. */
export const virtualCircuit = model({
  name: 'circuits.virtualcircuit',
  path: 'circuits/virtual-circuits',
  labels: ['virtual circuit', 'virtual circuits'],

  fields: {
    cid: text({ max: 100, label: 'Circuit ID' }),
    provider_network: foreignKey('circuits.providernetwork', { related: 'virtual_circuits' }),
    provider_account: foreignKey('circuits.provideraccount', {
      related: 'virtual_circuits',
      nullable: true,
      resetOnPut: true,
    }),
    type: foreignKey('circuits.virtualcircuittype', { related: 'virtual_circuits' }),
    status: choice(circuitStatus, { default: 'active' }),
    tenant,
    description,
    owner,
    comments,
    ...housekeeping,
  },

  display: '{cid}',
  brief: ['id', 'url', 'display', 'cid', 'provider_network', 'description'],
  order: ['provider_network', 'provider_account', 'cid'],
  search: ['comments', 'cid', 'description'],
  unique: [{ fields: ['provider_network', 'cid'] }, { fields: ['provider_account', 'cid'] }],

  filters: {
    // Contacts can be assigned, but there is no filter for them.
    contact: null,
    contact_role: null,
    contact_group: null,
    ...byIdAnd('slug', 'provider', related('provider_network.provider', 'circuits.provider')),
    provider_account: related('provider_account', 'circuits.provideraccount', 'account'),
  },
  features: [...PRIMARY, 'contacts'],
})
