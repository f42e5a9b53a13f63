import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, manyToMany, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'
import { dhGroup } from './choices.ts'

/** Protection of the traffic in a tunnel. */
export const ipsecPolicy = model({
  name: 'vpn.ipsecpolicy',
  path: 'vpn/ipsec-policies',
  labels: ['IPSec policy', 'IPSec policies'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    description,
    proposals: manyToMany('vpn.ipsecproposal', { related: 'ipsec_policies' }),
    pfs_group: choice(dhGroup, { nullable: true }),
    owner,
    comments,
    ...housekeeping,
  },

  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  filters: { ...byIdAnd('name', 'ipsec_proposal', related('proposals', 'vpn.ipsecproposal')) },
  features: PRIMARY,
})

export const ipsecPolicyModel = registered(ipsecPolicy, {
  columns: words('name proposals pfs_group description'),
  labels: { pfs_group: 'PFS Group' },
  panels: words('name description pfs_group'),
  tables: [{ model: 'vpn.ipsecproposal', by: { ipsec_policy_id: 'id' }, label: 'Proposals' }],
  cloned: words('proposals pfs_group'),
  form: { Policy: words('name description tags'), Parameters: words('proposals pfs_group') },
  filters: { Parameters: words('ipsec_proposal_id pfs_group') },
  bulkEdit: { without: ['proposals'] },
  importRequires: ['proposals'],
  search: { shown: ['description'] },
})
