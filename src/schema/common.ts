import { customFields, dateTime, foreignKey, tags, text } from './field.ts'
import { related, relatedTree } from './filter.ts'
import type { Feature } from './model.ts'
import { SYSTEM } from './system-models.ts'

/** Features of the main models: objects with custom fields, tags and a journal. */
export const PRIMARY = [
  'bookmarks',
  'changeLogging',
  'cloning',
  'customLinks',
  'eventRules',
  'exportTemplates',
  'journaling',
  'notifications',
] as const satisfies readonly Feature[]
/** Features of supporting models: changes are logged and trigger event rules. */
export const LOGGED = ['changeLogging', 'eventRules'] as const satisfies readonly Feature[]

/** Single line of text with a filter of the same name. */
export const description = text({ max: 200, default: '' })
/** Markdown of any length; no filter. */
export const comments = text({ default: '', filter: false })

/** Options of a foreign key named `owner`. */
export const ownerOptions = {
  nullable: true,
  filters: {
    owner_group_id: related('owner.group', SYSTEM.ownerGroup),
    owner_group: related('owner.group', SYSTEM.ownerGroup, 'name'),
    owner: related('owner', SYSTEM.owner, 'name'),
  },
} as const
export const owner = foreignKey(SYSTEM.owner, ownerOptions)

/** Options of a foreign key named `tenant`. */
export const tenantOptions = {
  nullable: true,
  filters: {
    tenant_group_id: relatedTree('tenant.group', SYSTEM.tenantGroup),
    tenant_group: relatedTree('tenant.group', SYSTEM.tenantGroup, 'slug'),
  },
} as const
export const tenant = foreignKey(SYSTEM.tenant, tenantOptions)

/** Timestamps of the first and the latest save, set by the write pipeline. */
export const timestamps = {
  created: dateTime({ nullable: true, readOnly: true, auto: 'insert' }),
  last_updated: dateTime({ nullable: true, readOnly: true, auto: 'save', unlogged: true }),
}

/** The last fields of most models: tags, custom fields, timestamps. */
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

/** Projection of a tree node as the parent of another one. */
export const SHORT_NODE = ['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth'] as const
