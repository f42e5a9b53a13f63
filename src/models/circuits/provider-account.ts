import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { foreignKey, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** A customer account with a provider. */
export const providerAccount = model({
  name: 'circuits.provideraccount',
  path: 'circuits/provider-accounts',
  labels: ['provider account', 'provider accounts'],

  fields: {
    provider: foreignKey('circuits.provider', { related: 'accounts' }),
    name: text({ max: 100, default: '', resetOnPut: true }),
    account: text({ max: 100, label: 'Account ID' }),
    description,
    owner,
    comments,
    ...housekeeping,
  },

  display: '{account}[ ({name})]',
  brief: ['id', 'url', 'display', 'name', 'account', 'description'],
  order: ['provider', 'account'],
  search: ['comments', 'account', 'name', 'description'],
  unique: [{ fields: ['provider', 'account'] }, { fields: ['provider', 'name'], whereNotEmpty: ['name'] }],

  features: [...PRIMARY, 'contacts'],
})

export const providerAccountModel = registered(providerAccount, {
  context: ['provider'],
  columns: words('account name provider'),
  moreColumns: { without: ['description'] },
  labels: { account: 'Account' },
  panels: words('provider account name description'),
  tables: [{ model: 'circuits.circuit', by: { provider_account_id: 'id' } }],
  cloned: ['provider'],
  form: words('provider account name description tags'),
  filters: { Attributes: words('provider_id account') },
  bulkEdit: { without: ['account'] },
  search: {
    weights: { account: 200, description: null },
    shown: words('provider account description'),
  },
})
