import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, foreignKey, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

const ipsecMode = choices([
  ['esp', 'ESP'],
  ['ah', 'AH'],
])

/** An IKE policy and an IPsec policy that tunnels use. */
export const ipsecProfile = model({
  name: 'vpn.ipsecprofile',
  path: 'vpn/ipsec-profiles',
  labels: ['IPSec profile', 'IPSec profiles'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    description,
    mode: choice(ipsecMode, {}),
    ike_policy: foreignKey('vpn.ikepolicy', { related: 'ipsec_profiles' }),
    ipsec_policy: foreignKey('vpn.ipsecpolicy', { related: 'ipsec_profiles' }),
    owner,
    comments,
    ...housekeeping,
  },

  graphql: { enums: { mode: ['IPSecModeEnum', ''] } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  filters: {
    ike_policy: related('ike_policy', 'vpn.ikepolicy', 'name'),
    ipsec_policy: related('ipsec_policy', 'vpn.ipsecpolicy', 'name'),
  },
  features: PRIMARY,
})

export const ipsecProfileModel = registered(ipsecProfile, {
  columns: words('name mode ike_policy ipsec_policy description'),
  labels: { ike_policy: 'IKE Policy', ipsec_policy: 'IPSec Policy' },
  panels: [
    { 'IPSec profile': words('name description mode') },
    {
      'IKE Policy': words(`
        ike_policy ike_policy.description ike_policy.version ike_policy.mode ike_policy.proposals
      `),
      'IPSec Policy': words(`
        ipsec_policy ipsec_policy.description ipsec_policy.proposals ipsec_policy.pfs_group
      `),
    },
  ],
  cloned: words('mode ike_policy ipsec_policy'),
  form: {
    Profile: words('name description tags'),
    Parameters: words('mode ike_policy ipsec_policy'),
  },
  filters: { Profile: words('mode ike_policy_id ipsec_policy_id') },
  bulkEdit: { Profile: words('mode ike_policy ipsec_policy description') },
  search: { shown: ['description'] },
})
