import { labelOf } from '../../schema/choice-label.ts'
import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, integer, reverse, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { textContains } from '../../schema/search-term.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { relatedIpFilter } from './address.filters.ts'

const fhrpGroupProtocol = choices([
  ['vrrp2', 'VRRPv2'],
  ['vrrp3', 'VRRPv3'],
  ['carp', 'CARP'],
  ['clusterxl', 'ClusterXL'],
  ['hsrp', 'HSRP'],
  ['glbp', 'GLBP'],
  ['other', 'Other'],
])

const fhrpGroupAuthType = choices([
  ['plaintext', 'Plaintext'],
  ['md5', 'MD5'],
])

/** `Core VRRPv2: 10 (192.0.2.1/24)`, with name and first address if there are any. */
const displayOfGroup = (column: ColumnOf): Sql => sql`
  coalesce(nullif(${column('name')}, '') || ' ', '')
  || ${labelOf(column('protocol'), fhrpGroupProtocol)} || ': ' || ${column('group_id')}
  || coalesce(' (' || (
    select a.address::text
    from ${table('ipam.ipaddress')} a
    where a.assigned_object_type = 'ipam.fhrpgroup' and a.assigned_object_id = ${column('id')}
    order by a.address, a.id
    limit 1
  ) || ')', '')`

/** Routers that share virtual addresses through a first-hop redundancy protocol. */
export const fhrpGroup = model({
  name: 'ipam.fhrpgroup',
  path: 'ipam/fhrp-groups',
  labels: ['FHRP group', 'FHRP groups'],
  about: 'Routers that share a virtual address, by VRRP, HSRP or GLBP.',

  fields: {
    name: text({ max: 100, default: '' }),
    protocol: choice(fhrpGroupProtocol, { bare: true }),
    group_id: integer({ size: 'small', range: [0, 32767], label: 'Group ID' }),
    auth_type: choice(fhrpGroupAuthType, {
      nullable: true,
      blank: true,
      bare: true,
      label: 'Authentication type',
    }),
    auth_key: text({ max: 255, default: '', label: 'Authentication key', isSecret: true }),
    description,
    owner,
    comments,
    ...housekeeping,
    ip_addresses: reverse('ipam.ipaddress', 'assigned_object'),
  },

  display: displayOfGroup,
  graphql: { enums: { auth_type: ['FHRPGroupAuthTypeEnum', 'AUTHENTICATION'] } },
  brief: ['id', 'url', 'display', 'protocol', 'group_id', 'description'],
  answer: words(`
    id name url display_url display protocol group_id auth_type auth_key description owner comments
    tags custom_fields created last_updated ip_addresses
  `),
  naturalKey: ['protocol', 'group_id'],
  order: ['protocol', 'group_id', 'id'],
  search: ['description', 'name', textContains('group_id')],

  filters: { related_ip: relatedIpFilter },
  features: PRIMARY,
})

export const fhrpGroupModel = registered(fhrpGroup, {
  columns: words('group_id protocol name auth_type description ip_addresses'),
  labels: { ip_addresses: 'IP Addresses' },
  panels: [
    { 'FHRP group': words('protocol group_id name description') },
    { Authentication: words('auth_type auth_key') },
  ],
  tables: [{ model: 'ipam.ipaddress', by: { fhrpgroup_id: 'id' }, label: 'Virtual IP addresses' }],
  cloned: words('protocol auth_type description'),
  form: {
    'FHRP Group': words('protocol group_id name description tags'),
    Authentication: words('auth_type auth_key'),
  },
  filters: {
    Attributes: words('name protocol group_id'),
    Authentication: words('auth_type auth_key'),
  },
  bulkEdit: {
    '': words('protocol group_id name description'),
    Authentication: words('auth_type auth_key'),
  },
  search: { weights: { group_id: 2000 }, shown: words('protocol auth_type description') },
})
