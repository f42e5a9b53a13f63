import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, integer, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { authenticationAlgorithm } from './choices/authentication-algorithm.ts'
import { encryptionAlgorithm } from './choices/encryption-algorithm.ts'

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

  filters: {
    ...byIdAnd('name', 'ipsec_policy', related('ipsec_policies', 'vpn.ipsecpolicy')),
  },
  features: PRIMARY,
})
