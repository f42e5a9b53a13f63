import { description, housekeeping, PRIMARY } from '../../schema/common.ts'
import { foreignKey, integer } from '../../schema/field.ts'
import { numberFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { equalsInteger } from '../../schema/search-term.ts'
import { registered, words } from '../../schema/view.ts'

/** One local VLAN number and the remote one that it becomes. */
export const vlanTranslationRule = model({
  name: 'ipam.vlantranslationrule',
  path: 'ipam/vlan-translation-rules',
  earlier: { without: ['created', 'last_updated', 'tags', 'custom_fields'], page: false },
  labels: ['VLAN translation rule', 'VLAN translation rules'],

  fields: {
    policy: foreignKey('ipam.vlantranslationpolicy', {
      onDelete: 'cascade',
      related: 'rules',
      bare: true,
      write: 'id',
    }),
    local_vid: integer({ size: 'small', range: [1, 4094], label: 'Local VLAN ID' }),
    remote_vid: integer({ size: 'small', range: [1, 4094], label: 'Remote VLAN ID' }),
    description,
    ...housekeeping,
  },

  display: '{local_vid} -> {remote_vid} ({policy.display})',
  brief: ['id', 'url', 'display', 'policy', 'local_vid', 'remote_vid', 'description'],
  order: ['policy', 'local_vid'],
  search: ['policy.name', equalsInteger('local_vid'), equalsInteger('remote_vid')],
  unique: [{ fields: ['policy', 'local_vid'] }, { fields: ['policy', 'remote_vid'] }],

  filters: {
    policy: related('policy', 'ipam.vlantranslationpolicy', 'name'),
    created: numberFilter('created', 'dateTime'),
    last_updated: numberFilter('last_updated', 'dateTime'),
  },
  features: PRIMARY,
  changeRelates: 'policy',
})

export const vlanTranslationRuleModel = registered(vlanTranslationRule, {
  columns: words('policy local_vid remote_vid description'),
  moreColumns: ['id'],
  labels: { local_vid: 'Local VID', remote_vid: 'Remote VID' },
  panels: words('policy local_vid remote_vid description'),
  cloned: ['policy'],
  form: { 'VLAN Translation Rule': words('policy local_vid remote_vid description tags') },
  filters: { Attributes: words('policy_id local_vid remote_vid') },
  bulkEdit: { without: ['description'] },
  search: {
    weights: { policy: 100, local_vid: 200, remote_vid: 200, description: null },
    shown: words('policy local_vid remote_vid'),
  },
})
