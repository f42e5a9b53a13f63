import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { relatedCount, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { fieldGroup, modelView } from '../../schema/view.ts'

/** Cables that are laid together. */
export const cableBundle = model({
  name: 'dcim.cablebundle',
  path: 'dcim/cable-bundles',
  labels: ['cable bundle', 'cable bundles'],

  fields: {
    name: text({ max: 100, unique: true }),
    description,
    owner,
    comments,
    ...housekeeping,
    cable_count: relatedCount('dcim.cable', 'bundle'),
  },

  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  features: PRIMARY,
})

export const cableBundleView = modelView('dcim.cablebundle', {
  columns: ['id', 'name', 'cable_count', 'description'],
  moreColumns: ['tags', 'created', 'last_updated', 'owner.group', 'owner', 'comments'],
  labels: { cable_count: 'Cables' },
  panels: [[fieldGroup('Cable bundle', ['name', 'description', 'owner'])]],
  form: [fieldGroup('Cable Bundle', ['name', 'description', 'tags'])],
  filters: [fieldGroup('Attributes', ['name'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: { weights: { name: 100, description: 500, comments: 5000 }, shown: ['description'] },
})
