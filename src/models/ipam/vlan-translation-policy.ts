import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { reverse, text } from '../../schema/field.ts'
import { numberFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** A set of rules that translate VLAN numbers at an interface. */
export const vlanTranslationPolicy = model({
  name: 'ipam.vlantranslationpolicy',
  path: 'ipam/vlan-translation-policies',
  earlier: { without: ['created', 'last_updated', 'tags', 'custom_fields'], page: false },
  labels: ['VLAN translation policy', 'VLAN translation policies'],

  fields: {
    name: text({ max: 100, unique: true }),
    description,
    rules: reverse('ipam.vlantranslationrule', 'policy'),
    owner,
    comments,
    ...housekeeping,
  },

  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['name', 'description'],

  filters: {
    created: numberFilter('created', 'dateTime'),
    last_updated: numberFilter('last_updated', 'dateTime'),
  },
  features: PRIMARY,
})

export const vlanTranslationPolicyModel = registered(vlanTranslationPolicy, {
  columns: words('name description'),
  moreColumns: words('id owner.group owner comments'),
  panels: words('name description'),
  tables: [
    { model: 'ipam.vlantranslationrule', by: { policy_id: 'id' }, label: 'VLAN translation rules', isShownEmpty: true },
  ],
  form: { 'VLAN Translation Policy': words('name description tags') },
  filters: { Attributes: ['name'] },
  search: { shown: ['description'] },
})
