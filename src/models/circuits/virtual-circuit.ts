import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, foreignKey, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { circuitStatus } from './circuit.ts'
import { providerAccount } from './provider-account.ts'
import { providerNetwork } from './provider-network.ts'

/** A circuit within a provider's network, with any number of ends. */
export const virtualCircuit = model({
  name: 'circuits.virtualcircuit',
  path: 'circuits/virtual-circuits',
  labels: ['virtual circuit', 'virtual circuits'],
  about: 'A connection within the network of a provider.',

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

const accountIsWithProvider: Rule<typeof virtualCircuit.fields> = async ({ next, read }) => {
  if (next.provider_account === null) return
  const [account, network] = await Promise.all([
    read.get(providerAccount, next.provider_account),
    read.get(providerNetwork, next.provider_network),
  ])
  return account.provider === network.provider
    ? undefined
    : { provider_account: `${account.display} is an account with another provider.` }
}

export const virtualCircuitModel = registered(virtualCircuit, {
  behaviour: rulesFor(virtualCircuit, accountIsWithProvider),
  context: ['provider_network'],
  columns: words(`
    cid provider_network.provider provider_account provider_network type status tenant description
  `),
  labels: { provider_account: 'Account' },
  panels: words(`
    provider_network.provider provider_network provider_account cid type status tenant description
  `),
  tables: [
    {
      model: 'circuits.virtualcircuittermination',
      by: { virtual_circuit_id: 'id' },
      label: 'Terminations',
      isShownEmpty: true,
    },
  ],
  cloned: words('provider_network provider_account status tenant description'),
  form: {
    'Virtual circuit': words('provider_network provider_account cid type status description tags'),
  },
  filters: {
    Provider: words('provider_id provider_account_id provider_network_id'),
    Attributes: words('type_id status'),
  },
  bulkEdit: {
    'Virtual circuit': words('provider_network provider_account status description'),
    More: words('owner comments type'),
  },
  importRequires: ['status'],
  imports: { without: ['provider_account'], plus: ['provider_account.account'] },
  search: {
    weights: { cid: 100 },
    shown: words('provider_network provider_account status tenant description'),
  },
})
