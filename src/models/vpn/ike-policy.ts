import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, manyToMany, text } from '../../schema/field.ts'
import { byIdAnd, related, textFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

export const ikeVersion = choices([
  [1, 'IKEv1'],
  [2, 'IKEv2'],
])

export const ikeMode = choices([
  ['aggressive', 'Aggressive'],
  ['main', 'Main'],
])

/** Authentication of the two ends before a tunnel is set up. */
export const ikePolicy = model({
  name: 'vpn.ikepolicy',
  path: 'vpn/ike-policies',
  labels: ['IKE policy', 'IKE policies'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    description,
    version: choice(ikeVersion, { default: 2, required: true, example: 2 }),
    mode: choice(ikeMode, { nullable: true, example: null }),
    proposals: manyToMany('vpn.ikeproposal', { related: 'ike_policies' }),
    preshared_key: text({ default: '', label: 'Pre-shared key', isSecret: true }),
    owner,
    comments,
    ...housekeeping,
  },

  graphql: { enums: { mode: ['IKEModeEnum', ''], version: ['IKEVersionEnum', 'VERSION'] } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  filters: {
    preshared_key: textFilter('preshared_key', { single: true, withoutEmpty: true }),
    ...byIdAnd('name', 'ike_proposal', related('proposals', 'vpn.ikeproposal')),
  },
  features: PRIMARY,
})
