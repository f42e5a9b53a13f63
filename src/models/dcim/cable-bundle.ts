import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { relatedCount, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

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

export const cableBundleModel = registered(cableBundle, {
  columns: words('id name cable_count description'),
  panels: words('name description owner'),
  form: { 'Cable Bundle': words('name description tags') },
  filters: { Attributes: ['name'] },
  search: { shown: ['description'] },
})
