import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, integer, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { authenticationAlgorithm, encryptionAlgorithm } from './choices.ts'

/** Algorithms for the second phase of IKE. */
export const ipsecProposal = model({
  name: 'vpn.ipsecproposal',
  path: 'vpn/ipsec-proposals',
  labels: ['IPSec proposal', 'IPSec proposals'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    description,
    encryption_algorithm: choice(encryptionAlgorithm, { nullable: true, example: 'aes-128-cbc' }),
    authentication_algorithm: choice(authenticationAlgorithm, { nullable: true }),
    sa_lifetime_seconds: integer({
      range: [0, 2147483647],
      nullable: true,
      label: 'SA lifetime (seconds)',
    }),
    sa_lifetime_data: integer({
      range: [0, 2147483647],
      nullable: true,
      label: 'SA lifetime (KB)',
    }),
    owner,
    comments,
    ...housekeeping,
  },

  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  filters: { ...byIdAnd('name', 'ipsec_policy', related('ipsec_policies', 'vpn.ipsecpolicy')) },
  features: PRIMARY,
})

const demandAlgorithm: Rule<typeof ipsecProposal.fields> = ({ next }) =>
  next.encryption_algorithm || next.authentication_algorithm
    ? undefined
    : { __all__: 'A proposal needs an encryption or an authentication algorithm.' }

export const ipsecProposalModel = registered(ipsecProposal, {
  behaviour: rulesFor(ipsecProposal, demandAlgorithm),
  columns: words(`
    name encryption_algorithm authentication_algorithm sa_lifetime_seconds sa_lifetime_data
    description
  `),
  labels: {
    ...titled('encryption_algorithm authentication_algorithm'),
    sa_lifetime_seconds: 'SA Lifetime (Seconds)',
    sa_lifetime_data: 'SA Lifetime (KB)',
  },
  formLabels: { encryption_algorithm: 'Encryption', authentication_algorithm: 'Authentication' },
  panels: words(`
    name description encryption_algorithm authentication_algorithm sa_lifetime_seconds
    sa_lifetime_data
  `),
  tables: [{ model: 'vpn.ipsecpolicy', by: { ipsec_proposal_id: 'id' }, label: 'IPSec Policies' }],
  cloned: words(`
    encryption_algorithm authentication_algorithm sa_lifetime_seconds sa_lifetime_data
  `),
  form: {
    Proposal: words('name description tags'),
    Parameters: words(`
      encryption_algorithm authentication_algorithm sa_lifetime_seconds sa_lifetime_data
    `),
  },
  filters: { Parameters: words('encryption_algorithm authentication_algorithm') },
  search: { shown: ['description'] },
})
