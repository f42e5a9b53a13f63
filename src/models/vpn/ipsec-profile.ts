import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, foreignKey, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const ipsecMode = choices([
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

export const ipsecProfileView = modelView('vpn.ipsecprofile', {
  columns: ['name', 'mode', 'ike_policy', 'ipsec_policy', 'description'],
  moreColumns: ['id', 'comments', 'tags', 'created', 'last_updated', 'owner.group', 'owner'],
  labels: { ike_policy: 'IKE Policy', ipsec_policy: 'IPSec Policy' },
  panels: [
    [fieldGroup('IPSec profile', ['name', 'description', 'mode'])],
    [
      fieldGroup(
        'IKE Policy',
        `
          ike_policy ike_policy.description ike_policy.version ike_policy.mode ike_policy.proposals
        `,
      ),
      fieldGroup(
        'IPSec Policy',
        'ipsec_policy ipsec_policy.description ipsec_policy.proposals ipsec_policy.pfs_group',
      ),
    ],
  ],
  cloned: ['mode', 'ike_policy', 'ipsec_policy'],
  form: [
    fieldGroup('Profile', ['name', 'description', 'tags']),
    fieldGroup('Parameters', ['mode', 'ike_policy', 'ipsec_policy']),
  ],
  filters: [fieldGroup('Profile', ['mode', 'ike_policy_id', 'ipsec_policy_id'])],
  bulkEdit: [fieldGroup('Profile', ['mode', 'ike_policy', 'ipsec_policy', 'description'])],
  imports: words(
    'name mode ike_policy.name ipsec_policy.name description owner.name comments tags.slug',
  ),
  search: { weights: { name: 100, description: 500, comments: 5000 }, shown: ['description'] },
})
