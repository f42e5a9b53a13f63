import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, integer, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { authenticationAlgorithm, dhGroup, encryptionAlgorithm } from './choices.ts'

const authenticationMethod = choices([
  ['preshared-keys', 'Pre-shared keys'],
  ['certificates', 'Certificates'],
  ['rsa-signatures', 'RSA signatures'],
  ['dsa-signatures', 'DSA signatures'],
])

/** Algorithms for the first phase of IKE. */
export const ikeProposal = model({
  name: 'vpn.ikeproposal',
  path: 'vpn/ike-proposals',
  labels: ['IKE proposal', 'IKE proposals'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    description,
    authentication_method: choice(authenticationMethod, {}),
    encryption_algorithm: choice(encryptionAlgorithm, {}),
    authentication_algorithm: choice(authenticationAlgorithm, { nullable: true }),
    group: choice(dhGroup, {}),
    sa_lifetime: integer({ range: [0, 2147483647], nullable: true, label: 'SA lifetime' }),
    owner,
    comments,
    ...housekeeping,
  },

  graphql: {
    enums: {
      authentication_algorithm: ['AuthenticationAlgorithmEnum', 'AUTH'],
      authentication_method: ['AuthenticationMethodEnum', ''],
      encryption_algorithm: ['EncryptionAlgorithmEnum', 'ENCRYPTION'],
      group: ['DHGroupEnum', 'GROUP'],
    },
  },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  filters: { ...byIdAnd('name', 'ike_policy', related('ike_policies', 'vpn.ikepolicy')) },
  features: PRIMARY,
})

export const ikeProposalModel = registered(ikeProposal, {
  columns: words(`
    name authentication_method encryption_algorithm authentication_algorithm group sa_lifetime
    description
  `),
  labels: {
    ...titled('authentication_method encryption_algorithm authentication_algorithm'),
    sa_lifetime: 'SA Lifetime',
  },
  panels: words(`
    name description authentication_method encryption_algorithm authentication_algorithm group
    sa_lifetime
  `),
  tables: [{ model: 'vpn.ikepolicy', by: { ike_proposal_id: 'id' }, label: 'IKE Policies' }],
  cloned: words(`
    authentication_method encryption_algorithm authentication_algorithm group sa_lifetime
  `),
  form: {
    Proposal: words('name description tags'),
    Parameters: words(`
      authentication_method encryption_algorithm authentication_algorithm group sa_lifetime
    `),
  },
  filters: {
    Parameters: words('authentication_method encryption_algorithm authentication_algorithm group'),
  },
  search: { shown: ['description'] },
})
