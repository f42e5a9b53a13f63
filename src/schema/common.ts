import { customFields, dateTime, foreignKey, tags, text } from './field.ts'

/** Free text of one line; a filter of its own name exists. */
export const description = text({ max: 200, default: '' })
/** Markdown of any length; no filter. */
export const comments = text({ default: '', filter: false })
export const owner = foreignKey('users.owner', {
  onDelete: 'protect',
  nullable: true,
})
export const tenant = foreignKey('tenancy.tenant', {
  onDelete: 'protect',
  nullable: true,
})

/** Moments of the first and the latest save, kept by the write pipeline. */
export const timestamps = {
  created: dateTime({ nullable: true, readOnly: true, auto: 'insert' }),
  last_updated: dateTime({ nullable: true, readOnly: true, auto: 'save', unlogged: true }),
}

/** The tail of most models: tags, custom fields, timestamps. */
export const housekeeping = {
  tags: tags(),
  custom_fields: customFields(),
  ...timestamps,
}

const GPS = 'GPS coordinate in decimal format (xx.yyyyyy)'

export const coordinates = {
  latitude: { digits: 8, places: 6, range: [-90, 90], nullable: true, help: GPS },
  longitude: { digits: 9, places: 6, range: [-180, 180], nullable: true, help: GPS },
} as const

/** Form of a tree's node as the parent of another. */
export const SHORT_NODE = ['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth'] as const
